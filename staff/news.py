"""What every page shows on top: announcements that are due, and that the clocks stand still.

Each process asks the database every ten seconds at most, so a page costs no query for it. What somebody has closed is a
cookie of his browser.
"""

from __future__ import annotations

import contextlib
import re
import time
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone

from games.services import clocks
from staff.models import Announcement

EVERY = 10.0
COOKIE = "news"
MOST = 20
"""Announcements shown at once, and closed ones that a cookie remembers."""
_IDS = re.compile(r"[0-9]{1,12}(\.[0-9]{1,12}){0,19}", re.ASCII)


@dataclass
class _Memory:
    """What this process knows: announcements that are not over, since when the clocks stand still."""

    read_at: float = -EVERY
    rows: list[Announcement] = field(default_factory=list)
    paused_at: datetime | None = None


_memory = _Memory()


def forget() -> None:
    """Have this process ask again at its next page."""
    _memory.read_at = -EVERY


def forget_on_commit() -> None:
    """The same, once the present transaction is through."""
    transaction.on_commit(forget, robust=True)


def _known() -> _Memory:
    if time.monotonic() - _memory.read_at >= EVERY:
        open_rows = Announcement.objects.filter(Q(ends_at__isnull=True) | Q(ends_at__gt=timezone.now())).order_by("-pk")
        _memory.read_at = time.monotonic()
        with contextlib.suppress(DatabaseError):  # the page that says so must not fail for it
            _memory.rows = list(open_rows[:MOST])
            _memory.paused_at = clocks.paused_since()
    return _memory


def closed_by(request: HttpRequest) -> list[int]:
    """The announcements that this browser has closed, oldest first."""
    text = request.COOKIES.get(COOKIE, "")
    return [int(number) for number in text.split(".")] if _IDS.fullmatch(text) else []


def shown(request: HttpRequest) -> dict[str, Any]:
    """The context of every page: `news` (announcements to show, the newest first) and `clocks_paused_at`."""

    def rows() -> list[Announcement]:
        now, closed = timezone.now(), set(closed_by(request))
        return [
            row
            for row in _known().rows
            if row.starts_at <= now and (row.ends_at is None or row.ends_at > now) and row.pk not in closed
        ]

    return {"news": rows, "clocks_paused_at": lambda: _known().paused_at}
