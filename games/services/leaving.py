"""Somebody leaves the site for good: first he steps back, he may come back within a week, then his matches are abandoned.

Answers of games to the departures of accounts. Each table is a transaction of its own, so every function may be run again.
"""

from __future__ import annotations

from accounts.models import User
from games import live
from games.models import Seat, Status, Table
from games.services import abandon, clocks, endings, moves, running, tables
from games.services.doors import door, lock, update


def _codes(user: User, status: str) -> list[str]:
    mine = Table.objects.filter(seats__user=user, status=status)
    return list(mine.order_by("pk").values_list("code", flat=True))


def step_back(user: User) -> None:
    """Free his seats at waiting tables; from now on the site plays his running ones."""
    for code in _codes(user, Status.OPEN):
        tables.leave(code, user=user)
    for code in _codes(user, Status.PLAYING):
        if hand_over(code, user=user):
            moves.wake(code)


@door
def hand_over(code: str, *, user: User) -> bool:
    """Make his seat at a running table automatic; the match is cancelled when nobody plays himself any more (rules 7.2).

    Returns whether this call did it.
    """
    table = lock(code)
    seats = list(Seat.objects.filter(table=table).order_by("number"))
    seat = next((seat for seat in seats if seat.user_id == user.pk), None)
    if seat is None or seat.automatic or table.status != Status.PLAYING:
        return False
    now = table.now  # type: ignore[attr-defined]
    update(seat, automatic_since=now, **({"deadline": now} if seat.owes_move else {}))
    running.add_event(table, ["automatic", seat.number], now)
    people = [other for other in seats if other.user_id is not None]
    if all(other.automatic for other in people):
        endings.cancel(table, "absent", now)
    else:
        update(table, version=table.version + 1)
    live.announce(table, [other.user_id for other in people if other.user_id])
    return True


def come_back(user: User) -> None:
    """Take back the hand at every running table."""
    mine = Seat.objects.filter(user=user, automatic_since__isnull=False, abandoned_at__isnull=True, table__status=Status.PLAYING)
    for code in list(mine.values_list("table__code", flat=True)):
        clocks.take_back(code, user=user)


def go(user: User) -> None:
    """The week is over: free what seats he has at waiting tables, abandon his running matches, forget where he sat from."""
    for code in _codes(user, Status.OPEN):
        tables.leave(code, user=user)
    for code in _codes(user, Status.PLAYING):
        abandon.abandon(code, user=user)
    Seat.objects.filter(user=user).exclude(origin="", present_origin="").update(origin="", present_origin="")
