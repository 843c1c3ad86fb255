"""Many matches of the same people that end in the same instant, with real threads on the database under test."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction

from ranking import audit, ledger, rungs
from ranking.boards import Board
from ranking.models import Standing, XPEntry

from .conftest import NOON, make_match

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
    assert list(rungs.differences()) == []


def test_rungs_are_folded_while_matches_end(people):
    users = people(12)
    ends = [end([users[n], users[n + 1], users[n - 1]], [1, 2, 3]) for n in range(10)]
    at_once(*ends[:4], *[lambda: rungs.fold() and None] * 3, *ends[4:])
    rungs.fold()
    assert list(audit.differences()) == []
    assert list(rungs.differences()) == []


def test_p22_a_walk_over_ten_thousand_shows_each_once_while_results_are_written(people):
    users = people(10_000)
    Standing.objects.bulk_create(
        Standing(user=user, ladder="cinq", period="all", xp=10 * (1 + n % 97), reached_at=NOON + timedelta(seconds=n % 13))
        for n, user in enumerate(users)
    )
    board, done = Board("cinq", "all"), threading.Event()
    winners = users[:40]
    opponents = users[40:80]
    climbers = {user.pk for user in [*winners, *opponents]}
    matches = [make_match([winner, opponent], [1, 2]) for winner, opponent in zip(winners, opponents, strict=True)]

    def play() -> None:
        try:
            for table, results in matches:
                with transaction.atomic():
                    ledger.record(table, results)
        finally:
            done.set()
            connection.close()

    writer = threading.Thread(target=play)
    writer.start()
    while True:
        finished = done.is_set()
        seen, ranks = walk(board)
        still = [pk for pk in seen if pk not in climbers]
        assert len(still) == len(set(still)) == 10_000 - len(climbers)
        assert ranks == sorted(ranks), "a rank never falls from one line to the next"
        if finished:
            break
    writer.join()
    assert len(seen) == len(set(seen)) == 10_000
    assert seen == list(board.rows.values_list("user_id", flat=True))
    assert list(rungs.differences()) == []


def walk(board: Board) -> tuple[list[int], list[int]]:
    """The ids and the ranks of everybody, page after page from the top."""
    page = board.page(size=500)
    rows = list(page.rows)
    while page.next:
        page = board.page(after=page.next, size=500)
        rows += page.rows
    return [row.standing.user_id for row in rows], [row.rank for row in rows]
