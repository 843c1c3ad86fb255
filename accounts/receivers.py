"""What follows from allauth's and Django's signals: guests become accounts, sockets close, a new owner owes no old guest."""

from __future__ import annotations

from typing import Any

from allauth.account.signals import email_confirmed, password_reset
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest

from accounts import guests, sessions, wallet
from accounts.models import User
from accounts.signals import session_closed


@receiver(email_confirmed)
def claim_guest_of_signup(sender: Any, request: HttpRequest | None, email_address: Any, **kwargs: Any) -> None:
    """The guest who signed up becomes the account once his address is confirmed.

    Whoever proves it by a login code may not be who signed up: that person's password and guest get nothing.
    """
    user = email_address.user
    match = getattr(request, "resolver_match", None)
    if match is not None and match.url_name == "account_confirm_login_code":
        user.set_unusable_password()
        user.guest = None
        user.save(update_fields=["password", "guest"])
    if user.guest_id:
        guests.claim(user.guest_id, user)


@receiver(user_logged_in)
def claim_guest_of_session(sender: Any, request: HttpRequest | None, user: User, **kwargs: Any) -> None:
    """A guest who logs in to an account he has takes his seats along. A new session starts to count its age."""
    if request is None:
        return
    for key in (sessions.SINCE, sessions.SEEN):
        request.session.pop(key, None)
    guest_id = request.session.pop(guests.SESSION_KEY, None)
    if guest_id is not None:
        guests.claim(guest_id, user)
    request.player = user  # type: ignore[attr-defined]


@receiver(user_logged_in)
def open_wallet(sender: Any, user: User, **kwargs: Any) -> None:
    """The welcome of a new account and the refill of the day are there when its owner comes in."""
    wallet.refill(user.pk)


@receiver(user_logged_out)
def close_sockets(sender: Any, request: HttpRequest | None, user: User | None, **kwargs: Any) -> None:
    """Logging out closes the sockets of this session."""
    if request is not None and user is not None and request.session.session_key:
        session_closed.send(sender=User, user_id=user.pk, session_key=request.session.session_key)


@receiver(password_reset)
def forget_guest(sender: Any, user: User, **kwargs: Any) -> None:
    """Whoever proves the mailbox by a reset may not be who signed up: that person's guest does not follow him, and the sockets
    of sessions that the new password has ended close at once."""
    User.objects.filter(pk=user.pk).update(guest=None)
    session_closed.send(sender=User, user_id=user.pk, session_key="")
