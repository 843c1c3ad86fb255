"""Guests: a row without password or e-mail, known by the browser's session alone, until it becomes an account or is idle.

A guest is made by a POST only, limited per address. His seats follow him into the account he signs up for, once.
"""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Iterable, MutableMapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import ProtectedError, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from accounts import limits, sanctions
from accounts.models import User
from accounts.signals import guest_claimed, session_closed

SESSION_KEY = "guest_id"
IDLE_DAYS = 30
LOBBY, DECLINED = "lobby", "declined"


def of(session: MutableMapping[str, Any]) -> User | None:
    """The guest whom a session (of a request or of a socket) names, or None."""
    guest_id = session.get(SESSION_KEY)
    if guest_id is None:
        return None
    return User.objects.filter(pk=guest_id, is_guest=True, is_active=True).first()


def create(request: HttpRequest) -> User:
    """The request's player, made as a guest if there is none yet. For POST only; raises limits.TooOften."""
    if request.player is not None:  # type: ignore[attr-defined]
        return request.player  # type: ignore[attr-defined]
    limits.check("guest", limits.by_address(request))
    guest = _new_guest()
    # The visitor's session becomes somebody's: under a new key, which nobody can have planted.
    request.session.cycle_key()
    request.session[SESSION_KEY] = guest.pk
    request.player = guest  # type: ignore[attr-defined]
    return guest


def _new_guest() -> User:
    for digits in (4, 4, 4, 5, 6, 9):
        number = secrets.randbelow(9 * 10 ** (digits - 1)) + 10 ** (digits - 1)
        try:
            with transaction.atomic():
                guest = User(username=f"guest-{number}", is_guest=True, last_seen=timezone.now())
                guest.set_unusable_password()
                guest.save(force_insert=True)
                return guest
        except IntegrityError:
            continue
    raise RuntimeError("no free guest number in six tries")


def claim(guest_id: int, user: User) -> bool:
    """Turn the guest into the account: tells the layers above, once, and ends the guest. Returns whether it was this call."""
    with transaction.atomic():
        # The guarded update is the lock: of two calls in the same instant one changes the row.
        if not User.objects.filter(pk=guest_id, is_guest=True, is_active=True).update(is_active=False):
            return False
        User.objects.filter(guest_id=guest_id).update(guest=None)
        sanctions.follow(User.objects.get(pk=guest_id), user)
        guest_claimed.send(sender=User, guest=User.objects.get(pk=guest_id), user=user)
        transaction.on_commit(lambda: session_closed.send(sender=User, user_id=guest_id, session_key=""))
    return True


def offer(user_ids: Iterable[int] | QuerySet[Any], place: str) -> None:
    """Show the guests among these, at `place` (the code of a table they have left or finished, or LOBBY), what an account brings.

    Once in a guest's life: whoever has been shown it somewhere is left alone, whether he has answered or not.
    """
    User.objects.filter(pk__in=user_ids, is_guest=True, account_offer="").update(account_offer=place)


def is_offered(player: User | None, place: str) -> bool:
    """Whether that is where this player is shown it."""
    return player is not None and player.is_guest and player.account_offer == place


def decline(player: User) -> None:
    """He has said no: it is shown nowhere any more."""
    User.objects.filter(pk=player.pk, is_guest=True).update(account_offer=DECLINED)


def purge(now: dt.datetime | None = None) -> int:
    """End every guest who has been idle for 30 days; returns how many.

    A guest whom nothing refers to is deleted. One with seats stays as a row, because other people's tables tell of him;
    it holds nothing personal, and nobody can come back as him: his turns are the clock's.
    """
    limit = (now or timezone.now()) - dt.timedelta(days=IDLE_DAYS)
    idle = User.objects.filter(Q(last_seen__lt=limit) | Q(last_seen=None, date_joined__lt=limit), is_guest=True, is_active=True)
    ended = 0
    for guest in idle.order_by("pk").iterator(chunk_size=500):
        try:
            with transaction.atomic():
                guest.delete()
        except ProtectedError:
            User.objects.filter(pk=guest.pk).update(is_active=False, language="", timezone="")
        ended += 1
    return ended
