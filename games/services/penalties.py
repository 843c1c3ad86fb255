"""Whether somebody who abandoned is penalised: the others vote, from then on until 48 hours after the end (rules 7.3).

Voters are the people who have not abandoned when the match ends; more than half of them must say yes, silence is no. A vote
given while the match runs counts if its voter stays. Only matches that count have penalties. What a penalty costs is
ranking's to say: it hears `penalised`.
"""

from __future__ import annotations

from datetime import datetime

from django.dispatch import Signal
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import clocktime, live
from games.errors import Closed, Forbidden, NotFound
from games.models import VOTE_OPEN, AbandonVote, Penalty, Seat, Status, Table, Visibility
from games.services import running
from games.services.doors import door, lock, update

penalised = Signal()
"""Sent inside the transaction that decides: `table`, `user_id` (who is penalised), `at`."""


@door
def vote(code: str, *, user: User, number: int, yes: bool) -> Table:
    """Say whether the player who left seat `number` is penalised. A word given stays; the same one again is no error.

    Raises NotFound, Forbidden (no voter), Closed (no open case, too late, another word given before).
    """
    table = lock(code)
    seats = list(Seat.objects.filter(table=table).order_by("number"))
    me = next((seat for seat in seats if seat.user_id == user.pk), None)
    if me is None:
        raise NotFound("no_table") if table.visibility == Visibility.LINK else Forbidden("not_seated")
    if me.abandoned:
        raise Forbidden("abandoned", _("Only players who have stayed may vote."))
    case = next((seat for seat in seats if seat.number == number), None)
    now: datetime = table.now  # type: ignore[attr-defined]
    if case is None or case.penalty != Penalty.OPEN or late(table, now):
        raise Closed("no_vote", _("There is no such vote, or it is closed."))
    given, new = AbandonVote.objects.get_or_create(seat=case, voter=user, defaults={"yes": yes, "at": now})
    if given.yes != yes:
        raise Closed("voted", _("You have already voted."))
    if new:
        if table.status == Status.FINISHED and decide(table, seats, case, now):
            update(case, penalty=case.penalty)
        update(table, version=table.version + 1)
        live.announce(table)
    return table


def late(table: Table, now: datetime) -> bool:
    """Whether the vote of a table is over, decided or not."""
    return table.ended_at is not None and now >= table.ended_at + VOTE_OPEN


def decide(table: Table, seats: list[Seat], case: Seat, now: datetime) -> bool:
    """Close the case of a finished match if its votes decide, or its time is up; returns whether it is closed now.

    Sets `case.penalty`; the caller writes it, raises the version and announces.
    """
    voters = {seat.user_id for seat in seats if seat.user_id is not None and not seat.abandoned}
    votes = dict(AbandonVote.objects.filter(seat=case, voter__in=voters).values_list("voter", "yes"))
    yes = sum(votes.values())
    if 2 * yes > len(voters):
        case.penalty = Penalty.APPLIED
    elif late(table, now) or 2 * (yes + len(voters) - len(votes)) <= len(voters):
        case.penalty = Penalty.DROPPED
    else:
        return False
    applied = case.penalty == Penalty.APPLIED
    running.add_event(table, ["penalised" if applied else "not_penalised", case.number], now)
    if applied:
        penalised.send(sender=Table, table=table, user_id=case.user_id, at=now)
    return True


def decide_at_end(game: running.Running) -> None:
    """The match has just ended: the votes given while it ran may decide at once."""
    for case in game.seats:
        if case.penalty == Penalty.OPEN:
            decide(game.table, game.seats, case, game.now)


def close_votes() -> int:
    """Close the votes whose 48 hours are over; returns how many tables had one."""
    late_cases = Seat.objects.filter(penalty=Penalty.OPEN, table__ended_at__lte=clocktime.now() - VOTE_OPEN)
    codes = late_cases.order_by("table").values_list("table__code", flat=True).distinct()[:1000]
    return sum(_close_votes(code) for code in list(codes))


@door
def _close_votes(code: str) -> bool:
    table = lock(code)
    now: datetime = table.now  # type: ignore[attr-defined]
    seats = list(Seat.objects.filter(table=table).order_by("number"))
    closed = [case for case in seats if case.penalty == Penalty.OPEN and decide(table, seats, case, now)]
    for case in closed:
        update(case, penalty=case.penalty)
    if closed:
        update(table, version=table.version + 1)
        live.announce(table)
    return bool(closed)
