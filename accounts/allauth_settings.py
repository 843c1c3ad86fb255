"""allauth's settings, plain constants: imported with * by cinqsite.settings."""

LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"

ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
MFA_ADAPTER = "accounts.mfa_adapter.MFAAdapter"
USERSESSIONS_ADAPTER = "accounts.adapter.SessionsAdapter"
ACCOUNT_FORMS = {
    "login": "accounts.forms.LoginForm",
    "signup": "accounts.forms.SignupForm",
    "request_login_code": "accounts.forms.RequestLoginCodeForm",
    "confirm_login_code": "accounts.forms.ConfirmLoginCodeForm",
    "confirm_reauthentication_code": "accounts.forms.ConfirmReauthenticationCodeForm",
    "add_email": "accounts.forms.AddEmailForm",
    "reauthenticate": "accounts.forms.ReauthenticatePasswordForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "set_password": "accounts.forms.SetPasswordForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordKeyForm",
}
MFA_FORMS = {
    "authenticate": "accounts.forms.AuthenticateForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
    "activate_totp": "accounts.forms.ActivateTOTPForm",
    "add_webauthn": "accounts.passkeys.AddForm",
    "edit_webauthn": "accounts.passkeys.RenameForm",
    "login_webauthn": "accounts.passkeys.LoginForm",
    "authenticate_webauthn": "accounts.passkeys.AuthenticateForm",
    "reauthenticate_webauthn": "accounts.passkeys.ReauthenticateForm",
}

ACCOUNT_LOGIN_METHODS = {"email"}
# Without a password a mailed code opens the account.
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1"]
ACCOUNT_SALT = "account"
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[cinqsite] "
# Nobody is in before his address is confirmed, by the button of the page that the mail links to.
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_CONFIRM_EMAIL_ON_GET = False
ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS = 3
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_METHODS = ("password", "code", "mfa")
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 600
ACCOUNT_LOGIN_BY_CODE_MAX_ATTEMPTS = 5
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = True
ACCOUNT_SESSION_REMEMBER = True
# accounts.limits counts instead: atomically, and also without Redis.
ACCOUNT_RATE_LIMITS = False
MFA_RATE_LIMITS = False
PASSWORD_RESET_TIMEOUT = 24 * 3600

MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "cinqsite"
MFA_TOTP_TOLERANCE = 1
# Harmless here: nobody logs in before an address is confirmed, so a new one may wait beside it.
MFA_ALLOW_UNVERIFIED_EMAIL = True
# Shows when a session was last used; written by accounts.sessions, not by allauth's middleware, which would at every request.
USERSESSIONS_TRACK_ACTIVITY = True

# The accounts of other sites. Their identity is the provider's number for a person, never an e-mail address or a name.
SOCIALACCOUNT_ADAPTER = "accounts.social.SocialAdapter"
SOCIALACCOUNT_FORMS = {"signup": "accounts.social_forms.SignupForm", "disconnect": "accounts.social_forms.UnlinkForm"}
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False
# The provider's word for an address is enough; an address it does not vouch for is not taken at all.
SOCIALACCOUNT_EMAIL_VERIFICATION = "none"
SOCIALACCOUNT_EMAIL_REQUIRED = False
SOCIALACCOUNT_QUERY_EMAIL = True
SOCIALACCOUNT_LOGIN_ON_GET = False
SOCIALACCOUNT_STORE_TOKENS = False
