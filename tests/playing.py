"""Tables and players for tests of anything that needs a running match: everything goes through the real services."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from accounts.models import User
from games import observe
from games.models import Seat, Status, Table
from games.services import moves, tables

OPTIONS = {"mode": "classique", "limite": 5}


def open_for(*people: User, game: str = "cinq", bots: int = 0, options: dict[str, Any] | None = None, **how: Any) -> Table:
    """A running table: the first person opens it, the others sit, bots fill the rest."""
    how = {"pace": 86400, **how}
    seats = len(people) + bots
    table = tables.open_table(user=people[0], game=game, options=OPTIONS if options is None else options, seats=seats, **how)
    for person in people[1:]:
        tables.sit(table.code, user=person, token=table.token)
    if bots:
        tables.fill_with_bots(table.code, by=people[0])
    return Table.objects.get(pk=table.pk)


def seat_to_act(table: Table) -> Seat:
    """The first seat that owes a move."""
    return Seat.objects.select_related("user").filter(table=table, owes_move=True).order_by("number")[0]


def legal(table: Table, seat: Seat) -> list[str]:
    """The texts that seat may play now."""
    glimpse = observe.glimpse(table.code)
    assert glimpse is not None
    observation = glimpse.observation(seat.number)
    assert observation is not None
    return list(observation["legal"])


def play_one(table: Table, text: str | None = None, request: Any = None) -> moves.Played:
    """One move of whoever is on turn: `text`, or the first legal one."""
    seat = seat_to_act(table)
    assert seat.user is not None
    plies = Table.objects.values_list("plies", flat=True).get(pk=table.pk)
    return moves.play(table.code, user=seat.user, text=text or legal(table, seat)[0], seen=plies, request=request or uuid4())


def play_out(table: Table) -> Table:
    """Play the first legal move for everybody until the match is over."""
    while (fresh := Table.objects.get(pk=table.pk)).status == Status.PLAYING:
        seat = seat_to_act(table)
        if seat.user is None or seat.automatic:
            moves.play_for_absent(table.code, seat.number or 0)
        else:
            play_one(table)
    return fresh
