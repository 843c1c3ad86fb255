"""Many matches of the same people that end in the same instant, with real threads on the database under test."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import IntegrityError, connection, transaction

from ranking import audit, ledger
from ranking.models import Standing, XPEntry

from .conftest import make_match

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*calls: Callable[[], None]) -> None:
    """Run every call in a thread of its own, all from one instant on; the first error is raised."""
    gate = threading.Barrier(len(calls))

    def run(call: Callable[[], None]) -> None:
        try:
            gate.wait(20)
            with transaction.atomic():
                call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        for done in [pool.submit(run, call) for call in calls]:
            done.result(60)


def end(users, places, **fields) -> Callable[[], None]:
    table, results = make_match(users, places, **fields)
    return lambda: ledger.record(table, results) and None


def test_pc_55_ten_matches_of_one_player_end_at_once(alice, people):
    opponents = people(10)
    at_once(*(end([alice, other], [1, 2]) for other in opponents))
    assert XPEntry.objects.filter(user=alice).count() == 10
    mine = Standing.objects.get(user=alice, ladder="all", period="all")
    assert (mine.xp, mine.wins, mine.played) == (200, 10, 10)
    assert list(audit.differences()) == []


def test_the_same_people_in_every_order_wait_for_each_other_without_deadlock(people):
    four = people(4)
    orders = [four, four[::-1], [*four[2:], *four[:2]], [four[1], four[0], four[3], four[2]]] * 2
    at_once(*(end(order, [1, 2, 3, 4]) for order in orders))
    assert sum(XPEntry.objects.values_list("delta", flat=True)) == 8 * 70
    assert list(audit.differences()) == []


def test_two_ends_of_one_match_pay_once(alice, bob):
    table, results = make_match([alice, bob], [1, 2])
    refused = []

    def finish() -> None:
        try:
            with transaction.atomic():
                ledger.record(table, results)
        except IntegrityError:
            refused.append(1)

    at_once(*[finish] * 4)
    assert len(refused) == 3
    assert Standing.objects.get(user=alice, ladder="cinq", period="all").xp == 20
    assert list(audit.differences()) == []


def test_standings_are_rebuilt_while_matches_end(alice, people):
    opponents = people(6)
    ends = [end([other, alice], [1, 2]) for other in opponents]
    at_once(*ends[:3], *[lambda: list(audit.differences(rebuild=True)) and None] * 2, *ends[3:])
    assert Standing.objects.get(user=alice, ladder="all", period="all").xp == 60
    assert list(audit.differences()) == []
