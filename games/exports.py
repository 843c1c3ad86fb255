"""What games knows about a person, for the archive of his own data: his tables, the record of each, his messages.

The record of a running table is the one that anybody at it may read: without seed, hash or hidden notation.
"""

from __future__ import annotations

from collections.abc import Iterator

from accounts.exports import File, as_json
from accounts.models import User
from games import selectors
from games.models import ChatMessage, Seat


def tables_and_moves(user: User) -> Iterator[File]:
    """`tables.json` and a record a table."""
    seats = Seat.objects.filter(user=user).select_related("table").order_by("pk")
    yield "tables.json", as_json([_row(seat) for seat in seats.iterator(chunk_size=500)])
    for seat in seats.iterator(chunk_size=500):
        if seat.table.started_at is not None:
            yield f"records/{seat.table.code}.txt", selectors.record(seat.table)


def own_messages(user: User) -> Iterator[File]:
    """`messages.json`: what he has said himself at tables, and where."""
    mine = ChatMessage.objects.filter(user=user).order_by("pk").values("table__code", "at", "text")
    yield "messages.json", as_json([{"table": row["table__code"], "at": row["at"], "text": row["text"]} for row in mine])


def _row(seat: Seat) -> dict[str, object]:
    table = seat.table
    return {
        "table": table.code,
        "game": table.game,
        "options": table.options,
        "status": table.status,
        "competitive": table.competitive,
        "seat": seat.number,
        "sat_at": seat.sat_at,
        "client_seed": seat.client_seed,
        "started_at": table.started_at,
        "ended_at": table.ended_at,
        "place": seat.place,
        "score": seat.score,
        "own_moves": seat.own_moves,
        "clock_moves": seat.clock_moves,
    }
