"""How long a session lives, and what is written while it is used: at most once in five minutes.

Players: 14 days idle, 90 days in all. Staff: 30 minutes idle, 12 hours in all. Guests: as long as the cookie.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from allauth.account.internal.flows.reauthentication import STATE_SESSION_KEY
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.utils import timezone

from accounts import timezones, wallet
from accounts.models import User

SINCE, SEEN = "since", "seen"
WRITE_EVERY = 300  # seconds
DAY = 24 * 3600
PLAYER_IDLE, PLAYER_AGE = 14 * DAY, 90 * DAY
STAFF_IDLE, STAFF_AGE = 1800, DAY // 2


def lend_headers(request: HttpRequest) -> None:
    """Give a request that waits in the session for a fresh proof the headers of the present one, for as long as this lasts."""
    waiting = request.session.get(STATE_SESSION_KEY) or {}
    if "request" in waiting:
        headers = {key: text for key, text in request.META.items() if isinstance(text, str)}
        request.session[STATE_SESSION_KEY] = {"request": json.dumps({**json.loads(waiting["request"]), "META": headers})}


def strip_headers(request: HttpRequest) -> None:
    """Let no header, and so no address, be written with a request that waits in the session: allauth would keep them all."""
    waiting = request.session.get(STATE_SESSION_KEY) or {}
    if "request" in waiting:
        request.session[STATE_SESSION_KEY] = {"request": json.dumps({**json.loads(waiting["request"]), "META": {}})}


def expired(session: Mapping[str, Any], user: User, now: float | None = None) -> bool:
    """Whether a logged-in user's session (of a request or of a socket) is too old or was idle for too long."""
    now = time.time() if now is None else now
    idle, age = (STAFF_IDLE, STAFF_AGE) if user.is_staff else (PLAYER_IDLE, PLAYER_AGE)
    return now - session.get(SEEN, now) > idle or now - session.get(SINCE, now) > age


def touch(request: HttpRequest, player: User) -> None:
    """Note that the player is here: session, user and list of sessions, unless that was written less than 5 minutes ago.

    Whoever has no time zone yet gets the one his browser has told.
    """
    now = int(time.time())
    session = request.session
    if now - session.get(SEEN, 0) < WRITE_EVERY:
        return
    session.setdefault(SINCE, now)
    session[SEEN] = now
    written: dict[str, Any] = {"last_seen": timezone.now()}
    if not player.timezone and (zone := timezones.told_by(request)):
        player.timezone = written["timezone"] = zone
    User.objects.filter(pk=player.pk).update(**written)
    if not player.is_guest:
        wallet.refill(player.pk)
    if not player.is_guest and session.session_key:
        UserSession.objects.filter(session_key=session.session_key).update(last_seen_at=timezone.now())


def purge() -> int:
    """Delete sessions past their date, and what the list of sessions says of those that are gone; returns how many of these."""
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    return UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()[0]
