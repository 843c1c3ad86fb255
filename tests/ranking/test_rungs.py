"""The histogram of XP: kept by triggers whoever writes, equal to a recount at any time, folded without a change of rank."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ranking import audit, rungs
from ranking.models import Rung, Standing
from ranking.tasks import fold_rungs

from .conftest import NOON

pytestmark = pytest.mark.django_db

HERE = ("cinq", "all")


def counted():
    """People by rung, whatever the number of rows."""
    total = Counter()
    for row in Rung.objects.all():
        total[row.ladder, row.period, row.xp] += row.people
    return Counter({key: n for key, n in total.items() if n})


def recount():
    return Counter(Standing.objects.values_list("ladder", "period", "xp"))


@pytest.fixture
def six(people):
    return people(6)


WRITES = st.lists(
    st.tuples(
        st.sampled_from(["add", "move", "shift", "drop", "fold"]), st.integers(0, 5), st.sampled_from([-20, 0, 10, 20, 40])
    ),
    max_size=25,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(WRITES)
def test_histogram_equals_a_recount_after_any_writes(six, steps):
    with transaction.atomic():
        for what, who, xp in steps:
            mine = Standing.objects.filter(user=six[who])
            if what == "add":
                Standing.objects.bulk_create(
                    [Standing(user=six[who], ladder="cinq", period="all", xp=xp, reached_at=NOON)], ignore_conflicts=True
                )
            elif what == "move":
                mine.update(xp=xp)
            elif what == "shift":
                Standing.objects.filter(xp__gte=xp).update(xp=xp + 10 * who, wins=who)
            elif what == "drop":
                mine.delete()
            else:
                rungs.fold()
                assert Rung.objects.count() == len(recount())
            assert counted() == recount()
            points = [row.xp for row in Standing.objects.all()]
            assert rungs.ranks(*HERE, points) == {xp: 1 + sum(other > xp for other in points) for xp in points}
            assert rungs.people(*HERE) == len(points)
        transaction.set_rollback(True)


def test_fold_leaves_one_row_a_rung_and_every_rank(standings):
    rng = random.Random(3)
    users = standings([rng.randrange(1, 6) * 10 for _ in range(60)])
    for user in users[:30]:
        Standing.objects.filter(user=user).update(xp=rng.randrange(1, 6) * 10)
    before = rungs.ranks(*HERE, range(0, 70, 10))
    assert Rung.objects.count() > len(recount())
    assert fold_rungs() > 0
    assert Rung.objects.count() == len(recount())
    assert not Rung.objects.filter(people__lte=0).exists()
    assert rungs.ranks(*HERE, range(0, 70, 10)) == before
    assert fold_rungs() == 0


def test_a_change_of_something_else_adds_no_row(standings):
    standings([10, 20])
    before = Rung.objects.count()
    Standing.objects.update(wins=3)
    assert Rung.objects.count() == before


def test_check_finds_a_wrong_count_and_rebuild_mends_it(standings, capsys):
    standings([10, 20, 20])
    Rung.objects.create(ladder="cinq", period="all", xp=20, people=2)
    Rung.objects.create(ladder="cinq", period="2020-01", xp=70, people=1)
    with pytest.raises(CommandError):
        call_command("standings", "--check")
    assert capsys.readouterr().out.splitlines() == [
        "rung cinq/2020-01 at 70 XP: 1 people, 0 standings",
        "rung cinq/all at 20 XP: 4 people, 2 standings",
    ]
    call_command("standings", "--rebuild")
    call_command("standings", "--check")
    assert counted() == recount()


def test_rungs_of_a_rolled_back_end_are_gone(alice, bob, match):
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        match([alice, bob], [1, 2])
        raise ZeroDivisionError
    assert not Rung.objects.exists()
    match([alice, bob], [1, 2])
    assert list(audit.differences()) == [] and list(rungs.differences()) == []


def test_triggers_come_back_with_the_next_migration(alice):
    rungs.remove()
    call_command("migrate", "ranking", verbosity=0)
    Standing.objects.create(user=alice, ladder="cinq", period="all", xp=30, reached_at=NOON)
    assert counted() == {("cinq", "all", 30): 1}
