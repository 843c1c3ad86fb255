"""Who may go where: staff needs a second factor on every admin page, who has asked to leave decides about that first."""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from django.http import HttpRequest

from accounts.models import User


def staff_ready(user: User) -> bool:
    """Whether the user is active staff with an authenticator app or a security key."""
    return (
        user.is_active
        and user.is_staff
        and Authenticator.objects.filter(
            user_id=user.pk, type__in=[Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]
        ).exists()
    )


def must_enrol(request: HttpRequest) -> bool:
    """Whether this is a request of staff without a second factor for a page of any admin site."""
    match = request.resolver_match
    user = request.user
    admin = match is not None and ("admin" in match.app_names or request.path_info.startswith("/admin/"))
    return admin and user.is_authenticated and user.is_staff and not staff_ready(user)


OPEN_TO_LEAVERS = frozenset(
    {"departure", "own_data", "own_data_download", "account_logout", "account_reauthenticate", "mfa_reauthenticate"}
    | {"mfa_reauthenticate_webauthn", "set_language", "unsubscribe", "livez", "healthz"}
)
"""Routes that somebody may use whose account is to be deleted."""


def is_leaving(request: HttpRequest) -> bool:
    """Whether this is a request, for any other page, of somebody whose account is to be deleted."""
    user = request.user
    match = request.resolver_match
    return user.is_authenticated and user.leaving_at is not None and (match is None or match.url_name not in OPEN_TO_LEAVERS)
