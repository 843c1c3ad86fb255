"""How a table ends: the one place that finishes or cancels a match."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.dispatch import Signal

from accounts import guests, notices
from games import selectors
from games.engine import abandonment
from games.engine.rules import Place
from games.models import Penalty, Seat, Status, Table
from games.models.vault import Vault
from games.services import inviting, penalties, running, stakes
from games.services.doors import update

table_finished = Signal()
"""Sent inside the transaction that ends a match: `table`, `results` (a list of Result, in seat order)."""


table_called_off = Signal()
"""Sent inside the transaction that cancels a table, before or after its start: `table`."""


@dataclass(frozen=True, slots=True)
class Result:
    """How one seat ended: `rank` 1 is a winner (ties share; a match that nobody wins has none), `own_moves` and
    `clock_moves` are decisions, `abandoned` that its player left for good."""

    seat: int
    user_id: int | None
    is_person: bool
    rank: int
    score: int
    own_moves: int
    clock_moves: int
    abandoned: bool = False


def finish(game: running.Running) -> None:
    """End a match whose rules let nobody act any more, or in which one side is left: places, the server seed revealed,
    the signal to ranking."""
    table = game.table
    played = not game.rules.to_act(game.state)
    left = any(seat.abandoned for seat in game.seats)
    for seat, place in zip(game.seats, final_places(game), strict=True):
        seat.place, seat.score, seat.agreed_at = place.rank, place.score, None
        seat.owes_move, seat.owes_since, seat.deadline, seat.extension = False, None, None, 0
    notices.drop(user_id=None, kind="turn", table=table.code)
    if left:
        # The rules know of no abandonment: what they say of the winner is not the last word.
        running.add_event(table, ["winners", [seat.number for seat in game.seats if seat.place == 1]], game.now)
    update(table, stop_asked_at=None)
    _close(table, game.vault, Status.FINISHED, "played" if played else "abandoned", game.now)
    stakes.pay(table, game.seats, game.now)
    table_finished.send(sender=Table, table=table, results=[result_of(seat) for seat in game.seats])
    penalties.decide_at_end(game)


def final_places(game: running.Running) -> tuple[Place, ...]:
    """The places of the seats, by number, with those who have left (rules 7.6)."""
    return abandonment.places(game.rules.outcome(game.state), out(game), by_total=game.rules.by_total)


def out(game: running.Running) -> frozenset[int]:
    """The seats that can win nothing any more."""
    return selectors.seats_out(game.table, game.seats)


def result_of(seat: Seat) -> Result:
    """What a finished seat tells ranking."""
    return Result(
        seat.number or 0,
        seat.user_id,
        seat.user_id is not None,
        seat.place or 0,
        seat.score or 0,
        seat.own_moves,
        seat.clock_moves,
        seat.abandoned,
    )


def cancel(table: Table, reason: str, now: datetime) -> None:
    """Call a match off, whatever its state: no XP. The committed seed is revealed all the same."""
    Seat.objects.filter(table=table).update(owes_move=False, owes_since=None, deadline=None, extension=0, agreed_at=None)
    Seat.objects.filter(table=table, penalty=Penalty.OPEN).update(penalty=Penalty.DROPPED)
    notices.drop(user_id=None, kind="turn", table=table.code)
    if table.status == Status.OPEN:
        inviting.forget(table)
    stakes.give_back(table, now)
    running.add_event(table, ["cancelled", reason], now)
    _close(table, Vault.objects.get(table=table), Status.CANCELLED, reason, now)
    update(table, version=table.version + 1, stop_asked_at=None)
    table_called_off.send(sender=Table, table=table)


def _close(table: Table, vault: Vault, status: str, end: str, now: datetime) -> None:
    if table.started_at is not None:
        # After the commit: an offer that is lost does no harm, and nobody waits for a lock of a person's row.
        seated = Seat.objects.filter(table=table, user__isnull=False).values("user_id")
        transaction.on_commit(lambda: guests.offer(seated, table.code), robust=True)
    seed = vault.unseal("seed")["seed"]
    update(table, status=status, end=end, ended_at=now, server_seed=seed)
