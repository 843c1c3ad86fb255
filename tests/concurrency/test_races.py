"""Real threads and processes on one turn: exactly one ply, whatever comes at once (reliability P3, P4)."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.conf import settings
from django.db import connection
from django.db.models import F

from accounts.models import User
from games import clocktime, errors, observe
from games.cinq.models import CinqMove
from games.models import By, ClockState, Seat, Status, Table
from games.services import clocks, moves, tables
from tests.playing import OPTIONS, legal, open_for, play_one, seat_to_act

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).resolve().parent.parent.parent
LONG = {"mode": "classique", "limite": 50}


def at_once(calls: list[Callable[[], Any]]) -> list[Any]:
    """Run every call in a thread of its own from one instant on; results, or the refusals raised."""
    gate = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        try:
            gate.wait(30)
            return call()
        except errors.Refused as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def posts(table: Table, seat: Seat, text: str, seen: int, requests: list[UUID]) -> Callable[[], Counter[str]]:
    """One thread's share of the posts, one after another."""

    def post() -> Counter[str]:
        ends: Counter[str] = Counter()
        for request in requests:
            try:
                played = moves.play(table.code, user=seat.user, text=text, seen=seen, request=request)
            except errors.Refused as refusal:
                ends[type(refusal).__name__] += 1
            else:
                ends["repeated" if played.repeated else "played"] += 1
        return ends

    return post


def test_a_thousand_posts_with_different_ids_one_is_accepted(alice: User, bob: User) -> None:
    table = open_for(alice, bob, options=LONG)
    seat = seat_to_act(table)
    shares = [[uuid4() for _ in range(125)] for _ in range(8)]
    text = legal(table, seat)[0]
    ends = sum(at_once([posts(table, seat, text, table.plies, share) for share in shares]), Counter())
    assert ends["played"] == 1
    assert sum(ends.values()) == 1000
    assert set(ends) <= {"played", "Stale", "NotYourTurn"}
    assert CinqMove.objects.filter(table=table, by=By.PLAYER).count() == 1
    assert observe.audit(Table.objects.get(pk=table.pk)) == []


def test_a_thousand_posts_with_one_id_one_move_a_thousand_answers(alice: User, bob: User) -> None:
    table = open_for(alice, bob, options=LONG)
    seat, request = seat_to_act(table), uuid4()
    text = legal(table, seat)[0]
    ends = sum(at_once([posts(table, seat, text, table.plies, [request] * 125) for _ in range(8)]), Counter())
    assert ends == {"played": 1, "repeated": 999}
    assert CinqMove.objects.filter(table=table, by=By.PLAYER).count() == 1


def processes(table: Table, seat: Seat, text: str, count: int, *fixed: str) -> list[dict[str, Any]]:
    """Four processes that post `count` times each from one instant on."""
    database = settings.DATABASES["default"]
    name = str(connection.settings_dict["NAME"])
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", "SITE_VAR": str(settings.SITE_VAR), "DEBUG": "1"}
    if connection.vendor == "sqlite":
        env["DATABASE_PATH"] = name
    else:
        before, _, after = env["DATABASE_URL"].partition("?")
        env["DATABASE_URL"] = f"{before.rpartition('/')[0]}/{name}" + (f"?{after}" if after else "")
    assert database["ENGINE"]
    command = [
        sys.executable,
        "-m",
        "tests.concurrency.poster",
        table.code,
        str(seat.user_id),
        text,
        str(table.plies),
        str(count),
    ]
    pipes = [
        subprocess.Popen([*command, *fixed], cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    time.sleep(3)
    for pipe in pipes:
        pipe.stdin.write("go\n")
        pipe.stdin.flush()
    return [json.loads(pipe.communicate(timeout=120)[0].splitlines()[-1]) for pipe in pipes]


@pytest.mark.slow
def test_four_processes_one_turn(alice: User, bob: User) -> None:
    table = open_for(alice, bob, options=LONG)
    seat = seat_to_act(table)
    results = processes(table, seat, legal(table, seat)[0], 100)
    ends = sum((Counter(result["ends"]) for result in results), Counter())
    assert ends["played"] == 1
    assert sum(ends.values()) == 400
    assert set(ends) <= {"played", "Stale", "NotYourTurn"}
    request = str(uuid4())
    table = Table.objects.get(pk=table.pk)
    seat = seat_to_act(table)
    results = processes(table, seat, legal(table, seat)[0], 100, request)
    ends = sum((Counter(result["ends"]) for result in results), Counter())
    assert ends == {"played": 1, "repeated": 399}
    assert {ply for result in results for ply in result["plies"]} == {table.plies + 1}


def overdue(table: Table) -> Seat:
    """Make the present turn due by rule; the seat as it is then."""
    seat = seat_to_act(table)
    shift = seat.deadline - clocktime.now() + timedelta(seconds=1)
    Seat.objects.filter(pk=seat.pk).update(
        deadline=F("deadline") - shift, owes_since=F("owes_since") - shift, strikes=0, automatic_since=None
    )
    return seat


@pytest.mark.slow
def test_move_and_sweep_in_the_same_instant_200_times(alice: User, bob: User, carla: User) -> None:
    ClockState.objects.create(pk=1, beat_at=clocktime.now(), swept_at=clocktime.now())
    table = open_for(alice, bob, carla, options=LONG)
    chance = random.Random(5)
    won: Counter[str] = Counter()
    for _ in range(200):
        seat = overdue(table)
        fresh = Table.objects.get(pk=table.pk)
        text = legal(fresh, seat)[0]
        jitter = chance.uniform(0, 0.03)  # the clock decides before it locks

        def player(fresh: Table = fresh, seat: Seat = seat, text: str = text, jitter: float = jitter) -> Any:
            time.sleep(jitter)
            return moves.play(table.code, user=seat.user, text=text, seen=fresh.plies, request=uuid4())

        def clock(seat: Seat = seat) -> Any:
            return moves.play_for_absent(table.code, seat.number or 0)

        mine, theirs = at_once([player, clock])
        decided = CinqMove.objects.filter(table=table, ply__gt=fresh.plies).exclude(by=By.FORCED)
        assert decided.count() == 1, "exactly one decision a turn"
        by = decided[0].by
        won[by] += 1
        if by == By.PLAYER:
            assert isinstance(mine, moves.Played)
            assert theirs is False
        else:
            assert isinstance(mine, errors.Stale | errors.NotYourTurn)
            assert mine.status == 409
    assert observe.audit(Table.objects.get(pk=table.pk)) == []
    assert won[By.PLAYER] and won[By.CLOCK], f"both must win sometimes: {won}"


def test_eight_sweeps_play_each_turn_once(alice: User, bob: User, carla: User) -> None:
    ClockState.objects.create(pk=1, beat_at=clocktime.now(), swept_at=clocktime.now())
    running = [open_for(alice, bob, carla, options=LONG) for _ in range(6)]
    for table in running:
        overdue(table)
    played = sum(at_once([clocks.sweep] * 8))
    assert played == 6
    for table in running:
        assert CinqMove.objects.filter(table=table, by=By.CLOCK).count() == 1


def test_ten_clicks_on_sit_are_one_seat(alice: User, bob: User) -> None:
    table = tables.open_table(user=alice, game="cinq", options=OPTIONS, seats=4, pace=86400)
    at_once([lambda: tables.sit(table.code, user=bob)] * 10)
    assert Seat.objects.filter(table=table, user=bob).count() == 1


def test_the_last_place_goes_to_one(alice: User, user_named: Callable[[str], User]) -> None:
    table = tables.open_table(user=alice, game="cinq", options=OPTIONS, seats=2, pace=86400)
    people = [user_named(f"Joueur{number}") for number in range(8)]
    ends = at_once([lambda person=person: tables.sit(table.code, user=person) for person in people])
    assert sum(isinstance(end, errors.Closed) for end in ends) == 7
    table = Table.objects.get(pk=table.pk)
    assert table.status == Status.PLAYING
    assert Seat.objects.filter(table=table).count() == 2
    assert observe.audit(table) == []


def test_two_browsers_take_back_and_play_at_once(alice: User, bob: User, carla: User) -> None:
    table = open_for(alice, bob, carla, options=LONG)
    seat = seat_to_act(table)
    Seat.objects.filter(pk=seat.pk).update(automatic_since=clocktime.now(), deadline=clocktime.now())
    text = legal(table, seat)[0]
    at_once(
        [
            lambda: clocks.take_back(table.code, user=seat.user),
            lambda: moves.play_for_absent(table.code, seat.number or 0),
            lambda: moves.play(table.code, user=seat.user, text=text, seen=table.plies, request=uuid4()),
        ]
    )
    assert CinqMove.objects.filter(table=table, ply__gt=table.plies).exclude(by=By.FORCED).count() == 1
    assert not Seat.objects.get(pk=seat.pk).automatic
    play_one(table)
    assert observe.audit(Table.objects.get(pk=table.pk)) == []
