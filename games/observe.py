"""The one eye: what a seat may know of a table, and nothing else. Beside the services, the only reader of the vault.

A `Glimpse` is read in one statement, so table, seats and snapshot belong to one version even while others play.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.apps import apps

from games import registry, sealing
from games.engine import abandonment, codec
from games.engine.chance import Chance, state_hash
from games.engine.record import replay, rewound_to
from games.models import By, Move, Seat, Status, Table
from games.models.vault import Vault


@dataclass
class Glimpse:
    """A table with its seats (by number; before the start by order of sitting) at one version."""

    table: Table
    seats: list[Seat]
    _vault: Vault | None = field(repr=False)

    @cached_property
    def _state(self) -> Any:
        assert self._vault is not None
        return codec.decode(self.table.rules.State, self._vault.unseal("snapshot"))

    @property
    def started(self) -> bool:
        """Whether cards have been dealt."""
        return self.table.started_at is not None

    def observation(self, number: int | None) -> dict[str, Any] | None:
        """What seat `number` (None: a spectator) may know; None before the start."""
        if not self.started:
            return None
        return self.table.rules.observation(self._state, number)

    def seat_of(self, user_id: int | None) -> Seat | None:
        """The seat of that user, if he sits here."""
        return next((seat for seat in self.seats if user_id is not None and seat.user_id == user_id), None)


def glimpse(code: str) -> Glimpse | None:
    """The table of that code as it is now, None if there is none. Says nothing about who may look at it."""
    rows = list(
        Seat.objects.filter(table__code=code)
        .select_related("table", "table__vault", "table__opener", "user")
        .order_by("number", "joined")
    )
    if not rows:
        table = Table.objects.select_related("opener").filter(code=code).first()
        return None if table is None else Glimpse(table, [], None)
    table = rows[0].table
    return Glimpse(table, rows, table.vault if table.status != Status.OPEN else None)


def bot_seed(text: str) -> bytes:
    """The seed of a bot's decision, from public facts only: never the server seed."""
    return hashlib.sha256(text.encode()).digest()


def sealed_place(table_id: int, ply: int) -> str:
    """The place that a hidden notation is sealed for."""
    return f"{table_id}/ply/{ply}"


def notation(row: Move) -> str:
    """The full text of a move, unsealed where it was hidden. Not for anybody's eyes while the table runs."""
    return sealing.unseal(row.sealed, sealed_place(row.table_id, row.ply)) if row.sealed else row.notation


def line(rows: Iterable[Move]) -> list[Move]:
    """The plies that led to the present position, of all plies in order: without rewinds and without what they undid.

    A rewind may go to a position that an earlier one undid: then the plies that led there count again.
    """
    # By ply: the last move before the position after it, and where the one before that stands.
    steps: dict[int, tuple[Move, Any] | None] = {}
    last: tuple[Move, Any] | None = None
    for row in rows:
        target = rewound_to(row.notation)
        last = (row, last) if target is None else steps.get(target)
        steps[row.ply] = last
    kept: list[Move] = []
    while last is not None:
        kept.append(last[0])
        last = last[1]
    return kept[::-1]


def audit(table: Table) -> list[str]:
    """Replay the log of a started table through the rules; every difference to what is stored, as a line."""
    vault = Vault.objects.get(table=table)
    secrets = vault.unseal("seed")
    if "key" not in secrets:
        return []
    rules = table.rules
    chance = Chance(bytes.fromhex(secrets["key"]), vault.unseal("deals"))
    model: type[Move] = apps.get_model(registry.get(table.game).move_model)
    rows = list(model._default_manager.filter(table=table).order_by("ply"))
    problems = [f"{table.code}: ply {row.ply} where {ply} should be" for ply, row in enumerate(rows, 1) if row.ply != ply]
    steps = replay(rules, rules.read_options(table.options), table.seats_wanted, chance, [(r.seat, notation(r)) for r in rows])
    state = next(steps).state
    try:
        for row, step in zip(rows, steps, strict=True):
            state = step.state
            if state_hash(chance.key, codec.canonical(state)) != row.state_hash:
                problems.append(f"{table.code}: another state after ply {row.ply}")
            if [list(event) for event in step.events] != row.events:
                problems.append(f"{table.code}: other events at ply {row.ply}")
    except Exception as error:  # whatever the rules say of a broken log is the finding
        problems.append(f"{table.code}: replay stops: {error!r}")
        return problems
    if codec.encode(state) != vault.unseal("snapshot") or vault.plies != table.plies or len(rows) != table.plies:
        problems.append(f"{table.code}: the snapshot is not the log's")
    return problems + _wrong_seats(table, state, rows)


def _wrong_seats(table: Table, state: Any, rows: list[Move]) -> list[str]:
    """What the seats of a started table say of places, scores and decisions, where the log says otherwise."""
    seats = list(Seat.objects.filter(table=table).order_by("number"))
    problems = []
    if table.status == Status.FINISHED:
        outcome = table.rules.outcome(state)
        left = {number for number, seat in enumerate(seats) if seat.abandoned}
        bots = {number for number, seat in enumerate(seats) if seat.bot}
        out = abandonment.seats_out([place.side for place in outcome], left, bots)
        problems += [
            f"{table.code}: seat {number} has place {seat.place}, score {seat.score}; the log says {place.rank}, {place.score}"
            for number, (seat, place) in enumerate(
                zip(seats, abandonment.places(outcome, out, by_total=table.rules.by_total), strict=True)
            )
            if (seat.place, seat.score) != (place.rank, place.score)
        ]
    made = Counter((row.seat, row.by) for row in line(rows))
    problems += [
        f"{table.code}: seat {number} counts {seat.own_moves} own and {seat.clock_moves} clock's decisions, not the log's"
        for number, seat in enumerate(seats)
        if seat.user_id is not None
        # What the clock played by a fault of ours is not counted: the log may hold more of it.
        and (seat.own_moves != made[number, By.PLAYER] or seat.clock_moves > made[number, By.CLOCK])
    ]
    return problems
