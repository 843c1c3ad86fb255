"""Votes about people who abandoned: who may, when, and what it costs (rules 7.3)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from games import clocktime, errors
from games.models import AbandonVote, Penalty, Seat, Status, Table, TableEvent
from games.services import abandon, penalties
from ranking import audit
from ranking.models import Standing, XPEntry
from tests.playing import open_for, play_out

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _real_time() -> Iterator[None]:
    yield
    clocktime.travel(None)


def seat(table, user):
    return Seat.objects.get(table=table, user=user)


def say(table, user, about, yes=True):
    return penalties.vote(table.code, user=user, number=seat(table, about).number, yes=yes)


def points(user):
    return dict(XPEntry.objects.filter(user=user).values_list("reason", "delta"))


def total(user, game="cinq"):
    return Standing.objects.filter(user=user, ladder=game, period="all").values_list("xp", flat=True).first() or 0


def rich(user, other, matches=2):
    """Give somebody points to lose: matches that the other abandons at once."""
    for _ in range(matches):
        abandon.abandon(open_for(user, other, competitive=True).code, user=other)


def test_the_only_other_player_decides_after_the_end(alice, bob):
    rich(alice, bob)
    table = open_for(alice, bob, competitive=True)
    abandon.abandon(table.code, user=alice)
    assert seat(table, alice).penalty == Penalty.OPEN
    say(table, bob, alice)
    assert seat(table, alice).penalty == Penalty.APPLIED
    assert total(alice) == 2 * 20 - 20
    assert TableEvent.objects.filter(table=table, event__0="penalised").exists()
    assert list(audit.differences()) == []


def test_nobody_falls_below_zero_and_the_ledger_says_what_was_really_taken(alice, bob):
    table = open_for(alice, bob, competitive=True)
    abandon.abandon(table.code, user=alice)
    say(table, bob, alice)
    assert points(alice) == {"abandon": 0, "penalty": 0}
    assert total(alice) == 0
    assert list(audit.differences()) == []


def test_example_of_the_rules_two_of_three_penalise(alice, bob, carla, user_named):
    dora = user_named("Dora")
    rich(dora, alice, matches=1)
    table = open_for(alice, bob, carla, dora, competitive=True)
    abandon.abandon(table.code, user=dora)
    say(table, alice, dora)
    say(table, bob, dora)
    assert seat(table, dora).penalty == Penalty.OPEN  # voters are those who stay to the end
    play_out(table)
    assert seat(table, dora).penalty == Penalty.APPLIED
    assert XPEntry.objects.get(table=table, user=dora, reason="penalty").delta == -20
    assert total(dora) == 0


def test_one_of_two_is_not_more_than_half(alice, bob, carla):
    table = open_for(alice, bob, carla, competitive=True)
    abandon.abandon(table.code, user=carla)
    say(table, alice, carla)
    play_out(table)
    assert seat(table, carla).penalty == Penalty.OPEN
    say(table, bob, carla, yes=False)
    assert seat(table, carla).penalty == Penalty.DROPPED


def test_silence_is_no_after_48_hours(alice, bob):
    table = open_for(alice, bob, competitive=True)
    abandon.abandon(table.code, user=alice)
    assert penalties.close_votes() == 0
    clocktime.travel(timedelta(hours=48))
    with pytest.raises(errors.Closed):
        say(table, bob, alice)
    assert penalties.close_votes() == 1
    assert penalties.close_votes() == 0
    assert seat(table, alice).penalty == Penalty.DROPPED
    assert points(alice) == {"abandon": 0}


def test_the_vote_of_somebody_who_leaves_later_does_not_count(alice, bob, carla, user_named):
    dora = user_named("Dora")
    table = open_for(alice, bob, carla, dora, competitive=True)
    abandon.abandon(table.code, user=dora)
    say(table, carla, dora)
    say(table, alice, dora)
    abandon.abandon(table.code, user=carla)
    play_out(table)
    assert seat(table, dora).penalty == Penalty.OPEN  # one yes of two
    with pytest.raises(errors.Forbidden):
        say(table, carla, dora)
    say(table, bob, carla)
    say(table, alice, carla)
    assert seat(table, carla).penalty == Penalty.APPLIED


def test_a_vote_is_given_once(alice, bob, carla):
    table = open_for(alice, bob, carla, competitive=True)
    abandon.abandon(table.code, user=carla)
    say(table, bob, carla)
    say(table, bob, carla)
    with pytest.raises(errors.Closed):
        say(table, bob, carla, yes=False)
    assert AbandonVote.objects.count() == 1


def test_friendly_and_cancelled_matches_have_no_penalties(alice, bob, carla):
    friendly = open_for(alice, bob, carla)
    abandon.abandon(friendly.code, user=carla)
    with pytest.raises(errors.Closed):
        say(friendly, bob, carla)
    rated = open_for(alice, bob, carla, competitive=True)
    abandon.abandon(rated.code, user=carla)
    abandon.agree_to_stop(rated.code, user=alice)
    abandon.agree_to_stop(rated.code, user=bob)
    assert Table.objects.get(pk=rated.pk).status == Status.CANCELLED
    assert seat(rated, carla).penalty == Penalty.DROPPED
    assert not XPEntry.objects.exists()


def test_who_is_no_voter(alice, bob, carla, user_named):
    table = open_for(alice, bob, carla, competitive=True)
    abandon.abandon(table.code, user=carla)
    with pytest.raises(errors.Forbidden):
        say(table, user_named("Dora"), carla)
    with pytest.raises(errors.Forbidden):
        say(table, carla, carla)
    with pytest.raises(errors.Closed):
        say(table, alice, bob)


def test_the_page_shows_who_may_vote_and_how(client_of, alice, bob, carla):
    table = open_for(alice, bob, carla, competitive=True)
    abandon.abandon(table.code, user=carla)
    page = client_of(bob).get(table.get_absolute_url(), headers={"Accept-Language": "en"}).content.decode()
    assert "Penalise Carla for abandoning?" in page
    assert "may vote until 48 hours after the end" in page
    number = seat(table, carla).number
    address = f"{table.get_absolute_url()}vote/"
    assert client_of(bob).post(address, {"vote": f"{number}/perhaps"}).status_code == 422
    assert client_of(bob).post(address, {"vote": f"{number}/yes"}).status_code == 303
    page = client_of(bob).get(table.get_absolute_url(), headers={"Accept-Language": "en"}).content.decode()
    assert "1 vote so far" in page
    assert f'value="{number}/yes"' not in page
    assert client_of(bob).post(address, {"vote": f"{number}/no"}).status_code == 409
