"""What it costs to be away: time-outs in a row, automatic mode, the match nobody attends, the runaway clock.

Rules 7.2: a time-out plays one turn and counts; at two in a row the seat is automatic until its player takes back the
hand; when every person is automatic the match is cancelled. A turn that was not due by `owes_since` + pace + extensions
is a fault of ours (a shifted clock, a bad deploy): it costs nothing, and too many of them halt the clock (P10).
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.conf import settings

from games import clocktime, live
from games.models import By, ClockState, Move, Seat, Status, Table, UnforeseenTimeout
from games.services import endings, running

log = logging.getLogger(__name__)
WINDOW = timedelta(minutes=5)


def due_by_rule(seat: Seat, table: Table, now: datetime) -> bool:
    """Whether this turn's time is really over: since when it is owed, the pace, and what was added to it."""
    if table.pace is None:
        return seat.owes_since is not None and seat.owes_since + running.IDLE <= now
    assert seat.owes_since is not None
    return seat.owes_since + timedelta(seconds=table.pace + seat.extension) <= now


def lock_if_unforeseen(code: str, number: int) -> bool:
    """Before the table is locked: if this person's turn is overdue though not due by rule, lock the clock's row.

    Returns whether it is such a turn. The clock's row comes before tables in the order of locks.
    """
    seat = Seat.objects.select_related("table").filter(table__code=code, number=number, owes_move=True).first()
    if seat is None or seat.bot or seat.automatic or due_by_rule(seat, seat.table, clocktime.now()):
        return False
    list(ClockState.objects.select_for_update().filter(pk=1))
    return True


def may_play(seat: Seat, now: datetime, *, first: bool, unforeseen: bool) -> bool:
    """Whether the site may play for this seat now, judged on locked rows. Later plies of a turn begun go on."""
    if not seat.owes_move:
        return False
    if not first or seat.bot or seat.automatic:
        return True
    if seat.deadline is None or seat.deadline > now:
        return False
    state = ClockState.objects.filter(pk=1).first()
    if state is not None and (state.halted_at is not None or state.paused_at is not None):
        return False
    return not unforeseen or not _halt_if_too_many(state, now)


def _halt_if_too_many(state: ClockState | None, now: datetime) -> bool:
    """Open the circuit breaker if the unforeseen time-outs of five minutes have reached the limit."""
    recent = UnforeseenTimeout.objects.filter(at__gt=now - WINDOW).count()
    playing = Table.objects.filter(status=Status.PLAYING).count()
    limit = max(settings.CLOCK_LIMIT_MINIMUM, int(settings.CLOCK_LIMIT_SHARE * playing))
    if recent < limit:
        return False
    reason = f"{recent} unforeseen time-outs in {WINDOW.seconds} s (limit {limit})"
    ClockState.objects.update_or_create(
        pk=1, defaults={"halted_at": now, "reason": reason}, create_defaults={"beat_at": now, "halted_at": now, "reason": reason}
    )
    log.critical("clock halted: %s", reason)
    return True


def not_counted(table: Table, rows: list[Move]) -> frozenset[int]:
    """The plies, of all those of a table in order, that the clock played by a fault of ours: they are on nobody's account."""
    moments = set(UnforeseenTimeout.objects.filter(table=table.code).values_list("at", flat=True))
    found: set[int] = set()
    turn: int | None = None
    for row in rows:
        # The first ply of such a turn is booked; the next ones of that turn follow it at once.
        if row.by != By.CLOCK or (row.played_at not in moments and row.seat != turn):
            turn = None
        else:
            turn = row.seat
            found.add(row.ply)
    return frozenset(found)


def count_absence(game: running.Running, seat: Seat, *, first: bool, unforeseen: bool) -> None:
    """Book one ply that the site is about to play for `seat`; the second time-out in a row makes the seat automatic."""
    if seat.bot:
        return
    if seat.automatic:
        seat.clock_moves += 1
        return
    if unforeseen:
        if first:
            UnforeseenTimeout.objects.create(table=game.table.code, at=game.now)
        return
    seat.clock_moves += 1
    if first:
        seat.strikes += 1
    if seat.strikes >= settings.STRIKES_BEFORE_AUTOMATIC:
        seat.automatic_since = game.now
        running.add_event(game.table, ["automatic", seat.number], game.now)


def cancel_if_all_automatic(game: running.Running) -> None:
    """Call the match off when no person is left who plays himself: bots do not count, nor does who has abandoned."""
    people = [seat for seat in game.seats if seat.user_id is not None]
    if game.table.status == Status.PLAYING and all(seat.automatic for seat in people if not seat.abandoned):
        endings.cancel(game.table, "absent", game.now)
        live.announce(game.table, [seat.user_id for seat in people if seat.user_id])
