"""Makers of matches and ledger rows for the tests of ranking."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

PARIS = ZoneInfo("Europe/Paris")
NOON = datetime(2026, 11, 10, 12, 0, tzinfo=PARIS)


def make_match(
    users: Sequence[Any],
    places: Sequence[int],
    *,
    at: datetime = NOON,
    moves: Sequence[tuple[int, int]] | None = None,
    **fields: Any,
) -> tuple[Any, list[Any]]:
    """A finished table of Cinq and the results its end announces. `moves`: (own, clock) of each seat; a None user is a bot."""
    from games.models import Seat, Status, Table
    from games.services.endings import Result

    fields = {"competitive": True, "counts": fields.get("competitive", True), "status": Status.FINISHED, "end": "played"} | fields
    table = Table.objects.create(
        game="cinq",
        rules_version=1,
        options={"mode": "classique", "limite": 30},
        seats_wanted=len(users),
        created_at=at,
        started_at=at,
        ended_at=at,
        **fields,
    )
    moves = moves or [(10, 0)] * len(users)
    results = []
    for number, (user, place, (own, clock)) in enumerate(zip(users, places, moves, strict=True)):
        seat = Seat.objects.create(
            table=table,
            joined=number,
            number=number,
            user=user,
            bot="" if user else f"Ada{number}",
            sat_at=at,
            place=place,
            score=0,
            own_moves=own,
            clock_moves=clock,
        )
        results.append(Result(number, seat.user_id, user is not None, place, 0, own, clock))
    return table, results


@pytest.fixture
def match(db: None) -> Callable[..., Any]:
    """`match([alice, bob], [1, 2])`: a finished competitive table whose points are written."""
    from ranking import ledger

    def make(users: Sequence[Any], places: Sequence[int], **fields: Any) -> Any:
        table, results = make_match(users, places, **fields)
        ledger.record(table, results)
        return table

    return make


@pytest.fixture
def people(db: None) -> Callable[[int], list[Any]]:
    """`people(62)`: so many registered players, made in two statements."""
    from django.contrib.auth import get_user_model

    def make(count: int) -> list[Any]:
        model = get_user_model()
        model.objects.bulk_create(model(username=f"Joueur {n:05}", password="!") for n in range(count))
        return list(model.objects.filter(username__startswith="Joueur ").order_by("username"))

    return make


@pytest.fixture
def standings(people: Callable[[int], list[Any]]) -> Callable[[Sequence[int]], list[Any]]:
    """`standings([100, 90, 90])`: one player for each number of XP, with an entry in the ledger; returns the players."""
    from games.models import Table
    from ranking import audit
    from ranking.models import XPEntry

    def make(points: Sequence[int]) -> list[Any]:
        users = people(len(points))
        table = Table.objects.create(
            game="cinq", rules_version=1, options={}, seats_wanted=2, created_at=NOON, ended_at=NOON, competitive=True
        )
        XPEntry.objects.bulk_create(
            XPEntry(user=user, table=table, game="cinq", delta=xp, reason="win", at=NOON)
            for user, xp in zip(users, points, strict=True)
        )
        list(audit.differences(rebuild=True))
        return users

    return make
