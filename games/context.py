"""What the header of every page shows of one's tables: how many wait, and which comes next."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from games import selectors


def header(request: HttpRequest) -> dict[str, Any]:
    """`waiting_count` and `next_code` (None: nothing waits); read only if the template uses them, in one query."""
    player = getattr(request, "player", None)
    match = getattr(request, "resolver_match", None)
    here = match.kwargs.get("code", "") if match else ""

    def rows() -> list[str]:
        return [row.table.code for row in selectors.my_turns(player)]

    turns: Any = SimpleLazyObject(rows)

    def next_code() -> str | None:
        if not len(turns):
            return None
        return turns[(turns.index(here) + 1) % len(turns)] if here in turns else turns[0]

    return {"waiting_count": lambda: len(turns), "next_code": next_code}
