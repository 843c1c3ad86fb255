"""How a person can come into his account: nobody may take away the last way himself, by mistake."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings

from accounts.models import User


def offered() -> frozenset[str]:
    """The ids of the providers that the site offers now."""
    apps = ((key, app) for key, settings_ in settings.SOCIALACCOUNT_PROVIDERS.items() for app in settings_.get("APPS", []))
    return frozenset(app.get("provider_id") or key for key, app in apps)


def left_without(user: User, *, social: int | None = None, passkey: int | None = None) -> bool:
    """Whether a way in is left to the user without that social account or that passkey (primary keys).

    A confirmed address is one (by password or by a mailed code), a passkey that lets in by itself, an account of a provider that
    the site offers.
    """
    passkeys = Authenticator.objects.filter(user=user, type=Authenticator.Type.WEBAUTHN).exclude(pk=passkey)
    return (
        EmailAddress.objects.filter(user=user, verified=True).exists()
        or SocialAccount.objects.filter(user=user, provider__in=offered()).exclude(pk=social).exists()
        or any(row.wrap().is_passwordless for row in passkeys)
    )
