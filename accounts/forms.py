"""Forms of accounts: allauth's with our limits and checks, and the person's own settings."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as allauth_forms
from allauth.mfa.adapter import get_adapter as mfa_adapter
from allauth.mfa.base import forms as mfa_forms
from allauth.mfa.models import Authenticator
from allauth.mfa.totp import forms as totp_forms
from allauth.mfa.totp.internal.auth import validate_totp_code
from allauth.mfa.utils import decrypt
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts import avatars, devices, limits, names, registration, timezones
from accounts.models import User
from accounts.models.user import Theme

# Longer ones only cost time to hash.
PASSWORD_MAX_LENGTH = 1024
CODE_USED_FOR = 24 * 3600  # seconds

LABELS = {
    "login": _("E-mail address"),
    "email": _("E-mail address"),
    "username": _("Pseudonym"),
    "password": _("Password"),
    "oldpassword": _("Present password"),
    "password1": _("New password"),
    "password2": _("The new password again"),
}


def _in_our_words(form: forms.Form) -> None:
    """Name allauth's fields as the site does, without placeholders, which say no more; refuse endless passwords."""
    for name, field in form.fields.items():
        field.widget.attrs.pop("placeholder", None)
        field.label = LABELS.get(name, field.label)
        if isinstance(field.widget, forms.PasswordInput):
            field.widget.attrs["maxlength"] = PASSWORD_MAX_LENGTH
            field.validators.append(MaxLengthValidator(PASSWORD_MAX_LENGTH))
            if name == "password1":
                field.help_text = _("At least 8 characters. A short sentence makes a good password.")


class LoginForm(allauth_forms.LoginForm):
    """Login by e-mail and password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _in_our_words(self)


class SignupForm(allauth_forms.SignupForm):
    """Sign-up: e-mail, pseudonym, password. An address that has an account gets the same answer, in the same time."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _in_our_words(self)
        self.fields["username"].help_text = _("The name other players see, %(least)d to %(most)d characters long.") % {
            "least": names.MIN_LENGTH,
            "most": names.MAX_LENGTH,
        }
        self.fields["username"].widget.attrs["autocomplete"] = "nickname"
        self.fields["email"].help_text = _("Never shown to anybody.")
        self.fields["password1"].label = _("Password (may stay empty)")
        self.fields["password1"].help_text = _(
            "At least 8 characters. Without a password we mail you a code each time you sign in."
        )

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Make the account, or act as if; returns the user, or the answer instead."""
        limits.check("signup", limits.by_address(request))
        try:
            with transaction.atomic():
                if self.account_already_exists:
                    # What a true sign-up would leave and cost: a name that is gone, and one hash of a password.
                    registration.hold_name(self.cleaned_data["username"])
                    if self.cleaned_data.get("password1"):
                        make_password(self.cleaned_data["password1"])
                return super().try_save(request)
        except IntegrityError:
            # Somebody took the name between the check and the write.
            messages.error(request, registration.taken().message)
            return None, HttpResponseRedirect(request.get_full_path())


class RequestLoginCodeForm(allauth_forms.RequestLoginCodeForm):
    """Asking for a mailed code to sign in."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _in_our_words(self)


def _as_a_code(form: forms.Form) -> None:
    """Name the field of a mailed code, and spare phones their corrections."""
    field = form.fields["code"]
    field.label = _("Code from the mail")
    field.widget.attrs.pop("placeholder", None)
    field.widget.attrs |= {"autocapitalize": "characters", "spellcheck": "false", "autofocus": True, "maxlength": 32}


class ConfirmLoginCodeForm(allauth_forms.ConfirmLoginCodeForm):
    """The mailed code that signs in."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _as_a_code(self)


class ConfirmReauthenticationCodeForm(allauth_forms.ConfirmReauthenticationCodeForm):
    """The mailed code before a sensitive change."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _as_a_code(self)


class ResetPasswordForm(allauth_forms.ResetPasswordForm):
    """Asking for a mail with a link."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _in_our_words(self)


class AddEmailForm(allauth_forms.AddEmailForm):
    """A new e-mail address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _in_our_words(self)


class ReauthenticatePasswordForm(allauth_forms.ReauthenticateForm):
    """The password again before a sensitive change."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _in_our_words(self)


class SetPasswordForm(allauth_forms.SetPasswordForm):
    """A password for an account that has none."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _in_our_words(self)


class ChangePasswordForm(allauth_forms.ChangePasswordForm):
    """Change of password; the present one may be guessed as seldom as at login."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _in_our_words(self)

    def clean_oldpassword(self) -> str:
        """The present password, if it is right."""
        account = devices.account_key(self.user.email)
        limits.check("login_account", account)
        password = super().clean_oldpassword()
        limits.refund("login_account", account)
        return password


class ResetPasswordKeyForm(allauth_forms.ResetPasswordKeyForm):
    """A new password by a mailed link, which works once even when it is used many times in the same instant."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _in_our_words(self)

    def clean(self) -> dict[str, Any]:
        """Take the link, when everything else is in order."""
        data = super().clean()
        if not self.errors and not limits.once(f"reset:{self.temp_key}", settings.PASSWORD_RESET_TIMEOUT):
            raise ValidationError(_("This link has been used already."), code="used")
        return data


class _CodeForm(mfa_forms.BaseAuthenticateForm):
    """A code of an authenticator app or a recovery code: five wrong ones in five minutes, each right one once."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs.pop("placeholder", None)
        self.fields["code"].widget.attrs["autofocus"] = True
        self.fields["code"].max_length = 32

    def clean_code(self) -> str:
        """The code, if it is right, was not used before and there were not too many wrong ones."""
        limits.check("second_factor", self.user.pk)
        code = self.cleaned_data["code"].replace(" ", "")
        authenticators = list(Authenticator.objects.filter(user=self.user).exclude(type=Authenticator.Type.WEBAUTHN))
        for authenticator in authenticators:
            if _is_right(authenticator, code) and limits.once(f"code:{self.user.pk}:{code}", CODE_USED_FOR):
                limits.refund("second_factor", self.user.pk)
                authenticator.user = self.user
                self.authenticator = authenticator
                return code
        if authenticators:
            self._emit_authentication_failed(authenticators[0])
        raise mfa_adapter().validation_error("incorrect_code")


def _is_right(authenticator: Authenticator, code: str) -> bool:
    # Not allauth's TOTP.validate_code: it marks used codes in the cache, which must be able to fail.
    if authenticator.type == Authenticator.Type.TOTP:
        return validate_totp_code(decrypt(authenticator.data["secret"]), code)
    return bool(authenticator.wrap().validate_code(code))


class AuthenticateForm(_CodeForm, mfa_forms.AuthenticateForm):
    """The second step of a login."""


class ReauthenticateForm(_CodeForm, mfa_forms.ReauthenticateForm):
    """A code asked for again before a sensitive change."""


class ActivateTOTPForm(totp_forms.ActivateTOTPForm):
    """Enrolment of an authenticator app."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = _("Code shown by the app")
        self.fields["code"].widget.attrs.pop("placeholder", None)
        self.fields["code"].widget.attrs["inputmode"] = "numeric"

    def clean_code(self) -> str:
        """The code, if it is right."""
        limits.check("second_factor", self.user.pk)
        code = super().clean_code()
        limits.refund("second_factor", self.user.pk)
        return code


class NameForm(forms.Form):
    """Another pseudonym, when 90 days have passed since the last change."""

    username = forms.CharField(label=_("Pseudonym"), max_length=names.MAX_LENGTH)

    def __init__(self, data: Any = None, *, user: User) -> None:
        super().__init__(data, initial={"username": user.username}, auto_id="name_%s")
        self.user = user
        self.locked_until = registration.may_rename_at(user)
        field = self.fields["username"]
        field.disabled = self.locked_until is not None
        field.widget.attrs["autocomplete"] = "nickname"
        field.help_text = (
            registration.too_early(self.locked_until)
            if self.locked_until
            else _("It can be changed every 90 days; nobody else may take the old one for a year.")
        )

    def save(self) -> None:
        """Rename, if the name is another one; raises ValidationError."""
        name = names.clean(self.cleaned_data["username"])
        if name != self.user.username:
            registration.rename(self.user, name)


class AvatarForm(forms.Form):
    """A colour and a figure."""

    colour = forms.ChoiceField(label=_("Colour"), choices=list(avatars.COLOURS.items()))
    figure = forms.ChoiceField(label=_("Figure"), choices=[(key, drawn.name) for key, drawn in avatars.FIGURES.items()])

    def __init__(self, data: Any = None, *, user: User) -> None:
        super().__init__(data, initial=avatars.of(user)._asdict(), auto_id="avatar_%s")
        self.user = user

    def save(self) -> None:
        """Keep the choice."""
        chosen = avatars.Avatar(self.cleaned_data["colour"], self.cleaned_data["figure"])
        User.objects.filter(pk=self.user.pk).update(avatar=str(chosen))


class PreferencesForm(forms.ModelForm):
    """How somebody reads and plays. What a guest has no use for is left out."""

    language = forms.ChoiceField(label=_("Language of the site"), choices=settings.LANGUAGES)
    timezone = forms.ChoiceField(label=_("Time zone"), help_text=_("Deadlines are shown in this zone."))
    languages = forms.MultipleChoiceField(
        label=_("Languages I like to talk"),
        choices=settings.LANGUAGES,
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=_("Shown on your profile."),
    )
    theme = forms.ChoiceField(label=_("Light or dark"), choices=Theme.choices, widget=forms.RadioSelect, required=False)

    READING = ("language", "timezone", "theme", "reduced_motion")
    TABLE = ("actions_left", "four_colours", "play_only_moves")
    OTHERS = ("languages", "show_friends", "email_turns")

    class Meta:
        model = User
        fields = [
            "language",
            "timezone",
            "theme",
            "reduced_motion",
            "actions_left",
            "four_colours",
            "play_only_moves",
            "languages",
            "show_friends",
            "email_turns",
        ]
        labels = {
            "reduced_motion": _("No movement on the screen"),
            "actions_left": _("Buttons of the table on the left"),
            "four_colours": _("Four colours for the French suits"),
            "play_only_moves": _("Play my only move at once"),
            "show_friends": _("Show my friends on my profile"),
            "email_turns": _("E-mail me when my turn has been waiting for ten minutes"),
        }
        help_texts = {
            "show_friends": _("Those of them appear who show their friends too."),
            "four_colours": _("Diamonds orange and clubs green; without it hearts and diamonds are red, spades and clubs black."),
            "play_only_moves": _(
                "Quicker, but it tells the others something: when your move comes at once, they know that you had no choice."
            ),
        }

    def __init__(self, data: Any = None, *, user: User) -> None:
        super().__init__(data, instance=user, auto_id="pref_%s")
        self.fields["timezone"].choices = [(zone, zone.replace("_", " ")) for zone in timezones.names()]  # type: ignore[attr-defined]
        self.initial["timezone"] = user.timezone or settings.TIME_ZONE
        self.initial["language"] = user.language or get_language()
        self.initial["languages"] = user.languages.split()
        if user.is_guest:
            for name in self.OTHERS:
                del self.fields[name]

    def clean_languages(self) -> str:
        """The codes as they are stored."""
        return " ".join(self.cleaned_data["languages"])

    def save(self, commit: bool = True) -> User:
        """Write these columns alone: others may have changed since the row was read."""
        user: User = self.instance
        user.save(update_fields=list(self.fields))
        return user

    def reading(self) -> list[forms.BoundField]:
        """The fields about reading."""
        return [self[name] for name in self.READING]

    def table(self) -> list[forms.BoundField]:
        """The fields about playing."""
        return [self[name] for name in self.TABLE]

    def others(self) -> list[forms.BoundField]:
        """The fields about other people and mails; none for a guest."""
        return [self[name] for name in self.OTHERS if name in self.fields]
