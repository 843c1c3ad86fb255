"""Only moves played at once: for whoever asked for it and for nobody else; they count as nobody's decision."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Notice, User
from games import observe, registry, selectors, terms, verify
from games.models import By, Seat, Status, Table
from games.services import clocks, moves
from tests.playing import legal, open_for, play_one, play_out, seat_to_act

pytestmark = pytest.mark.django_db
LONG = {"mode": "classique", "limite": 30}


def wants(*people: User) -> None:
    User.objects.filter(pk__in=[person.pk for person in people]).update(play_only_moves=True)


def rows_of(table: Table) -> Any:
    return apps.get_model(registry.get(table.game).move_model).objects.filter(table=table).order_by("ply")


def test_nobody_asked_and_nothing_is_played(alice: User, bob: User) -> None:
    table = play_out(open_for(alice, bob, options=LONG))
    assert not rows_of(table).filter(by=By.ONLY).exists()


@pytest.mark.parametrize("game", ["cinq", "six_fous", "cinq_rois", "cinquante_cinq", "cinq_en_ligne"])
def test_who_asked_never_waits_with_one_move_and_the_others_are_left_alone(
    game: str, alice: User, bob: User, carla: User
) -> None:
    wants(alice)
    people = (alice, bob, carla) if game == "six_fous" else (alice, bob)
    table = open_for(*people, game=game, options=LONG if game == "cinq" else {})
    single = dict.fromkeys((person.pk for person in people), 0)
    for _ in range(150):
        if Table.objects.get(pk=table.pk).status != Status.PLAYING:
            break
        seat = seat_to_act(table)
        single[seat.user_id] += len(legal(table, seat)) == 1
        play_one(table)
    hers = Seat.objects.get(table=table, user=alice)
    assert single[alice.pk] == 0
    only = rows_of(table).filter(by=By.ONLY)
    assert set(only.values_list("seat", flat=True)) <= {hers.number}
    assert not only.filter(request__isnull=False).exists()
    # Nobody decided these: they count for neither.
    assert sum(seat.own_moves for seat in table.seats.all()) == rows_of(table).filter(by=By.PLAYER).count()
    assert not table.seats.exclude(clock_moves=0).exists()
    assert observe.audit(Table.objects.get(pk=table.pk)) == []
    if game == "cinq":
        assert only.exists()
        assert single[bob.pk] > 0


def test_two_who_asked_play_a_chain_in_one_version(alice: User, bob: User) -> None:
    wants(alice, bob)
    table = open_for(alice, bob, options=LONG)
    longest = 0
    while Table.objects.get(pk=table.pk).status == Status.PLAYING:
        before = Table.objects.get(pk=table.pk)
        play_one(table)
        after = Table.objects.get(pk=table.pk)
        assert after.version == before.version + 1
        longest = max(longest, after.plies - before.plies)
        owing = Seat.objects.filter(table=table, owes_move=True).select_related("user")
        assert all(seat.user and len(legal(table, seat)) > 1 for seat in owing)
        # One notice for each turn that waits, none for those that were played at once.
        waiting = set(owing.values_list("user_id", flat=True))
        assert (
            set(Notice.objects.filter(table=table.code, kind="turn", sent_at=None).values_list("user_id", flat=True)) == waiting
        )
    assert longest > 2
    text = selectors.record(after)
    assert " only " in text
    assert list(verify.check(text))


def test_not_for_a_seat_that_the_site_plays(alice: User, bob: User) -> None:
    wants(alice)
    table = open_for(alice, bob, options=LONG)
    Seat.objects.filter(table=table, user=alice).update(automatic_since=table.started_at)
    for _ in range(40):
        seat = seat_to_act(table)
        if seat.user == alice:
            assert moves.play_for_absent(table.code, seat.number or 0)
        else:
            play_one(table)
    assert not rows_of(table).filter(by=By.ONLY, ply__gt=table.plies).exists()
    clocks.take_back(table.code, user=alice)


def test_it_costs_no_query(alice: User, bob: User) -> None:
    counts = []
    for people in ((), (alice, bob)):
        wants(*people)
        table = open_for(alice, bob, options=LONG)
        with CaptureQueriesContext(connection) as queries:
            play_one(table)
        counts.append(len(queries))
    assert counts[1] <= counts[0]


def test_the_log_says_so(alice: User, bob: User) -> None:
    assert terms.by_sentence("only")
    assert terms.by_sentence("only") != terms.by_sentence("forced")
