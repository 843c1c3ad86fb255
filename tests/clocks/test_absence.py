"""Time-outs, automatic mode, taking back the hand, matches nobody attends (rules 7.2)."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.db.models import F

from accounts.models import User
from games import clocktime, errors, live
from games.cinq.models import CinqMove
from games.models import By, ClockState, Seat, Status, Table, TableEvent
from games.services import absence, clocks, moves
from tests.playing import legal, open_for, play_one, seat_to_act

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def make_due(table: Table, by: timedelta = timedelta(minutes=1)) -> None:
    """Move the present turn into the past as if its time had really passed: both `deadline` and `owes_since`."""
    for seat in Seat.objects.filter(table=table, owes_move=True):
        shift = seat.deadline - clocktime.now() + by
        Seat.objects.filter(pk=seat.pk).update(deadline=F("deadline") - shift, owes_since=F("owes_since") - shift)


def fresh(seat: Seat) -> Seat:
    return Seat.objects.get(pk=seat.pk)


def long_match(*people: User, **how: object) -> Table:
    return open_for(*people, options={"mode": "classique", "limite": 50}, **how)


def test_every_turn_gets_a_fresh_deadline(alice: User, bob: User, carla: User) -> None:
    table = long_match(alice, bob, carla, pace=172800)
    for _ in range(4):
        seat = seat_to_act(table)
        left = seat.deadline - clocktime.now()
        assert timedelta(hours=47, minutes=59) < left <= timedelta(hours=48)
        play_one(table)


def test_an_early_turn_is_not_played(alice: User, bob: User) -> None:
    table = long_match(alice, bob)
    assert clocks.sweep() == 0
    assert not moves.play_for_absent(table.code, seat_to_act(table).number or 0)
    assert Table.objects.get(pk=table.pk).plies == table.plies


def test_the_site_plays_for_whoever_is_late_and_says_so(alice: User, bob: User) -> None:
    table = long_match(alice, bob)
    seat = seat_to_act(table)
    make_due(table)
    assert clocks.sweep() == 1
    row = CinqMove.objects.get(table=table, by=By.CLOCK)
    assert (row.ply, row.seat) == (table.plies + 1, seat.number)
    assert (fresh(seat).strikes, fresh(seat).clock_moves, fresh(seat).automatic_since) == (1, 1, None)
    assert clocks.sweep() == 0, "the next one has his own time"


def test_two_absent_neighbours_each_have_their_own_deadline(alice: User, bob: User, carla: User) -> None:
    table = long_match(alice, bob, carla)
    make_due(table)
    assert clocks.sweep() == 1
    second = seat_to_act(table)
    assert second.deadline > clocktime.now() + timedelta(hours=23)
    make_due(table)
    assert clocks.sweep() == 1
    assert seat_to_act(table).deadline > clocktime.now() + timedelta(hours=23)


def late_twice(table: Table, seat: Seat) -> None:
    """Let this seat run out of time twice in a row; the others play."""
    while fresh(seat).strikes < 2:
        if seat_to_act(table).pk == seat.pk:
            make_due(table)
            clocks.sweep()
        else:
            play_one(table)


def test_after_two_in_a_row_the_seat_is_automatic(alice: User, bob: User, carla: User) -> None:
    table = long_match(alice, bob, carla)
    seat = seat_to_act(table)
    late_twice(table, seat)
    assert fresh(seat).automatic
    assert ["automatic", seat.number] in [event.event for event in TableEvent.objects.filter(table=table)]
    while not fresh(seat).owes_move:
        play_one(table)
    assert fresh(seat).deadline <= clocktime.now(), "no waiting any more"
    clocks.sweep()
    assert not fresh(seat).owes_move


def test_an_own_move_forgives_a_timeout_and_forced_ones_do_not(alice: User, bob: User, carla: User) -> None:
    table = long_match(alice, bob, carla)
    seat = seat_to_act(table)
    make_due(table)
    clocks.sweep()
    assert fresh(seat).strikes == 1
    while True:
        forced = CinqMove.objects.filter(table=table, seat=seat.number, by=By.FORCED).count()
        now = seat_to_act(table)
        play_one(table)
        if now.pk == seat.pk:
            break
        if CinqMove.objects.filter(table=table, seat=seat.number, by=By.FORCED).count() > forced:
            assert fresh(seat).strikes == 1
    assert fresh(seat).strikes == 0


def test_taking_back_the_hand(alice: User, bob: User, carla: User) -> None:
    table = long_match(alice, bob, carla)
    seat = seat_to_act(table)
    late_twice(table, seat)
    version = Table.objects.get(pk=table.pk).version
    clocks.take_back(table.code, user=fresh(seat).user)
    assert (fresh(seat).automatic, fresh(seat).strikes) == (False, 0)
    assert Table.objects.get(pk=table.pk).version == version + 1
    assert TableEvent.objects.filter(table=table).last().event == ["took_back", seat.number]
    while seat_to_act(table).pk != seat.pk:
        play_one(table)
    assert fresh(seat).deadline > clocktime.now() + timedelta(hours=23)
    clocks.take_back(table.code, user=fresh(seat).user)
    assert Table.objects.get(pk=table.pk).status == Status.PLAYING
    with pytest.raises(errors.Forbidden):
        clocks.take_back(table.code, user=User.objects.create(username="Zoé"))


def test_taking_back_while_on_turn_gives_a_fresh_deadline(alice: User, bob: User, carla: User) -> None:
    table = long_match(alice, bob, carla)
    seat = seat_to_act(table)
    late_twice(table, seat)
    while not fresh(seat).owes_move:
        play_one(table)
    clocks.take_back(table.code, user=seat.user)
    assert fresh(seat).deadline > clocktime.now() + timedelta(hours=23)
    assert clocks.sweep() == 0


def test_playing_oneself_ends_automatic_mode(alice: User, bob: User, carla: User) -> None:
    table = long_match(alice, bob, carla)
    seat = seat_to_act(table)
    late_twice(table, seat)
    while not fresh(seat).owes_move:
        play_one(table)
    moves.play(table.code, user=seat.user, text=legal(table, seat)[0], seen=Table.objects.get(pk=table.pk).plies, request=uuid4())
    assert not fresh(seat).automatic


def test_a_match_nobody_attends_is_cancelled(alice: User, bob: User) -> None:
    table = long_match(alice, bob, bots=1, competitive=False)
    for _ in range(60):
        if Table.objects.get(pk=table.pk).status != Status.PLAYING:
            break
        make_due(table)
        clocks.sweep()
    table = Table.objects.get(pk=table.pk)
    assert (table.status, table.end) == (Status.CANCELLED, "absent")
    assert not Seat.objects.filter(table=table, owes_move=True).exists()
    assert len(table.server_seed) == 64


def test_a_table_without_a_pace_waits_60_days_and_is_then_cancelled(alice: User, bob: User) -> None:
    table = long_match(alice, bob, pace=None)
    make_due(table, by=timedelta(hours=-1))
    assert clocks.sweep() == 0
    make_due(table)
    clocks.sweep()
    table = Table.objects.get(pk=table.pk)
    assert (table.status, table.end) == (Status.CANCELLED, "idle")
    assert not CinqMove.objects.filter(table=table, by=By.CLOCK).exists()


def test_a_bad_row_is_pushed_ahead_and_the_rest_go_on(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    bad, good = long_match(alice, bob), long_match(alice, bob)
    make_due(bad, by=timedelta(hours=1))
    make_due(good)
    whole = moves.play_for_absent

    def broken(code: str, number: int) -> bool:
        if code == bad.code:
            raise RuntimeError("a bug in one game")
        return whole(code, number)

    monkeypatch.setattr(moves, "play_for_absent", broken)
    assert clocks.sweep() == 1
    seat = seat_to_act(bad)
    assert timedelta(minutes=9) < seat.deadline - clocktime.now() <= timedelta(minutes=10)
    monkeypatch.setattr(moves, "play_for_absent", whole)
    Seat.objects.filter(pk=seat.pk).update(deadline=clocktime.now(), owes_since=F("owes_since") - timedelta(minutes=10))
    assert absence.due_by_rule(fresh(seat), bad, clocktime.now())
    assert clocks.sweep() == 1


def test_a_visit_plays_only_while_no_sweep_comes(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    table = long_match(alice, bob)
    seats = list(Seat.objects.filter(table=table))
    make_due(table)
    now = clocktime.now()
    ClockState.objects.create(pk=1, beat_at=now, swept_at=now)
    monkeypatch.setattr(clocks, "_asked_at", -1000.0)
    clocks.visit(table, list(Seat.objects.filter(table=table)))
    assert Table.objects.get(pk=table.pk).plies == table.plies
    ClockState.objects.update(swept_at=now - timedelta(seconds=61))
    monkeypatch.setattr(clocks, "_asked_at", -1000.0)
    clocks.visit(table, list(Seat.objects.filter(table=table)))
    assert Table.objects.get(pk=table.pk).plies > table.plies
    assert len(seats) == 2


def test_seats_that_are_due_have_an_index_of_their_own(db: None) -> None:
    """Which plan a small table gets is the planner's affair; the index must be there for the large one."""
    with connection.cursor() as cursor:
        there = connection.introspection.get_constraints(cursor, Seat._meta.db_table)
    assert {name: there[name]["columns"] for name in ("seat_due", "seat_owes")} == {
        "seat_due": ["deadline"],
        "seat_owes": ["user_id"],
    }


def test_announcements_are_versions_only(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: object
) -> None:
    sent: list[tuple[str, dict[str, object]]] = []
    monkeypatch.setattr(live, "publish", sent.extend)
    with django_capture_on_commit_callbacks(execute=True):
        table = long_match(alice, bob)
    with django_capture_on_commit_callbacks(execute=True):
        play_one(table)
    assert {group for group, _ in sent} >= {f"table.{table.code}"}
    for _group, message in sent:
        assert message["type"] in ("table.changed", "turns.changed")
        assert set(message) <= {"type", "table", "version"}
