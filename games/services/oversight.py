"""What the staff may do to a table: more time, a seat to the site, calling it off, taking it back to an earlier ply.

Each is one door like any other: lock the table, judge, write a public fact of it to the log, raise the version. Who did
it and why is kept by the layer above, in the same transaction.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F
from django.utils.translation import gettext as _

from accounts import notices
from games import live, observe
from games.engine import codec
from games.engine.chance import Chance, state_hash
from games.engine.record import replay, rewind_text
from games.errors import Closed, Forbidden, NotFound, Over
from games.models import By, Move, Seat, Status, Table
from games.models.vault import Vault
from games.services import absence, endings, moves, running
from games.services.doors import door, lock, update

LONGEST_EXTENSION = timedelta(days=14)


def _locked_running(code: str) -> Table:
    table = lock(code)
    if table.status != Status.PLAYING:
        raise Over("over")
    return table


def _now(table: Table) -> datetime:
    return table.now  # type: ignore[attr-defined, no-any-return]


@door
def extend(code: str, by: timedelta) -> list[int]:
    """Give everybody who owes a move at a running table `by` more; returns the numbers of those seats.

    Raises Over for a table that is not running, Closed where no clock runs (no pace, nobody of flesh to act).
    """
    table = _locked_running(code)
    owing = Seat.objects.filter(table=table, owes_move=True, automatic_since__isnull=True, bot="")
    numbers = [number for number in owing.order_by("number").values_list("number", flat=True) if number is not None]
    if table.pace is None or not numbers or not timedelta(0) < by <= LONGEST_EXTENSION:
        raise Closed("no_clock", _("No clock runs against anybody at this table."))
    seconds = int(by.total_seconds())
    owing.update(deadline=F("deadline") + by, extension=F("extension") + seconds)
    running.add_event(table, ["prolonged", seconds], _now(table))
    update(table, version=table.version + 1)
    live.announce(table)
    return numbers


@door
def hand_to_site(code: str, number: int) -> None:
    """Have the site play a person's seat until he takes it back. Raises Over, NotFound (no such seat), Closed (no person)."""
    table = _locked_running(code)
    game = running.Running.load(table)
    seat = next((seat for seat in game.seats if seat.number == number), None)
    if seat is None:
        raise NotFound("no_seat")
    if seat.user_id is None or seat.automatic:
        raise Closed("automatic", _("The site plays this seat already."))
    seat.automatic_since = game.now
    if seat.owes_move:
        seat.deadline = game.now
        notices.drop(user_id=seat.user_id, kind="turn", table=code)
    running.add_event(table, ["handed", number], game.now)
    game.keep()
    absence.cancel_if_all_automatic(game)
    moves.announce_change(game, {other.pk for other in game.seats if other.owes_move} | {seat.pk})


@door
def call_off(code: str) -> None:
    """Cancel a waiting or running table: no points, stakes go back. Raises Over for one that has ended."""
    table = lock(code)
    if table.over:
        raise Over("over")
    people = list(Seat.objects.filter(table=table, user__isnull=False).values_list("user_id", flat=True))
    endings.cancel(table, "staff", _now(table))
    live.announce(table, people)


@dataclass(frozen=True, slots=True)
class Past:
    """The log of a running table replayed: `states[i]` is the state after ply `floor + i`, the last shuffle lies before it."""

    floor: int
    states: list[Any]


def _past(table: Table, vault: Vault, rows: list[Move]) -> Past:
    """Replay a running table. `floor` is the ply of the last shuffle: nobody may go behind what was dealt since."""
    chance = Chance(bytes.fromhex(vault.unseal("seed")["key"]), vault.unseal("deals"))
    rules = table.rules
    steps = replay(
        rules, rules.read_options(table.options), table.seats_wanted, chance, [(row.seat, observe.notation(row)) for row in rows]
    )
    floor, asked = 0, 0
    states: list[Any] = []
    for ply, step in enumerate(steps):
        if len(chance.asked) > asked:
            floor, states, asked = ply, [], len(chance.asked)
        states.append(step.state)
    return Past(floor, states)


@door
def look(code: str, number: int, *, user_id: int, origin: str) -> None:
    """Note, for everybody at the table to read, that somebody of the staff looks at the hidden cards of a seat there.

    `origin` is the address hash that he asks from. Raises Over, NotFound (no such seat), Forbidden for whoever sits or sat at
    the table, or shares an address with somebody there.
    """
    table = _locked_running(code)
    seats = list(Seat.objects.filter(table=table))
    if number not in {seat.number for seat in seats}:
        raise NotFound("no_seat")
    if any(seat.user_id == user_id or (origin and seat.origin == origin) for seat in seats):
        raise Forbidden(
            "own_table", _("Nobody looks at the hidden cards of a table where he plays, or plays from the same address.")
        )
    running.add_event(table, ["looked"], _now(table))
    update(table, version=table.version + 1)
    live.announce(table)


def _rows(table: Table) -> list[Move]:
    return list(running.move_model(table.game)._default_manager.filter(table=table).order_by("ply"))


def rewind_floor(code: str) -> int:
    """The earliest ply that a running table may be taken back to: that of the last deal. Raises NotFound, Over."""
    table = Table.objects.filter(code=code).first()
    if table is None:
        raise NotFound("no_table")
    if table.status != Status.PLAYING:
        raise Over("over")
    return _past(table, Vault.objects.get(table=table), _rows(table)).floor


@door
def rewind(code: str, ply: int) -> int:
    """Take a running table back to the position after `ply`, by a ply of its own; returns that ply's number.

    Nothing is erased and numbers only grow (reliability P11). Behind the last deal nothing can be taken back: everybody
    has seen the cards since. Whoever is to act gets a fresh deadline; time-outs and automatic seats that came after `ply`
    are forgiven. Raises NotFound, Over, Closed.
    """
    table = _locked_running(code)
    game = running.Running.load(table)
    rows = _rows(table)
    past = _past(table, game.vault, rows)
    if not past.floor <= ply < table.plies:
        raise Closed("no_rewind", _("A match can be taken back only to a move of the hand being played."))
    owed_before = {seat.pk for seat in game.seats if seat.owes_move}
    game.state = past.states[ply - past.floor]
    _forgive(game, rows, ply)
    _add_rewind(game, rows[-1], ply)
    game.turns_over = set(range(len(game.seats)))
    moves.advance(game, owed_before)
    moves.announce_change(game, owed_before | {seat.pk for seat in game.seats if seat.owes_move})
    return rows[-1].ply + 1


def _forgive(game: running.Running, rows: list[Move], ply: int) -> None:
    """Bring the seats' counts of decisions to those of the position after `ply`, and lift automatic mode that the clock's
    undone ones led to."""
    before, after = observe.line(rows), observe.line(row for row in rows if row.ply <= ply)
    since = next((row.played_at for row in rows if row.ply > ply), game.now)
    free = absence.not_counted(game.table, rows)
    was, will = (Counter((row.seat, row.by) for row in line if row.ply not in free) for line in (before, after))
    undone = {row.seat for row in before if row.by == By.CLOCK and row.ply > ply}
    for number, seat in enumerate(game.seats):
        seat.own_moves += will[number, By.PLAYER] - was[number, By.PLAYER]
        seat.clock_moves += will[number, By.CLOCK] - was[number, By.CLOCK]
        if number in undone:
            seat.strikes = 0
            if seat.automatic_since and seat.automatic_since >= since and not seat.abandoned:
                seat.automatic_since = None
    for seat in game.seats:
        seat.stale_before = game.table.plies + 1


def _add_rewind(game: running.Running, last: Move, ply: int) -> None:
    game.table.plies += 1
    game.vault.state_hash = state_hash(game.chance.key, codec.canonical(game.state))
    model = running.move_model(game.table.game)
    game.rows.append(
        model(
            table=game.table,
            ply=game.table.plies,
            seat=0,
            by=By.STAFF,
            notation=rewind_text(ply),
            events=[["rewound", ply]],
            state_hash=game.vault.state_hash,
            played_at=game.now,
            **model.rewind_columns(last),
        )
    )
