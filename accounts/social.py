"""How allauth's social accounts work here: one tap makes an account, an address never links by itself, guests come along."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from allauth.account.internal.flows.login import record_authentication
from allauth.account.internal.flows.reauthentication import resume_request
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter, _build_apps_from_settings
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.internal.flows.login import complete_login
from allauth.socialaccount.internal.flows.signup import complete_social_signup, redirect_to_signup
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialLogin
from allauth.socialaccount.providers.base.constants import AuthError, AuthProcess
from allauth.socialaccount.providers.base.provider import Provider
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation

from accounts import limits, registration, suggestions
from accounts.models import User

log = logging.getLogger(__name__)

LABEL_LENGTH = 80


class SocialAdapter(DefaultSocialAccountAdapter):
    """allauth's hooks for accounts of other sites."""

    # --- Providers ------------------------------------------------------------------------------------------------

    def list_apps(
        self, request: HttpRequest | None, provider: str | None = None, client_id: str | None = None
    ) -> list[SocialApp]:
        """The configured providers: those of the environment alone, without asking the database."""
        found = _build_apps_from_settings(provider=provider, client_id=client_id)
        return [app for apps in found.values() for app in apps]

    def get_app(self, request: HttpRequest | None, provider: str, client_id: str | None = None) -> SocialApp:
        """A provider's keys; Http404 for a provider that is not offered (any more)."""
        try:
            return super().get_app(request, provider, client_id)
        except SocialApp.DoesNotExist:
            raise Http404 from None

    # --- What comes from the provider -------------------------------------------------------------------------------

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: dict[str, Any]) -> User:
        """Take over what may be used: a name that can be a pseudonym, and the addresses the provider vouches for.

        Of the rest only a label is kept, by which the person tells his accounts apart. An address without the provider's
        word counts as absent.
        """
        _check_identity(sociallogin.account)
        user: User = sociallogin.user
        sociallogin.email_addresses = [address for address in sociallogin.email_addresses if address.verified]
        user.email = sociallogin.email_addresses[0].email if sociallogin.email_addresses else ""
        full = _text(data, "name")
        user.username = suggestions.fitting([_text(data, "username"), _text(data, "first_name"), full.partition(" ")[0], full])
        label = user.email or _text(data, "username") or full or _text(data, "first_name")
        sociallogin.account.extra_data = {"label": label} if label else {}
        return user

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Stop where an account must not be made: a proof asked for again, or an address that has an account."""
        process = sociallogin.state.get("process")
        if process == AuthProcess.REDIRECT:
            raise ImmediateHttpResponse(self._proved(request, sociallogin))
        if process == AuthProcess.LOGIN and not sociallogin.is_existing:
            if _known(sociallogin):
                # The account may have been made between the two looks, by this person's other click.
                sociallogin.lookup()
                if not sociallogin.is_existing:
                    raise ImmediateHttpResponse(link_first(request, sociallogin))
            registration.drop_unconfirmed([address.email for address in sociallogin.email_addresses])

    def _proved(self, request: HttpRequest, sociallogin: SocialLogin) -> HttpResponse:
        """Answer a person who proved by his provider's account, having no password, that it is he."""
        if not request.user.is_authenticated or not sociallogin.is_existing or sociallogin.user != request.user:
            return render_authentication_error(request, sociallogin.provider)
        account = sociallogin.account
        proof = {"provider": account.provider, "uid": account.uid, "reauthenticated": True}
        record_authentication(request, request.user, "socialaccount", **proof)
        following = sociallogin.get_redirect_url(request) or reverse("settings")
        request.GET = QueryDict(urlencode({REDIRECT_FIELD_NAME: following}))
        return resume_request(request) or HttpResponseRedirect(following)

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Provider,
        error: str | None = None,
        exception: Exception | None = None,
        extra_context: dict[str, Any] | None = None,
    ) -> None:
        """Say kindly what went wrong: 403 when the person refused, 400 else. A second callback of a login that worked goes on."""
        if exception is not None:
            log.warning("login by %s failed: %s", provider, type(exception).__name__)
        context = extra_context or {}
        if request.user.is_authenticated and "state_id" in context:
            raise ImmediateHttpResponse(HttpResponseRedirect("/"))
        state = context.get("state") or {}
        # Some providers forget the state when they tell of a refusal.
        cancelled = error == AuthError.CANCELLED or request.GET.get("error") == "access_denied"
        raise ImmediateHttpResponse(refused(request, provider, cancelled=cancelled, following=state.get("next") or ""))

    # --- New accounts -----------------------------------------------------------------------------------------------

    def is_auto_signup_allowed(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        """False when a pseudonym must be asked for; else this makes the account itself.

        allauth would look once more whether the address is known. Of two callbacks in the same instant the second would then
        be told to confirm the address that the first one has just brought.
        """
        try:
            registration.free_name(sociallogin.user.username)
        except ValidationError:
            if _made(sociallogin):
                # It was this person's other click that took the name.
                raise ImmediateHttpResponse(self._outrun(request, sociallogin)) from None
            return False
        self.save_user(request, sociallogin)
        raise ImmediateHttpResponse(complete_social_signup(request, sociallogin))

    def get_signup_form_initial_data(self, sociallogin: SocialLogin) -> dict[str, Any]:
        """What the form proposes: a free pseudonym."""
        return {"username": suggestions.free_like(sociallogin.user.username)}

    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None) -> User:
        """Make the account. Whoever came in the same instant decides: his account, his name, his address stay."""
        limits.check("signup", limits.by_address(request))
        user: User = sociallogin.user
        user.set_unusable_password()
        user.language = translation.get_language() or ""
        if form is not None:
            user.username = form.cleaned_data["username"]
        before = sociallogin.serialize()
        try:
            with transaction.atomic():
                # allauth sets it again from the vouched address, unless that became somebody's in this instant.
                user.email = ""
                sociallogin.save(request)
        except IntegrityError:
            raise ImmediateHttpResponse(self._outrun(request, SocialLogin.deserialize(before))) from None
        return user

    def _outrun(self, request: HttpRequest, sociallogin: SocialLogin) -> HttpResponse:
        """The answer when a unique name, address or social account was taken between the look and the write."""
        if _made(sociallogin):
            return complete_login(request, sociallogin)
        if _known(sociallogin):
            return link_first(request, sociallogin)
        return redirect_to_signup(request, sociallogin)


def link_first(request: HttpRequest, sociallogin: SocialLogin) -> HttpResponse:
    """The page for the holder of an address that has an account already. Nobody else sees it: the provider vouches for him."""
    login = f"{reverse('account_login')}?{REDIRECT_FIELD_NAME}={reverse('socialaccount_connections')}"
    context = {"provider": sociallogin.provider, "address": _known(sociallogin), "login_link": login}
    return render(request, "socialaccount/link_first.html", context, status=HTTPStatus.CONFLICT)


def refused(request: HttpRequest, provider: Any, *, cancelled: bool, following: str = "") -> HttpResponse:
    """The page of a login by a provider that did not come about; it makes no session."""
    context = {"provider": provider, "cancelled": cancelled, "following": following}
    status = HTTPStatus.FORBIDDEN if cancelled else HTTPStatus.BAD_REQUEST
    return render(request, "socialaccount/authentication_error.html", context, status=status)


def _made(sociallogin: SocialLogin) -> bool:
    """Whether the social account is in the database by now."""
    return SocialAccount.objects.filter(provider=sociallogin.account.provider, uid=sociallogin.account.uid).exists()


def _check_identity(account: SocialAccount) -> None:
    """Raise ValueError unless the provider named one person: allauth writes a missing number as "None", which would be one
    account for everybody, and does not compare the two answers of OpenID Connect.
    """
    subjects = {
        part["sub"] for key in ("id_token", "userinfo") if isinstance(part := account.extra_data.get(key), dict) and "sub" in part
    }
    if account.uid == "None" or len(subjects) > 1:
        raise ValueError("the provider names nobody, or two people")


def _known(sociallogin: SocialLogin) -> str:
    """The first of the vouched addresses that is some account's confirmed one; "" when none is."""
    wanted = [address.email.lower() for address in sociallogin.email_addresses]
    known = set(EmailAddress.objects.filter(email__in=wanted, verified=True).values_list("email", flat=True))
    return next((email for email in wanted if email in known), "")


def _text(data: dict[str, Any], key: str) -> str:
    """A provider's text, printable and short; "" for anything else."""
    text = data.get(key)
    return "".join(char for char in text if char.isprintable()).strip()[:LABEL_LENGTH] if isinstance(text, str) else ""
