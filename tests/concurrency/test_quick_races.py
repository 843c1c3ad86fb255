"""People who ask for a quick match in the same instant meet at one table."""

from __future__ import annotations

from collections import Counter

import pytest

from games import registry
from games.models import Seat, Status, Table
from games.services import quick, tables
from tests.concurrency.test_races import at_once
from tests.conftest import make_user

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("game", ["cinq", "cinq_en_ligne"])
def test_all_who_come_at_once_fill_tables_one_after_the_other(game):
    seats = registry.get(game).default_seats
    people = [make_user(f"Quick {n}") for n in range(2 * seats)]
    found = at_once([lambda user=user: quick.play_quick(user=user, game=game) for user in people])
    assert sorted(Counter(table.pk for table in found).values()) == [seats, seats]
    assert list(Table.objects.values_list("status", flat=True)) == [Status.PLAYING] * 2
    assert Seat.objects.count() == 2 * seats


def test_the_last_place_is_taken_once_and_the_others_meet_elsewhere(alice):
    seats = registry.get("cinq").default_seats
    table = tables.open_table(user=alice, game="cinq", options={}, seats=2, pace=86400, competitive=True)
    people = [make_user(f"Quick {n}") for n in range(3)]
    found = at_once([lambda user=user: quick.play_quick(user=user, game="cinq") for user in people])
    places = sorted(Counter(one.pk for one in found).values())
    assert places == [1, 2] and seats >= 2
    assert Seat.objects.filter(table=table).count() == 2
    assert Table.objects.count() == 2
