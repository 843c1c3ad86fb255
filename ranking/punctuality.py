"""Who plays in time: the share of somebody's last turns that he played himself, before the clock did."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from django.db.models import F, QuerySet, Window
from django.db.models.functions import RowNumber

from games.models import Seat

TURNS = 50
"""How many turns count, those of the newest matches first. Turns that leave no choice count for nothing."""


def share(user_id: int) -> float | None:
    """The share (0 to 1) of his last fifty turns that somebody played in time; None before his first one."""
    rows = _played().filter(user_id=user_id).order_by("-pk").values_list("own_moves", "clock_moves")[:TURNS]
    return _share(rows)


def shares(user_ids: Iterable[int]) -> dict[int, float]:
    """The same for many people at once, in one query; without those who never played."""
    nth = Window(RowNumber(), partition_by=F("user_id"), order_by=F("pk").desc())
    rows = _played().filter(user_id__in=set(user_ids)).annotate(nth=nth).filter(nth__lte=TURNS)
    seats: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for user_id, own, clock in rows.order_by("-pk").values_list("user_id", "own_moves", "clock_moves"):
        seats[user_id].append((own, clock))
    found = {user_id: _share(counts) for user_id, counts in seats.items()}
    return {user_id: share for user_id, share in found.items() if share is not None}


def _played() -> QuerySet[Seat]:
    return Seat.objects.annotate(turns=F("own_moves") + F("clock_moves")).filter(turns__gt=0)


def _share(seats: Iterable[tuple[int, int]]) -> float | None:
    """Of (own, clock) turns of each match, newest first. The match that goes beyond fifty counts by its share."""
    left, in_time = TURNS, 0.0
    for own, clock in seats:
        taken = min(left, own + clock)
        in_time += taken * own / (own + clock)
        left -= taken
        if not left:
            break
    return None if left == TURNS else in_time / (TURNS - left)
