"""How allauth works here: own limits, own hosts only, pseudonyms, guests who sign up, no address in clear."""

from __future__ import annotations

import logging
import time
from typing import Any
from urllib.parse import urlencode

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from allauth.account.internal.stagekit import clear_login
from allauth.account.models import EmailAddress
from allauth.account.utils import get_next_redirect_url
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from django.conf import settings
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from accounts import confirmation, devices, limits, origin, registration, sanctions
from accounts.models import User
from accounts.signals import session_closed

log = logging.getLogger(__name__)

REAUTHENTICATED_FOR = 300  # seconds

# Mails that anybody can make the site send to anybody.
SOLICITED = {
    "account/email/email_confirmation",
    "account/email/email_confirmation_signup",
    "account/email/account_already_exists",
    "account/email/unknown_account",
    "account/email/password_reset_key",
    "account/email/login_code",
}


class AccountAdapter(DefaultAccountAdapter):
    """allauth's hooks for accounts. Its own rate limits are off: they are not atomic, and fail with Redis."""

    def is_safe_url(self, url: str) -> bool:
        """Whether a `next` may be followed: a path of this site, nothing that a browser could read as another host."""
        return bool(url) and url.startswith("/") and url_has_allowed_host_and_scheme(url, allowed_hosts=None)

    def get_client_ip(self, request: HttpRequest) -> str:
        """A stand-in for the client's address: its keyed hash, written as a private IPv6 address.

        allauth keeps what this returns with each session, in a column for addresses; no address is kept in clear.
        """
        digits = "fd" + origin.of(request)[:30]
        return ":".join(digits[i : i + 4] for i in range(0, 32, 4))

    # --- Passwords ------------------------------------------------------------------------------------------------

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count the try before the password is looked at, so that tries in the same instant cannot slip through."""
        limits.check("login", limits.by_address(request))
        limits.check("login_account", devices.limit_key(request, _login(credentials)))

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """The user with these credentials. A right password does not count for its account; for the address it does."""
        user = super().authenticate(request, **credentials)
        if user is not None:
            limits.refund("login_account", devices.limit_key(request, _login(credentials)))
        return user

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        limits.forget("login_account", devices.account_key(_login(credentials)))

    def pre_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse | None:
        """Stop a login to a suspended account, by whatever way it came, and show why."""
        response = super().pre_login(request, user, **kwargs)
        if response is None and sanctions.suspended(user):
            clear_login(request)
            request.session[sanctions.SESSION_KEY] = user.pk
            return HttpResponseRedirect(reverse("sanctions"))
        return response

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        """Answer a complete login, and let this browser know the account."""
        response = super().post_login(request, user, **kwargs)
        if user.email:
            devices.remember(request, response, user.email)
        return response

    # --- Proving again who one is -----------------------------------------------------------------------------------

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, str]]:
        """By password, or else a mailed code; by a second factor; by a linked account of another site if there is no other."""
        methods: list[dict[str, str]] = super().get_reauthentication_methods(user)
        if any(method["id"] == "reauthenticate" for method in methods):
            methods = [method for method in methods if method["id"] != "reauthenticate_by_code"]
        if not methods and user.is_authenticated and SocialAccount.objects.filter(user_id=user.pk).exists():
            methods = [{"id": "social", "description": _("Use a linked account"), "url": reverse("social_prove")}]
        return methods

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Whether a change needs a fresh proof; one by a linked account counts for who has no other."""
        records = get_authentication_records(self.request, self.request.user)
        if records and records[-1].get("method") == "socialaccount" and records[-1].get("reauthenticated"):
            if time.time() - records[-1]["at"] < REAUTHENTICATED_FOR:
                return False
        return super().is_reauthentication_required(app=app, **kwargs)

    # --- Sign-up --------------------------------------------------------------------------------------------------

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The stored form of a pseudonym that is free; raises ValidationError."""
        return registration.free_name(username)

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Save a sign-up, with the language it was made in and the guest it came from."""
        user.language = translation.get_language() or ""
        player = request.player  # type: ignore[attr-defined]
        if player is not None and player.is_guest:
            user.guest = player
        return super().save_user(request, user, form, commit)

    # --- Mails ----------------------------------------------------------------------------------------------------

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail whose links go to the configured host. Three an hour to one address; more are dropped in silence."""
        if template_prefix in SOLICITED:
            limits.check("mail", limits.by_address(self.request))
            try:
                limits.check("mail_to", devices.account_key(email))
            except limits.TooOften:
                # The answer must not depend on it: it would tell how often somebody else asked.
                log.info("mail %s dropped: three went to this address within the hour", template_prefix)
                return
        links = {
            "site_url": settings.SITE_URL,
            "signup_url": _absolute("account_signup"),
            "password_reset_url": _absolute("account_reset_password"),
        }
        super().send_mail(template_prefix, email, {**links, **{k: v for k, v in context.items() if k != "signup_url"}})

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:
        """The mail to confirm an address: a link, and for who is not signed in a code to type where he asked for it."""
        address = emailconfirmation.email_address
        context = {
            "user": address.user,
            "key": emailconfirmation.key,
            "activate_url": self.get_email_confirmation_url(request, emailconfirmation),
        }
        if not request.user.is_authenticated:
            context["code"] = confirmation.begin(request, emailconfirmation.key)
        template = "account/email/email_confirmation_signup" if signup else "account/email/email_confirmation"
        self.send_mail(template, address.email, context)

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        """The link of a confirmation mail, with the page the person was on the way to."""
        url = _absolute("account_confirm_email", emailconfirmation.key)
        following = get_next_redirect_url(request)
        return f"{url}?{urlencode({REDIRECT_FIELD_NAME: following})}" if following else url

    def get_reset_password_from_key_url(self, key: str) -> str:
        """The link of a reset mail."""
        uid, _, token = key.partition("-")
        return _absolute("account_reset_password_from_key", uid, token)

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        """Where a confirmation leads that did not log in (other browser): to the login, keeping the way."""
        following = get_next_redirect_url(self.request)
        if self.request.user.is_authenticated:
            return following or self.get_login_redirect_url(self.request)
        login = reverse("account_login")
        return f"{login}?{urlencode({REDIRECT_FIELD_NAME: following})}" if following else login


class SessionsAdapter(DefaultUserSessionsAdapter):
    """allauth's hook for the list of sessions."""

    def end_sessions(self, sessions: Any) -> None:
        """End sessions, and their sockets, once the person has proved again that it is he."""
        raise_if_reauthentication_required(self.request, app="allauth.usersessions")
        for session in sessions:
            user_id, key = session.user_id, session.session_key
            session.end()
            session_closed.send(sender=User, user_id=user_id, session_key=key)


def _login(credentials: dict[str, Any]) -> str:
    return str(credentials.get("email") or credentials.get("username") or "")


def _absolute(name: str, *args: str) -> str:
    return settings.SITE_URL + reverse(name, args=args)
