"""A running table in memory, inside one transaction: its seats, its state, the plies added, what is written at the end.

Private to the services: `moves` and `tables` (the start) use it. Nothing else changes a running table.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.apps import apps
from django.conf import settings
from django.db.models import F

from accounts import notices
from games import observe, registry, sealing
from games.engine import codec
from games.engine.chance import Chance, state_hash
from games.engine.rules import Illegal, Malformed
from games.errors import IllegalMove, MalformedMove
from games.models import By, Move, Seat, Table, TableEvent
from games.models.vault import Vault
from games.services.doors import update

IDLE = timedelta(days=60)
SEAT_COLUMNS = (
    "owes_move",
    "owes_since",
    "deadline",
    "extension",
    "strikes",
    "automatic_since",
    "stale_before",
    "own_moves",
    "clock_moves",
    "abandoned_at",
    "penalty",
    "agreed_at",
    "place",
    "score",
)


def move_model(game: str) -> type[Move]:
    """The concrete move model of a game."""
    model: type[Move] = apps.get_model(registry.get(game).move_model)
    return model


class Running:
    """One locked, running table. Load it, `play` moves, then `keep` everything."""

    def __init__(self, table: Table, seats: list[Seat], vault: Vault, chance: Chance, state: Any) -> None:
        self.table = table
        self.seats = seats
        self.vault = vault
        self.chance = chance
        self.state = state
        self.rules = table.rules
        self.now: datetime = table.now  # type: ignore[attr-defined]
        self.rows: list[Move] = []
        self.turns_over: set[int] = set()
        self.dealt = len(chance.results)
        self.pictures = {seat.pk: picture(seat) for seat in seats}

    @classmethod
    def load(cls, table: Table, seats: list[Seat] | None = None) -> Running:
        """The present state of a locked table, from its vault; `seats` (by number) if they are already read."""
        if seats is None:
            seats = seats_of(table)
        vault = Vault.objects.get(table=table)
        secrets = vault.unseal("seed")
        chance = Chance(bytes.fromhex(secrets["key"]), vault.unseal("deals"))
        state = codec.decode(table.rules.State, vault.unseal("snapshot"))
        return cls(table, seats, vault, chance, state)

    def play(self, seat: Seat, text: str, by: str, request: UUID | None = None) -> None:
        """Judge one move and add its ply. Raises MalformedMove (422) or IllegalMove (409)."""
        assert seat.number is not None
        try:
            move = self.rules.Move.parse(text)
            step = self.rules.apply(self.state, seat.number, move, self.chance)
        except Malformed:
            raise MalformedMove("malformed") from None
        except Illegal as error:
            raise IllegalMove(error, self.table.game) from None
        before = self.state
        self.state = step.state
        self._add_row(seat, by, str(move), step.events, request, move_model(self.table.game).columns(before, move))
        if not step.same_turn:
            self.turns_over.add(seat.number)
        if any(event[0] == "deal" for event in step.events):
            for other in self.seats:
                other.stale_before = self.table.plies

    def _add_row(self, seat: Seat, by: str, text: str, events: Any, request: UUID | None, columns: dict[str, Any]) -> None:
        assert seat.number is not None
        self.table.plies += 1
        seat.stale_before = self.table.plies
        self.vault.state_hash = state_hash(self.chance.key, codec.canonical(self.state))
        model = move_model(self.table.game)
        sealed = sealing.seal(text, observe.sealed_place(self.table.pk, self.table.plies)) if model.hides(text) else ""
        self.rows.append(
            model(
                table=self.table,
                ply=self.table.plies,
                seat=seat.number,
                by=by,
                notation="?" if sealed else text,
                sealed=sealed,
                events=[list(event) for event in events],
                request=request,
                state_hash=self.vault.state_hash,
                played_at=self.now,
                **columns,
            )
        )

    def play_on(self) -> None:
        """Play at once, in memory, what needs no decision. Neither adds nor resets time-outs.

        That is what everybody can deduce anyway (rules 5), and the only move of a player who has asked for it.
        """
        while True:
            while (forced := self.rules.forced(self.state)) is not None:
                number, move = forced
                self.play(self.seats[number], str(move), By.FORCED)
            only = self._only_move()
            if only is None:
                return
            self.play(*only, By.ONLY)

    def _only_move(self) -> tuple[Seat, str] | None:
        """A present player who wants his only moves played and has just one, by what he himself may know; else None."""
        for number in self.rules.to_act(self.state):
            seat = self.seats[number]
            if not seat.wants_only_moves or seat.automatic:  # type: ignore[attr-defined]
                continue
            legal = self.rules.observation(self.state, number)["legal"]
            if len(legal) == 1:
                return seat, str(legal[0])
        return None

    def settle_turns(self) -> None:
        """Who owes what by when. Every turn gets a fresh deadline; two plies of one turn share theirs."""
        to_act = set(self.rules.to_act(self.state))
        for seat in self.seats:
            if seat.number not in to_act:
                seat.owes_move, seat.owes_since, seat.deadline, seat.extension = False, None, None, 0
            elif not seat.owes_move or seat.number in self.turns_over:
                start_turn(seat, self.table, self.now)

    def keep(self) -> None:
        """Write the plies, the snapshot, the seats and the new version; owed mails are written with the turn."""
        table, vault = self.table, self.vault
        if self.rows:
            type(self.rows[0])._default_manager.bulk_create(self.rows)
        vault.seal("snapshot", codec.encode(self.state))
        values: dict[str, Any] = {"snapshot": vault.snapshot, "state_hash": vault.state_hash, "plies": table.plies}
        if len(self.chance.results) != self.dealt:
            vault.seal("deals", self.chance.results)
            values["deals"] = vault.deals
        update(vault, **values)
        self._keep_seats()
        update(table, plies=table.plies, version=table.version + 1)

    def _keep_seats(self) -> None:
        """Write what has changed of the seats: one statement for each of two seats, or one for all of them."""
        changes = {
            seat: {name: new for name, new in picture(seat).items() if new != self.pictures[seat.pk][name]} for seat in self.seats
        }
        changed = [seat for seat, values in changes.items() if values]
        if len(changed) <= 2:
            for seat in changed:
                Seat.objects.filter(pk=seat.pk).update(**changes[seat])
        else:
            Seat.objects.bulk_update(changed, sorted({name for seat in changed for name in changes[seat]}))

    def announce_turns(self, owed_before: set[int]) -> None:
        """Notices of this change: drop those of turns that are over, write those of turns that began."""
        owing = {seat.pk for seat in self.seats if seat.owes_move}
        for seat in self.seats:
            if seat.user_id is None:
                continue
            if seat.pk in owed_before and (seat.pk not in owing or seat.number in self.turns_over):
                notices.drop(user_id=seat.user_id, kind="turn", table=self.table.code)
            if seat.owes_move and not seat.automatic and (seat.pk not in owed_before or seat.number in self.turns_over):
                schedule_notice(seat, self.table, self.now)


def seats_of(table: Table, order: str = "number") -> list[Seat]:
    """The seats of a table, each with `wants_only_moves`: whether its player wants his only moves played (None: a bot's)."""
    return list(Seat.objects.filter(table=table).annotate(wants_only_moves=F("user__play_only_moves")).order_by(order))


def picture(seat: Seat) -> dict[str, Any]:
    """The columns of a seat that play may change."""
    return {name: getattr(seat, name) for name in SEAT_COLUMNS}


def start_turn(seat: Seat, table: Table, now: datetime) -> None:
    """Give `seat` a fresh deadline from `now`: at once for bots and automatic seats, 60 days where there is no pace."""
    seat.owes_move, seat.owes_since, seat.extension = True, now, 0
    if seat.bot or seat.automatic:
        seat.deadline = now
    else:
        seat.deadline = now + (timedelta(seconds=table.pace) if table.pace else IDLE)


def schedule_notice(seat: Seat, table: Table, now: datetime) -> None:
    """Owe the seat's player one mail for this turn, unless he sees it first."""
    assert seat.user_id is not None
    delay = timedelta(seconds=settings.NOTICE_DELAY)
    notices.schedule(
        user_id=seat.user_id, kind="turn", table=table.code, ply=table.plies, send_after=now + delay, data={"game": table.game}
    )


def add_event(table: Table, event: list[Any], now: datetime) -> None:
    """Add a public fact that is no move to the log; the caller raises the version by one in the same transaction."""
    TableEvent.objects.create(table=table, ply=table.plies, version=table.version + 1, event=event, at=now)
