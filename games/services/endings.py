"""How a table ends: the one place that finishes or cancels a match."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.dispatch import Signal

from accounts import notices
from games.models import Seat, Status, Table
from games.models.vault import Vault
from games.services import running
from games.services.doors import update

table_finished = Signal()
"""Sent inside the transaction that ends a match: `table`, `results` (a list of Result, in seat order)."""


@dataclass(frozen=True, slots=True)
class Result:
    """How one seat ended: `rank` 1 is a winner (ties share), `own_moves` and `clock_moves` are decisions."""

    seat: int
    user_id: int | None
    bot: bool
    rank: int
    score: int
    own_moves: int
    clock_moves: int


def finish(game: running.Running) -> None:
    """End a match whose rules let nobody act any more: places, the server seed revealed, the signal to ranking."""
    table = game.table
    for seat, place in zip(game.seats, game.rules.outcome(game.state), strict=True):
        seat.place, seat.score = place.rank, place.score
    _close(table, game.vault, Status.FINISHED, "played", game.now)
    results = [
        Result(seat.number or 0, seat.user_id, bool(seat.bot), seat.place or 0, seat.score or 0, seat.own_moves, seat.clock_moves)
        for seat in game.seats
    ]
    table_finished.send(sender=Table, table=table, results=results)


def cancel(table: Table, reason: str, now: datetime) -> None:
    """Call a match off, whatever its state: no XP. The committed seed is revealed all the same."""
    Seat.objects.filter(table=table).update(owes_move=False, owes_since=None, deadline=None, extension=0)
    notices.drop(user_id=None, kind="turn", table=table.code)
    running.add_event(table, ["cancelled", reason], now)
    _close(table, Vault.objects.get(table=table), Status.CANCELLED, reason, now)
    update(table, version=table.version + 1)


def _close(table: Table, vault: Vault, status: str, end: str, now: datetime) -> None:
    seed = vault.unseal("seed")["seed"]
    update(table, status=status, end=end, ended_at=now, server_seed=seed)
