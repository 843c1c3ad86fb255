"""Push and paint: `announce` tells that a table has a new version, `paint` is what a page then fetches for itself.

Only `{table, version}` ever travels. One thread a process owns the event loop that talks to Redis, so a request never
waits for it: a hung Redis costs nothing, and a lost message is made good by the next look (reliability D.3).
"""

from __future__ import annotations

import asyncio
import atexit
import logging
import os
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from channels.layers import get_channel_layer
from django.db import transaction
from django.http import HttpRequest
from django.template.loader import render_to_string

from accounts import guests
from games import chat, clocktime, invitations, observe, registry, selectors
from games.errors import NotFound
from games.models import VOTE_OPEN, AbandonVote, Penalty, Seat, Status, Table

log = logging.getLogger(__name__)
TIMEOUT = 1.0
SICK_SECONDS = 30.0
MOST_PENDING = 1000


class _Publisher:
    """One daemon thread with an event loop; messages are fire and forget."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self.loop = asyncio.new_event_loop()
        self.pending = 0
        self.sick_until = 0.0
        threading.Thread(target=self.loop.run_forever, name="publisher", daemon=True).start()
        atexit.register(self.drain)

    def send(self, messages: list[tuple[str, dict[str, Any]]]) -> None:
        """Publish (group, message) pairs soon; dropped when Redis is sick or a thousand are waiting."""
        if time.monotonic() < self.sick_until or self.pending >= MOST_PENDING:
            return
        self.pending += 1
        asyncio.run_coroutine_threadsafe(self._send(messages), self.loop)

    async def _send(self, messages: list[tuple[str, dict[str, Any]]]) -> None:
        layer = get_channel_layer()
        try:
            async with asyncio.timeout(TIMEOUT):
                for group, message in messages:
                    await layer.group_send(group, message)
        except Exception as error:  # whatever Redis does, a push is only a hint
            self.sick_until = time.monotonic() + SICK_SECONDS
            log.warning("push not possible for %d s: %r", SICK_SECONDS, error)
        finally:
            self.pending -= 1

    def drain(self) -> None:
        """At the end of the process: give the last messages a moment to leave."""
        ends = time.monotonic() + TIMEOUT
        while self.pending and time.monotonic() < ends:
            time.sleep(0.01)


_lock = threading.Lock()
_publisher: _Publisher | None = None


def publish(messages: list[tuple[str, dict[str, Any]]]) -> None:
    """Send (group, message) pairs to the channel layer, without waiting."""
    global _publisher
    with _lock:
        if _publisher is None or _publisher.pid != os.getpid():
            _publisher = _Publisher()
    _publisher.send(messages)


def table_group(code: str) -> str:
    """The group of everybody who looks at a table."""
    return f"table.{code}"


def user_group(user_id: int) -> str:
    """The group of one person's pages."""
    return f"user.{user_id}"


def session_mark(key: str) -> str:
    """What a message says of a session: enough to know one's own, nothing to log in with."""
    return sha256(key.encode()).hexdigest()


def announce(table: Table, user_ids: Iterable[int | None] = ()) -> None:
    """On commit: tell the table's pages its version, and these people's pages that their list of turns changed."""
    people = [user_id for user_id in user_ids if user_id]

    def send() -> None:
        messages: list[tuple[str, dict[str, Any]]] = [
            (table_group(table.code), {"type": "table.changed", "table": table.code, "version": table.version})
        ]
        messages += [(user_group(user_id), {"type": "turns.changed"}) for user_id in people]
        publish(messages)

    transaction.on_commit(send, robust=True)


@dataclass(frozen=True, slots=True)
class Painted:
    """A table as one reader may see it: who he is there, and the HTML of its live part ("" when he has this version)."""

    table: Table
    me: Seat | None
    version: int
    html: str
    glimpse: observe.Glimpse


def look(request: HttpRequest, code: str) -> tuple[observe.Glimpse, Seat | None]:
    """The table and the reader's seat there, in one query (two for whoever might sit down). Raises NotFound where he may
    not know of it."""
    glimpse = observe.glimpse(code)
    if glimpse is None:
        raise NotFound("no_table")
    player = request.player  # type: ignore[attr-defined]
    me = glimpse.seat_of(player.pk if player else None)
    if me is None:
        table = glimpse.table
        token = invitations.token_of(request.COOKIES, code)
        if not selectors.admits(table, False, token) and not selectors.is_invited(table, player):
            raise NotFound("no_table")
        if selectors.parted(table, player, (seat.user_id for seat in glimpse.seats)):
            raise NotFound("no_table")
    return glimpse, me


def paint(request: HttpRequest, code: str, *, known: int | None = None, **said: str | None) -> Painted:
    """The live part of a table for this reader. `known`: the version he has; then `html` is "" if nothing is newer.

    `said` may hold `error`, a sentence about what he just tried, `picked`, the move text he had chosen, and `chat_error`, why
    his message was refused. Raises NotFound.
    """
    glimpse, me = look(request, code)
    table = glimpse.table
    if known == table.version and said.get("error") is None:
        return Painted(table, me, table.version, "", glimpse)
    template = "games/live_playing.html" if glimpse.started else "games/live_waiting.html"
    context = fragment_context(request, glimpse, me)
    context.update(said)
    return Painted(table, me, table.version, render_to_string(template, context, request=request), glimpse)


def sees_as(table: Table, me: Seat | None) -> int | None:
    """The seat whose hand a reader sees, None for a spectator's view: that is all who has left a match sees of it while it
    runs, else he could tell the cards of his seat to somebody who plays on."""
    return None if me is None or (me.abandoned and not table.over) else me.number


def fragment_context(request: HttpRequest, glimpse: observe.Glimpse, me: Seat | None) -> dict[str, Any]:
    """What the live templates draw. Depends on version, language and seat only, so equal versions are equal bytes, save
    what a seated reader has folded, read or has for friends."""
    table = glimpse.table
    game = registry.get(table.game)
    names = [selectors.seat_name(seat) for seat in glimpse.seats]
    observation = glimpse.observation(sees_as(table, me))
    context: dict[str, Any] = {
        "table": table,
        "game": game,
        "me": me,
        "holder": None if sees_as(table, me) is None else me,
        "seats": glimpse.seats,
        "company": me is not None and any(seat.user_id not in {None, me.user_id} for seat in glimpse.seats),
        "names": names,
        "observation": observation,
        "version": table.version,
        "can": _allowed(request, glimpse, me),
        "account_offered": guests.is_offered(request.player, table.code),  # type: ignore[attr-defined]
        "sentence": game.sentence(table.options, table.seats_wanted),
    }
    player = request.player  # type: ignore[attr-defined]
    if me is not None and chat.may_read(me, player):
        context["chat"] = chat.read(table, me, player)
        context["talking"] = not table.over or chat.may_write(table, clocktime.now())
    if me is not None and table.status == Status.OPEN and player is not None:
        context["friends"] = selectors.friends_to_invite(table, player, glimpse.seats)
    if observation is not None:
        context.update(_playing_context(game, glimpse, me, names, observation))
    return context


def _playing_context(
    game: registry.Game, glimpse: observe.Glimpse, me: Seat | None, names: list[str], observation: dict[str, Any]
) -> dict[str, Any]:
    table = glimpse.table
    log_rows = sentences(table, glimpse.seats)
    acting = [seat for seat in glimpse.seats if seat.owes_move]
    on_turn = me if me and me.owes_move else (acting[0] if acting else None)
    won = [seat.number for seat in glimpse.seats if seat.place == 1 and seat.number is not None]
    sides = game.sides(table.options, table.seats_wanted)
    return {
        "board": game.display.board(observation, names),
        "sheet": game.display.sheet(observation, names),
        "log": log_rows,
        "log_cut": table.plies > selectors.LOG_SIZE,
        "since": _since_my_turn(log_rows, me) if me else [],
        "acting": acting,
        "turn_names": [names[seat.number] for seat in acting if seat.number is not None],
        "deadline": on_turn.deadline if on_turn and table.pace else None,
        "winners": [names[number] for number in won],
        "cases": _cases(glimpse, me, names),
        "tie": len({number % (sides or len(names)) for number in won}) > 1,
    }


def _since_my_turn(rows: list[dict[str, Any]], me: Seat) -> list[dict[str, Any]]:
    """What happened since my last turn; while one of mine goes on (I have drawn), since the turn before it."""
    plies = [row["ply"] for row in rows if row["seat"] == me.number and row["by"] in ("player", "clock")]
    latest = rows[-1]["ply"] if rows else 0
    while me.owes_move and plies and plies[-1] == latest:
        plies = [ply for ply in plies if ply < latest]
        latest = max((row["ply"] for row in rows if row["ply"] < latest), default=0)
    return [row for row in rows if row["ply"] > max(plies, default=0)]


def _cases(glimpse: observe.Glimpse, me: Seat | None, names: list[str]) -> list[dict[str, Any]]:
    """The open votes about players who left: whose, who may vote, how many have, until when, and whether I still may."""
    table, cases = glimpse.table, [seat for seat in glimpse.seats if seat.penalty == Penalty.OPEN]
    if not cases:
        return []
    voters = {seat.user_id: names[seat.number or 0] for seat in glimpse.seats if seat.user_id and not seat.abandoned}
    votes = set(AbandonVote.objects.filter(seat__in=cases).values_list("seat", "voter"))
    return [
        {
            "number": case.number,
            "name": names[case.number or 0],
            "voters": list(voters.values()),
            "voted": sum((case.pk, voter) in votes for voter in voters),
            "until": table.ended_at + VOTE_OPEN if table.ended_at else None,
            "mine": me is not None and me.user_id in voters and (case.pk, me.user_id) not in votes,
        }
        for case in cases
    ]


def sentences(table: Table, seats: list[Seat], limit: int | None = selectors.LOG_SIZE) -> list[dict[str, Any]]:
    """The log as people read it, oldest first: ply, seat, by, at, sentence and kind of event. `limit`: of so many last plies."""
    names = [selectors.seat_name(seat) for seat in seats]
    display = registry.get(table.game).display
    left = {seat.number: seat.abandoned_at for seat in seats if seat.abandoned_at}
    rows = selectors.log(table, limit)
    if left:
        # The rules do not know who has left: the table's own word about the winners stands.
        rows = [row for row in rows if row.event[0] != "match"]
    return [
        {"ply": row.ply, "seat": row.seat, "by": _decider(row, left), "at": row.at, "sentence": sentence, "kind": row.event[0]}
        for row in rows
        if (sentence := display.sentence(row.event, names))
    ]


def _decider(row: selectors.LogRow, left: Mapping[int | None, datetime]) -> str | None:
    """Who decided a move; "left" for the site in the place of somebody who has left for good."""
    return "left" if row.by == "clock" and row.seat in left and row.at >= left[row.seat] else row.by


def _allowed(request: HttpRequest, glimpse: observe.Glimpse, me: Seat | None) -> set[str]:
    """What this reader's buttons may offer; the services judge again."""
    table, player = glimpse.table, request.player  # type: ignore[attr-defined]
    can: set[str] = set()
    if table.status == Status.OPEN:
        full = len(glimpse.seats) >= table.seats_wanted
        if me is None and not full and not (table.competitive and (player is None or player.is_guest)):
            can.add("sit")
        if me is not None:
            can.add("leave")
        if player is not None and table.opener_id == player.pk:
            can.add("remove")
            if not table.competitive and not full:
                can.add("bots")
            if table.visibility == "link":
                can.add("revoke")
    elif table.status == Status.PLAYING and me is not None:
        if me.owes_move:
            can.add("play")
        can |= _ways_out(table, glimpse.seats, me)
    return can


def _ways_out(table: Table, seats: list[Seat], me: Seat) -> set[str]:
    """What somebody who sits at a running match may do beside playing."""
    if me.abandoned:
        return set()
    can = {"take_back"} if me.automatic else set()
    if sum(seat.user_id is not None and not seat.abandoned for seat in seats) == 1:
        return can | {"end_alone"}
    if table.stop_asked_at is None:
        return can | {"abandon", "ask_to_stop"}
    return can | {"abandon", "refuse_to_stop"} | ({"agree_to_stop"} if me.agreed_at is None else set())


def fragment(request: HttpRequest, table: Table) -> tuple[int, str]:
    """(version, HTML) of the live part, for the page that contains it."""
    painted = paint(request, table.code)
    return painted.version, painted.html
