"""Tokens, points and votes under real threads, on both databases: whatever comes at once, every audit ends at zero."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from django.db import connection, transaction

from accounts import wallet
from accounts.models import TokenEntry, TokenHold, Wallet
from games import errors
from games.models import AbandonVote, Penalty, Seat, Status, Table
from games.services import abandon, penalties, tables, voiding
from ranking import audit
from ranking.models import XPEntry
from tests.playing import OPTIONS, open_for

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _audits() -> Iterator[None]:
    yield
    assert list(audit.everything()) == []


def at_once(calls: list[Callable[[], Any]]) -> list[Any]:
    """Run every call in a thread of its own from one instant on; results, or the refusals raised."""
    gate = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        try:
            gate.wait(30)
            return call()
        except (errors.Refused, wallet.Short) as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def waiting(user, stake, seats=2) -> Table:
    how: Any = {"game": "cinq", "options": OPTIONS, "pace": 86400, "competitive": True}
    return tables.open_table(user=user, seats=seats, stake=stake, **how)


def staked(*people, stake=50) -> Table:
    return open_for(*people, competitive=True, stake=stake)


def test_the_last_token_is_spent_once_of_fifty(alice, people):
    hosts = people(50)
    with transaction.atomic():
        wallet.hold(alice.pk, 999, "elsewhere")
    open_ones = [waiting(host, 1, seats=3) for host in hosts]
    ends = at_once([lambda table=table: tables.sit(table.code, user=alice) for table in open_ones])
    assert sum(isinstance(end, Table) for end in ends) == 1
    assert {end.code for end in ends if not isinstance(end, Table)} == {"short"}
    assert tuple(wallet.balance(alice.pk)) == (0, 1000, 0)
    with transaction.atomic():
        wallet.release("elsewhere")


def test_pc_56_twenty_joins_of_which_one_can_be_paid(alice, people):
    with transaction.atomic():
        wallet.hold(alice.pk, 900, "elsewhere")
    open_ones = [waiting(host, 60, seats=3) for host in people(20)]
    ends = at_once([lambda table=table: tables.sit(table.code, user=alice) for table in open_ones])
    assert sum(isinstance(end, Table) for end in ends) == 1
    with transaction.atomic():
        wallet.release("elsewhere")


def test_sit_and_leave_in_loops(people):
    persons = people(6)
    open_ones = [waiting(persons[0], 300, seats=4), waiting(persons[1], 300, seats=4), waiting(persons[2], 400, seats=4)]

    def wander(person: Any, seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(15):
            table = chance.choice(open_ones)
            try:
                if chance.random() < 0.6:
                    tables.sit(table.code, user=person)
                else:
                    tables.leave(table.code, user=person)
            except errors.Refused:
                pass

    at_once([lambda person=person, seed=seed: wander(person, seed) for seed, person in enumerate(persons[3:] * 2)])
    assert min(Wallet.objects.exclude(name="house").values_list("balance", flat=True)) >= 0


def test_two_ends_at_once_pay_once(alice, bob):
    table = staked(alice, bob)
    at_once([lambda person=person: abandon.abandon(table.code, user=person) for person in (alice, bob) * 4])
    table.refresh_from_db()
    assert table.status == Status.FINISHED
    assert TokenEntry.objects.filter(ref=table.code, reason="pot", wallet__user__isnull=False).count() == 2
    assert sorted(wallet.balance(person.pk).free for person in (alice, bob)) == [950, 1050]


def test_end_and_cancellation_at_once(alice, bob, carla):
    for _ in range(5):
        table = staked(alice, bob, carla)
        abandon.abandon(table.code, user=carla)
        abandon.agree_to_stop(table.code, user=alice)
        code = table.code
        at_once([partial(abandon.agree_to_stop, code, user=bob), partial(abandon.abandon, code, user=alice)])
        table.refresh_from_db()
        assert table.over
    assert sum(wallet.balance(person.pk).free for person in (alice, bob, carla)) == 3000


def test_votes_and_the_end_at_once(alice, bob, carla, user_named):
    dora = user_named("Dora")
    for _ in range(4):
        table = staked(alice, bob, carla, dora, stake=10)
        abandon.abandon(table.code, user=dora)
        abandon.abandon(table.code, user=carla)
        number = Seat.objects.get(table=table, user=dora).number
        at_once(
            [
                *[partial(penalties.vote, table.code, user=alice, number=number, yes=True)] * 3,
                *[partial(penalties.vote, table.code, user=bob, number=number, yes=True)] * 3,
                partial(abandon.abandon, table.code, user=bob),
            ]
        )
        table.refresh_from_db()
        assert table.status == Status.FINISHED
        seat = Seat.objects.get(table=table, user=dora)
        # Alice alone stays: her yes is all it takes.
        assert seat.penalty == Penalty.APPLIED
        assert AbandonVote.objects.filter(seat=seat, voter=alice).count() == 1
        assert XPEntry.objects.filter(table=table, user=dora, reason="penalty").count() == 1


def test_ten_staked_matches_of_one_player_end_in_the_same_instant(alice, people):
    running = [(staked(alice, other, stake=20), other) for other in people(10)]
    at_once([lambda table=table, other=other: abandon.abandon(table.code, user=other) for table, other in running])
    assert tuple(wallet.balance(alice.pk)) == (1200, 0, 0)
    assert XPEntry.objects.filter(user=alice, delta=20).count() == 10


def test_the_same_people_against_each_other_in_every_order_end_at_once(people):
    four = people(4)
    orders = [four, four[::-1], [*four[2:], *four[:2]], [four[1], four[0], four[3], four[2]]] * 2
    running = [staked(*order, stake=10) for order in orders]
    for table in running:
        abandon.abandon(table.code, user=four[3])
        abandon.abandon(table.code, user=four[2])
    at_once([lambda table=table, n=n: abandon.abandon(table.code, user=four[n % 2]) for n, table in enumerate(running)])
    assert sum(wallet.balance(person.pk).free for person in four) == 4000
    assert not TokenHold.objects.exists()


def test_a_match_is_void_once(alice, bob):
    table = staked(alice, bob)
    abandon.abandon(table.code, user=bob)
    number = Seat.objects.get(table=table, user=bob).number
    at_once(
        [
            *[lambda: voiding.void(table.code)] * 4,
            lambda: penalties.vote(table.code, user=alice, number=number, yes=True),
        ]
    )
    assert [wallet.balance(person.pk).free for person in (alice, bob)] == [1000, 1000]


def test_first_touches_and_refills_at_once(alice, bob):
    at_once([lambda: wallet.balance(alice.pk)] * 5 + [lambda: wallet.refill(alice.pk)] * 5)
    assert TokenEntry.objects.filter(wallet__user=alice).count() == 1
    abandon.abandon(staked(alice, bob, stake=1000).code, user=alice)
    at_once([lambda: wallet.refill(alice.pk)] * 8)
    assert tuple(wallet.balance(alice.pk)) == (200, 0, 0)
    assert TokenEntry.objects.filter(wallet__user=alice, reason="refill").count() == 1


def test_the_audit_runs_while_matches_end(alice, people):
    running = [(staked(alice, other, stake=20), other) for other in people(6)]
    ends = [lambda table=table, other=other: abandon.abandon(table.code, user=other) for table, other in running]
    results = at_once([*ends, lambda: list(audit.everything()), lambda: list(audit.everything())])
    assert results[-1] == results[-2] == []
