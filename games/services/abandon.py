"""Leaving a running match: one player for good (rules 7.6), or all of them together, without a result.

Whoever abandons gives his seat to the site, which plays it to the end; he can win nothing any more. The last side left wins
at once. Stopping together needs the word of every person who has not abandoned: one asks, the others have 48 hours.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import clocktime, live
from games.engine import abandonment
from games.errors import Closed, Forbidden, NotFound, Over
from games.models import Penalty, Seat, Status, Table, Visibility
from games.services import absence, endings, moves, running
from games.services.doors import door, lock, update

STOP_OPEN = timedelta(hours=48)
"""How long a proposal to stop waits for everybody's word."""


@door
def abandon(code: str, *, user: User) -> Table:
    """Leave a running match for good; twice is the same as once. Raises NotFound, Forbidden, Closed (not started), Over."""
    table = lock(code)
    if table.status == Status.OPEN:
        raise Closed("not_started", _("The match has not started: simply leave the table."))
    game, seat = _load(table, user)
    if seat.abandoned:
        return table
    owed_before = {other.pk for other in game.seats if other.owes_move}
    seat.abandoned_at = game.now
    seat.automatic_since = seat.automatic_since or game.now
    seat.penalty = Penalty.OPEN if table.counts else Penalty.NONE
    if seat.owes_move:
        seat.deadline = game.now
    running.add_event(table, ["abandoned", seat.number], game.now)
    _forget_proposal(game)
    _go_on(game, owed_before)
    return table


def _load(table: Table, user: User) -> tuple[running.Running, Seat]:
    """The running match and the person's seat in it. Raises NotFound, Forbidden, Over."""
    seats = running.seats_of(table)
    mine = next((seat for seat in seats if seat.user_id == user.pk), None)
    if mine is None:
        raise NotFound("no_table") if table.visibility == Visibility.LINK else Forbidden("not_seated")
    if table.status != Status.PLAYING:
        raise Over("over")
    return running.Running.load(table, seats), mine


def people_left(seats: list[Seat]) -> list[Seat]:
    """The people who have not abandoned."""
    return [seat for seat in seats if seat.user_id is not None and not seat.abandoned]


def _go_on(game: running.Running, owed_before: set[int]) -> None:
    """After somebody has left: nobody is there any more, one side is left, or the others play on."""
    sides = [place.side for place in game.rules.outcome(game.state)]
    nobody = not people_left(game.seats)
    if not nobody and len(abandonment.live_sides(sides, endings.out(game))) == 1:
        endings.finish(game)
    game.keep()
    game.announce_turns(owed_before)
    if nobody:
        endings.cancel(game.table, "left", game.now)
    absence.cancel_if_all_automatic(game)
    moves.announce_change(game, owed_before)


def _forget_proposal(game: running.Running) -> None:
    if game.table.stop_asked_at is None:
        return
    for seat in game.seats:
        seat.agreed_at = None
    update(game.table, stop_asked_at=None)


def stop_open(table: Table, now: datetime) -> bool:
    """Whether a proposal to stop waits for words."""
    return table.stop_asked_at is not None and now < table.stop_asked_at + STOP_OPEN


@door
def agree_to_stop(code: str, *, user: User) -> Table:
    """Propose to stop without a result, or agree to it; with the last person's word the match is cancelled.

    Raises NotFound, Forbidden (not seated, or abandoned), Over.
    """
    table = lock(code)
    game, seat = _load(table, user)
    if seat.abandoned:
        raise Forbidden("abandoned", _("You have left this match: the site plays your seat to the end."))
    if not stop_open(table, game.now):
        _forget_proposal(game)
        update(table, stop_asked_at=game.now)
        running.add_event(table, ["stop_asked", seat.number], game.now)
    elif seat.agreed_at is not None:
        return table
    else:
        running.add_event(table, ["stop_agreed", seat.number], game.now)
    seat.agreed_at = game.now
    game.keep()
    if all(other.agreed_at for other in people_left(game.seats)):
        endings.cancel(table, "agreed", game.now)
    live.announce(table, [other.user_id for other in game.seats])
    return table


@door
def refuse_to_stop(code: str, *, user: User) -> Table:
    """Say no to the open proposal (or take one's own word back), which ends it; without one nothing happens."""
    table = lock(code)
    game, seat = _load(table, user)
    if table.stop_asked_at is None or seat.abandoned:
        return table
    running.add_event(table, ["stop_refused", seat.number], game.now)
    _forget_proposal(game)
    game.keep()
    live.announce(table)
    return table


def close_proposals() -> int:
    """End the proposals that nobody answered in 48 hours; returns how many."""
    late = Table.objects.filter(stop_asked_at__lte=clocktime.now() - STOP_OPEN, status=Status.PLAYING)
    return sum(_close_proposal(code) for code in late.values_list("code", flat=True)[:1000])


@door
def _close_proposal(code: str) -> bool:
    table = lock(code)
    if table.status != Status.PLAYING or table.stop_asked_at is None:
        return False
    game = running.Running.load(table)
    if stop_open(table, game.now):
        return False
    running.add_event(table, ["stop_expired"], game.now)
    _forget_proposal(game)
    game.keep()
    live.announce(table)
    return True
