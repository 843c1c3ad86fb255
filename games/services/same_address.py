"""Whether two players of a match share an address (rules 7.4): decided once, at the start, from keyed hashes.

Each seat keeps the hash of the address its player sat down from, and the one he last looked from while the table waited; the
second counts if he was there at the start. A later change of address changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from games import clocktime
from games.models import Seat, Status, Table
from games.services.doors import update

PRESENT = timedelta(minutes=5)
"""Who looked at the waiting table so short a time before the start was there."""
WRITE_EVERY = timedelta(seconds=60)


def note_presence(table: Table, seat: Seat, origin: str) -> None:
    """A player looks at a competitive table that waits: remember from where, at most once a minute."""
    if table.status != Status.OPEN or not table.competitive:
        return
    now = clocktime.now()
    if seat.present_origin != origin or seat.present_at is None or now - seat.present_at > WRITE_EVERY:
        update(seat, present_origin=origin, present_at=now)


def shared(seats: Iterable[Seat], now: datetime) -> bool:
    """Whether two different players' seats have an address in common. An empty hash is nobody's address."""
    holders: dict[str, int | None] = {}
    for seat in seats:
        here = seat.present_at is not None and seat.present_at > now - PRESENT
        for origin in {seat.origin, seat.present_origin if here else ""} - {""}:
            if holders.setdefault(origin, seat.user_id) != seat.user_id:
                return True
    return False
