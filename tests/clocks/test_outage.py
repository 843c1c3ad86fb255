"""Heartbeat and lost time (P9), the circuit breaker (P10)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import F

from accounts.models import User
from games import clocktime
from games.models import ClockState, Seat, Status, Table, TableEvent, UnforeseenTimeout
from games.services import clocks
from tests.clocks.test_absence import fresh, late_twice, long_match, make_due
from tests.playing import open_for, play_one, seat_to_act

pytestmark = pytest.mark.django_db


def went_down(minutes: float) -> None:
    """As if the last heartbeat had come so many minutes ago."""
    beat = clocktime.now() - timedelta(minutes=minutes)
    ClockState.objects.update_or_create(pk=1, defaults={"beat_at": beat, "swept_at": beat})


def left(seat: Seat) -> timedelta:
    return fresh(seat).deadline - clocktime.now()


def test_deadlines_in_the_hole_move_by_its_length_once(alice: User, bob: User) -> None:
    table = long_match(alice, bob)
    seat = seat_to_act(table)
    make_due(table, by=timedelta(minutes=100))
    went_down(180)
    assert clocks.sweep() == 0
    assert timedelta(minutes=79) < left(seat) < timedelta(minutes=81)
    assert fresh(seat).extension == pytest.approx(180 * 60, abs=2)
    assert clocks.sweep() == 0
    assert timedelta(minutes=79) < left(seat) < timedelta(minutes=81), "once"
    events = [event.event for event in TableEvent.objects.filter(table=table) if event.event[0] == "extended"]
    assert len(events) == 1
    make_due(table, by=timedelta(seconds=1))
    assert clocks.sweep() == 1, "after the new deadline the site plays"


def test_a_short_hole_gives_half_an_hour(alice: User, bob: User) -> None:
    table = long_match(alice, bob)
    make_due(table, by=timedelta(minutes=-20))
    went_down(5)
    clocks.sweep()
    assert timedelta(minutes=49) < left(seat_to_act(table)) < timedelta(minutes=51)


def test_what_fell_due_before_the_hole_or_long_after_it_stays(alice: User, bob: User) -> None:
    before, after = long_match(alice, bob), long_match(alice, bob)
    make_due(before, by=timedelta(minutes=20))
    make_due(after, by=timedelta(minutes=-40))
    went_down(10)
    assert clocks.sweep() == 1
    assert Table.objects.get(pk=before.pk).plies > before.plies
    assert timedelta(minutes=39) < left(seat_to_act(after)) < timedelta(minutes=41)


def test_gaps_of_a_minute_and_a_new_site_extend_nothing(alice: User, bob: User) -> None:
    table = long_match(alice, bob)
    make_due(table)
    went_down(0.9)
    assert clocks.sweep() == 1
    Seat.objects.filter(table=table).update(strikes=0)
    make_due(table)
    ClockState.objects.all().delete()
    assert clocks.sweep() == 1


def test_no_time_is_given_to_tables_without_a_pace_or_automatic_seats(alice: User, bob: User, carla: User) -> None:
    table = long_match(alice, bob, carla)
    seat = seat_to_act(table)
    late_twice(table, seat)
    while not fresh(seat).owes_move:
        play_one(table)
    went_down(10)
    assert clocks.sweep() >= 1, "automatic seats are played at once"
    assert not TableEvent.objects.filter(table=table, event__0="extended").exists()


def test_an_unreachable_site_beats_no_heart_and_costs_no_turn(alice: User, bob: User, settings: object) -> None:
    table = long_match(alice, bob)
    make_due(table)
    settings.CLOCK_PROBE_URL = "http://127.0.0.1:9"
    assert clocks.sweep() == 0
    assert not ClockState.objects.exists()
    assert Table.objects.get(pk=table.pk).plies == table.plies


def shifted(count: int, alice: User, bob: User) -> list[Table]:
    """Tables whose deadlines somebody moved two days back, and only those."""
    tables = [open_for(alice, bob, options={"mode": "classique", "limite": 50}) for _ in range(count)]
    Seat.objects.filter(owes_move=True).update(deadline=F("deadline") - timedelta(days=2))
    return tables


def test_a_runaway_clock_halts_itself(alice: User, bob: User, settings: object) -> None:
    settings.CLOCK_LIMIT_MINIMUM = 4
    tables = shifted(7, alice, bob)
    clocks.sweep()
    played = [table for table in tables if Table.objects.get(pk=table.pk).plies > table.plies]
    assert len(played) == 4 == UnforeseenTimeout.objects.count()
    assert clocks.halted()
    assert "unforeseen" in ClockState.objects.get(pk=1).reason
    assert not Seat.objects.filter(strikes__gt=0).exists(), "our fault costs nobody a strike"
    assert not Seat.objects.filter(clock_moves__gt=0).exists()
    assert clocks.sweep() == 0
    assert clocks.resume()
    assert not clocks.halted()
    assert not clocks.resume()


def test_a_turn_of_two_plies_is_one_fault_of_ours_and_costs_nothing(alice: User, bob: User) -> None:
    table = open_for(alice, bob, game="cinq_rois", options={})
    seat = seat_to_act(table)
    Seat.objects.filter(owes_move=True).update(deadline=F("deadline") - timedelta(days=2))
    assert clocks.sweep() == 1
    assert Table.objects.get(pk=table.pk).plies == table.plies + 2
    assert UnforeseenTimeout.objects.count() == 1
    assert (fresh(seat).clock_moves, fresh(seat).strikes) == (0, 0)


def test_bots_go_on_while_the_clock_is_halted(alice: User) -> None:
    now = clocktime.now()
    ClockState.objects.create(pk=1, beat_at=now, swept_at=now, halted_at=now, reason="test")
    table = open_for(alice, bots=3)
    clocks.sweep()
    assert seat_to_act(table).user == alice
    make_due(table)
    plies = Table.objects.get(pk=table.pk).plies
    assert clocks.sweep() == 0
    assert Table.objects.get(pk=table.pk).plies == plies
    assert Table.objects.get(pk=table.pk).status == Status.PLAYING


def test_foreseen_timeouts_never_halt_the_clock(alice: User, bob: User, settings: object) -> None:
    settings.CLOCK_LIMIT_MINIMUM = 1
    tables = [long_match(alice, bob) for _ in range(5)]
    for table in tables:
        make_due(table)
    assert clocks.sweep() == 5
    assert not clocks.halted()
