"""Whose session this is, for whoever has no request: the sockets ask again and again while they are open."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from django.contrib.auth import get_user

from accounts import guests, sanctions, sessions
from accounts.models import User


def player_of_session(session: Any) -> User | None:
    """The active user that this session logs in (password unchanged, not too old), else its guest, else None; nobody who is
    suspended."""
    user = get_user(SimpleNamespace(session=session))  # type: ignore[arg-type]
    if isinstance(user, User) and user.is_active and not sessions.expired(session, user):
        return None if sanctions.suspended(user) else user
    guest = guests.of(session)
    return None if guest is None or sanctions.suspended(guest) else guest
