"""Ratings are written with the end of a match, once, one after the other, and come out of their log to the last bit."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from games import esteem
from ranking import ratings
from ranking.models import Rating, RatingEntry

from .conftest import NOON, make_match
from .test_races import at_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def rated():
    """`rated([alice, bob], [1, 2])`: a finished match that is rated."""

    def end(users, places, **fields):
        table, results = make_match(users, places, **fields)
        with transaction.atomic():
            ratings.record(table, results)
        return table

    return end


def test_end_of_a_match_rates_its_people(alice, bob, rated):
    table = rated([alice, bob], [1, 2])
    mine, his = Rating.objects.get(user=alice), Rating.objects.get(user=bob)
    assert mine.mu > 25 > his.mu and mine.matches == his.matches == 1 and mine.game == "cinq"
    entries = list(RatingEntry.objects.order_by("user").values_list("user", "table", "side", "rank", "gone", "mu", "at"))
    assert entries == [(alice.pk, table.pk, 0, 1, False, mine.mu, NOON), (bob.pk, table.pk, 1, 2, False, his.mu, NOON)]


def test_friendly_uncounted_and_guest_matches_rate_nobody(alice, bob, guest, rated):
    rated([alice, bob], [1, 2], competitive=False)
    rated([alice, bob], [1, 2], counts=False, uncounted="same_address")
    rated([alice, guest], [1, 2])
    assert not Rating.objects.exists() and not RatingEntry.objects.exists()


def test_whoever_let_the_clock_play_is_last(alice, bob, rated):
    rated([alice, bob], [1, 2], moves=[(2, 8), (10, 0)])
    assert Rating.objects.get(user=alice).mu < 25 < Rating.objects.get(user=bob).mu
    assert RatingEntry.objects.get(user=alice).gone


def test_a_match_is_rated_once(alice, bob):
    table, results = make_match([alice, bob], [1, 2])
    ratings.record(table, results)
    before = list(Rating.objects.order_by("user").values())
    with pytest.raises(IntegrityError), transaction.atomic():
        ratings.record(table, results)
    assert list(Rating.objects.order_by("user").values()) == before


def test_rating_costs_few_queries(alice, bob, carla, django_assert_max_num_queries):
    table, results = make_match([alice, bob, carla], [1, 2, 3])
    with django_assert_max_num_queries(5):
        ratings.record(table, results)


def test_replay_finds_every_number_and_rebuild_puts_them_right(people, rated, capsys):
    rng, users = random.Random(8), people(7)
    for n in range(25):
        sitting = rng.sample(users, rng.randrange(2, 5))
        rated(sitting, [rng.randrange(1, 4) for _ in sitting], at=NOON - timedelta(hours=n))
    call_command("ratings", "--check")
    before = sorted(Rating.objects.values_list("user", "game", "mu", "sigma", "matches"))
    Rating.objects.filter(user=users[0]).update(mu=31)
    Rating.objects.filter(user=users[1]).delete()
    Rating.objects.filter(user=users[2]).update(game="six_fous")
    with pytest.raises(CommandError):
        call_command("ratings", "--check")
    assert len(capsys.readouterr().out.splitlines()) == 1 + 4
    call_command("ratings", "--rebuild")
    call_command("ratings", "--check")
    assert sorted(Rating.objects.values_list("user", "game", "mu", "sigma", "matches")) == before


def test_an_entry_that_does_not_follow_from_the_log_is_found(alice, bob, carla, rated):
    rated([alice, bob], [1, 2])
    table = rated([bob, carla], [1, 2])
    (mine, _his) = RatingEntry.objects.filter(table=table).order_by("user")
    false_start, _ = make_match([alice, bob], [1, 2])
    RatingEntry.objects.create(
        user=alice, table=false_start, game="cinq", side=0, rank=1, mu=mine.mu + 5, sigma=mine.sigma, at=NOON
    )
    assert [str(row).split(":")[0] for row in ratings.differences()] == [
        f"entry of user {alice.pk}, table {false_start.pk}",
        f"rating of user {alice.pk}, cinq",
    ]


def test_the_lobby_is_told_the_cotes_it_asks_for(alice, bob, carla, rated, django_assert_num_queries):
    rated([alice, bob], [1, 2])
    with django_assert_num_queries(1):
        cotes = esteem.source.cotes([(alice.pk, "cinq"), (bob.pk, "six_fous"), (carla.pk, "cinq")])
    assert list(cotes) == [(alice.pk, "cinq")]
    assert cotes[alice.pk, "cinq"].points > 1500 and cotes[alice.pk, "cinq"].margin < 420
    assert esteem.source.cotes([]) == {}


@pytest.mark.django_db(transaction=True)
def test_pc_55_ten_ends_at_once_overwrite_nothing(alice, people):
    opponents = people(10)
    matches = [make_match([alice, other] if n % 2 else [other, alice], [1, 2]) for n, other in enumerate(opponents)]
    at_once(*(lambda match=match: ratings.record(*match) for match in matches))
    assert Rating.objects.get(user=alice).matches == 10
    assert list(ratings.differences()) == []
