"""The one write path. Two doors lead to `_step`: `play` (people: waits for the lock) and `play_for_absent` (the clock
and the bots: skips a locked table). Lock row, judge, insert typed rows, keep the snapshot, commit, push.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import live, observe, registry
from games.errors import Forbidden, MalformedMove, NotFound, NotYourTurn, Over, Stale
from games.models import By, Seat, Status, Table, Visibility
from games.services import absence, endings, hints
from games.services.doors import door, lock
from games.services.running import Running, move_model, seats_of


@dataclass(frozen=True, slots=True)
class Played:
    """The answer to a move: the table as it is now, the ply of the move, and whether the same click came twice."""

    table: Table
    ply: int
    repeated: bool


def play(code: str, *, user: User, text: str, seen: int, request: UUID) -> Played:
    """Play `text` for the person `user` at table `code`.

    `seen` is the number of plies the form was painted at, `request` the id made for the click: the same id and move
    again get the first answer. Raises NotFound 404, Forbidden 403, Over, Stale, NotYourTurn, IllegalMove 409,
    MalformedMove 422.
    """
    return _play(code, user.pk, text, seen, request)


@door
def _play(code: str, user_id: int, text: str, seen: int, request: UUID) -> Played:
    table = lock(code)
    seats = seats_of(table)
    seat = next((seat for seat in seats if seat.user_id == user_id), None)
    if seat is None:
        raise NotFound("no_table") if table.visibility == Visibility.LINK else Forbidden("not_seated")
    if (earlier := _same_click(table, seat, text, request)) is not None:
        return Played(table, earlier, True)
    _require_fresh(table, seat, seen)
    game = Running.load(table, seats)
    _step(game, seat, text, By.PLAYER, request)
    return Played(table, game.rows[0].ply, False)


def _same_click(table: Table, seat: Seat, text: str, request: UUID) -> int | None:
    """The ply that this request id already made, None if it is new. Raises MalformedMove for another payload."""
    row = move_model(table.game)._default_manager.filter(table=table, request=request).first()
    if row is None:
        return None
    if (row.seat, observe.notation(row)) != (seat.number, text):
        raise MalformedMove("request_reused")
    return row.ply


def _require_fresh(table: Table, seat: Seat, seen: int) -> None:
    if table.status != Status.PLAYING:
        raise Over("over")
    if seat.abandoned:
        raise Forbidden("abandoned", _("You have left this match: the site plays your seat to the end."))
    if seen < seat.stale_before or seen > table.plies:
        raise Stale("stale")
    if not seat.owes_move:
        raise NotYourTurn("not_your_turn")


def _step(game: Running, seat: Seat, text: str, by: str, request: UUID | None) -> None:
    """One judged move, those behind it that need no decision, who owes what next, the end if nobody does; announced on commit."""
    owed_before = {other.pk for other in game.seats if other.owes_move}
    game.play(seat, text, by, request)
    if by == By.PLAYER:
        seat.strikes, seat.automatic_since = 0, None
        seat.own_moves += 1
    advance(game, owed_before)
    announce_change(game, owed_before)


def advance(game: Running, owed_before: set[int]) -> None:
    """Play what needs no decision, settle the turns, end the match if nobody is to act, and keep it all."""
    game.play_on()
    game.settle_turns()
    if not game.rules.to_act(game.state):
        endings.finish(game)
    game.keep()
    game.announce_turns(owed_before)


def announce_change(game: Running, owed_before: set[int]) -> None:
    """On commit: push the new version, tell the people whose list of turns changed, wake a worker for the bots."""
    changed = [seat.user_id for seat in game.seats if seat.user_id and (seat.pk in owed_before) != seat.owes_move]
    live.announce(game.table, changed)
    if game.table.status == Status.PLAYING and any(seat.owes_move and (seat.bot or seat.automatic) for seat in game.seats):
        code = game.table.code
        transaction.on_commit(lambda: wake(code), robust=True)


def wake(code: str) -> None:
    """Have bots and automatic seats of a table play soon: by a worker, or here when no message can be published."""
    if not hints.send("games.tasks.play_waiting", code):
        play_waiting(code)


def play_waiting(code: str, most: int = 500) -> int:
    """Play the turns of bots and automatic seats at a table until a person is to act; returns the number of turns."""
    turns = 0
    while turns < most:
        seat = (
            Seat.objects.filter(table__code=code, table__status=Status.PLAYING, owes_move=True)
            .filter(Q(automatic_since__isnull=False) | ~Q(bot=""))
            .order_by("deadline", "number")
            .first()
        )
        if seat is None or seat.number is None or not play_for_absent(code, seat.number):
            break
        turns += 1
    return turns


def play_for_absent(code: str, number: int) -> bool:
    """Play the whole turn of one seat for whoever is not there: a bot, an automatic seat, or a person out of time.

    Decides outside the transaction, from the seat's own observation; the write is refused if the table has moved on.
    Returns whether at least one ply was made. Never raises for a table that has changed or is busy.
    """
    played = False
    while True:
        decision = _decide(code, number)
        if decision is None:
            return played
        seen, text = decision
        outcome = _play_absent(code, number, text, seen, first=not played)
        if outcome is None:
            return played
        played = True
        if outcome:
            return True


def _decide(code: str, number: int) -> tuple[int, str] | None:
    """The automatic player's move for a seat that owes one: (plies seen, text), None if it owes none any more."""
    glimpse = observe.glimpse(code)
    if glimpse is None or glimpse.table.status != Status.PLAYING or not glimpse.seats[number].owes_move:
        return None
    table = glimpse.table
    seed = f"{table.code}/{table.plies + 1}/{number}"
    return table.plies, registry.get(table.game).bots.choose(
        glimpse.observation(number), observe.bot_seed(seed), level="malin" if glimpse.seats[number].bot else "prudent"
    )


@door
def _play_absent(code: str, number: int, text: str, seen: int, *, first: bool) -> bool | None:
    """One ply for an absent seat. None: nothing done. Else whether the turn has passed."""
    try:
        unforeseen = absence.lock_if_unforeseen(code, number) if first else False
        table = lock(code, skip_locked=True)
    except NotFound:
        return None
    if table.status != Status.PLAYING or table.plies != seen:
        return None
    game = Running.load(table)
    seat = game.seats[number]
    if not absence.may_play(seat, game.now, first=first, unforeseen=unforeseen):
        return None
    if seat.user_id and not seat.automatic and table.pace is None:
        endings.cancel(table, "idle", game.now)
        live.announce(table, [other.user_id for other in game.seats if other.user_id])
        return True
    # What holds for the first ply of a turn holds for all of it.
    unforeseen = unforeseen or not (first or seat.bot or seat.automatic or absence.due_by_rule(seat, table, game.now))
    absence.count_absence(game, seat, first=first, unforeseen=unforeseen)
    _step(game, seat, text, By.BOT if seat.bot else By.CLOCK, None)
    absence.cancel_if_all_automatic(game)
    return number in game.turns_over
