"""A match taken back to an earlier ply of its hand (reliability P11): nothing erased, replay and verifier agree."""

from __future__ import annotations

import random
from datetime import timedelta
from uuid import uuid4

import pytest
from django.apps import apps

from games import clocktime, observe, registry, selectors, verify
from games.errors import Closed, MalformedMove, Over, Stale
from games.models import Seat, Table, TableEvent
from games.services import moves, oversight, tables
from tests import playing

pytestmark = pytest.mark.django_db

SHORT = {
    "cinq": {"mode": "classique", "limite": 5},
    "six_fous": {},
    "cinq_rois": {},
    "cinquante_cinq": {},
    "cinq_en_ligne": {},
}


def rows(table):
    return list(apps.get_model(registry.get(table.game).move_model).objects.filter(table=table).order_by("ply"))


@pytest.mark.parametrize("game", registry.GAMES)
def test_matches_with_rewinds_replay_and_verify(game, alice, bob, carla):
    people = (alice, bob, carla) if registry.get(game).seats[0] > 2 else (alice, bob)
    table = playing.open_for(*people, game=game, options=SHORT[game])
    chance = random.Random(game)
    back = 0
    for _ in range(60):
        table.refresh_from_db()
        if table.over:
            break
        if table.plies and chance.random() < 0.2:
            floor = oversight.rewind_floor(table.code)
            if floor < table.plies:
                target = chance.randrange(floor, table.plies)
                ply = oversight.rewind(table.code, target)
                row = rows(table)[ply - 1]
                assert (row.notation, row.by, row.events) == (f"rewind {target}", "staff", [["rewound", target]])
                back += 1
                continue
        playing.play_one(table, chance.choice(playing.legal(table, playing.seat_to_act(table))))
    assert back
    table.refresh_from_db()
    assert [row.ply for row in rows(table)] == list(range(1, table.plies + 1))
    assert observe.audit(table) == []
    if not table.over:
        oversight.call_off(table.code)
    table.refresh_from_db()
    assert list(verify.check(selectors.record(table)))
    assert "took the match back" not in selectors.record(table)


def test_the_state_of_the_target_is_back_and_the_turn_is_fresh(alice, bob):
    table = playing.open_for(alice, bob)
    for _ in range(6):
        playing.play_one(table)
    table.refresh_from_db()
    earlier = {row.ply: row for row in rows(table)}
    oversight.rewind(table.code, 3)
    now = Table.objects.get(pk=table.pk)
    after = rows(table)
    assert [row.notation for row in after[: table.plies]] == [earlier[row.ply].notation for row in after[: table.plies]]
    assert after[table.plies].state_hash == earlier[3].state_hash
    assert now.version > table.version
    for seat in Seat.objects.filter(table=table, owes_move=True):
        assert seat.deadline - clocktime.now() > timedelta(seconds=86000)


def test_a_form_painted_before_the_rewind_is_stale(alice, bob):
    table = playing.open_for(alice, bob)
    for _ in range(4):
        playing.play_one(table)
    table.refresh_from_db()
    oversight.rewind(table.code, 2)
    seat = playing.seat_to_act(table)
    text = playing.legal(table, seat)[0]
    with pytest.raises(Stale):
        moves.play(table.code, user=seat.user, text=text, seen=table.plies, request=uuid4())
    playing.play_one(table, text)


def test_nobody_rewinds_by_a_move(alice, bob):
    table = playing.open_for(alice, bob)
    playing.play_one(table)
    seat = playing.seat_to_act(table)
    table.refresh_from_db()
    with pytest.raises(MalformedMove):
        moves.play(table.code, user=seat.user, text="rewind 0", seen=table.plies, request=uuid4())


def test_no_rewind_behind_a_deal_ahead_or_of_a_match_that_is_over(alice, bob):
    table = playing.open_for(alice, bob, options={"mode": "classique", "limite": 30})
    while not (floor := oversight.rewind_floor(table.code)):
        playing.play_one(table)
    table.refresh_from_db()
    for target in (0, floor - 1, table.plies, table.plies + 5):
        with pytest.raises(Closed):
            oversight.rewind(table.code, target)
    oversight.call_off(table.code)
    with pytest.raises(Over):
        oversight.rewind(table.code, floor)
    with pytest.raises(Over):
        oversight.rewind_floor(table.code)


def test_a_bad_sweep_is_forgiven(alice, bob):
    table = playing.open_for(alice, bob)
    playing.play_one(table)
    table.refresh_from_db()
    start = table.plies
    clocktime.travel(timedelta(days=2))
    try:
        for _ in range(3):
            seat = playing.seat_to_act(table)
            moves.play_for_absent(table.code, seat.number)
            clocktime.travel(timedelta(days=2))
        table.refresh_from_db()
        assert Seat.objects.filter(table=table, clock_moves__gt=0).exists()
        oversight.rewind(table.code, start)
    finally:
        clocktime.travel(None)
    assert not Seat.objects.filter(table=table, clock_moves__gt=0).exists()
    assert not Seat.objects.filter(table=table, automatic_since__isnull=False).exists()
    assert not Seat.objects.filter(table=table, strikes__gt=0).exists()


def test_a_rewind_into_what_was_undone_counts_its_decisions_again(alice, bob, carla):
    table = playing.open_for(alice, bob, carla, game="six_fous", options={})
    counts = {}

    def note():
        table.refresh_from_db()
        seats = Seat.objects.filter(table=table).order_by("number")
        counts[table.plies] = list(seats.values_list("own_moves", "clock_moves"))

    note()
    for _ in range(4):
        playing.play_one(table)
        note()
    first = sorted(counts)
    oversight.rewind(table.code, first[1])
    note()
    assert counts[table.plies] == counts[first[1]]
    playing.play_one(table)
    oversight.rewind(table.code, first[-1])
    note()
    assert counts[table.plies] == counts[first[-1]]
    assert observe.audit(table) == []
    oversight.rewind(table.code, first[2])
    note()
    assert counts[table.plies] == counts[first[2]]
    assert [row.ply for row in observe.line(rows(table))] == [row.ply for row in rows(table) if row.ply <= first[2]]


def test_taking_back_a_fault_of_ours_leaves_the_real_timeouts(alice, bob):
    table = playing.open_for(alice, bob, game="cinq_rois", options={})
    seat = playing.seat_to_act(table)
    clocktime.travel(timedelta(days=2))
    try:
        moves.play_for_absent(table.code, seat.number)
    finally:
        clocktime.travel(None)
    real = Seat.objects.get(pk=seat.pk).clock_moves
    assert real == 2  # he drew and discarded
    while playing.seat_to_act(table).pk != seat.pk:
        playing.play_one(table)
    table.refresh_from_db()
    before = table.plies
    now = clocktime.now()
    Seat.objects.filter(pk=seat.pk).update(owes_since=now, deadline=now - timedelta(days=1))
    assert moves.play_for_absent(table.code, seat.number)
    assert Seat.objects.get(pk=seat.pk).clock_moves == real
    oversight.rewind(table.code, before)
    seat.refresh_from_db()
    assert seat.clock_moves == real


def test_bots_go_on_after_a_rewind(alice):
    table = playing.open_for(alice, bots=2)
    moves.play_waiting(table.code)
    playing.play_one(table)
    moves.play_waiting(table.code)
    table.refresh_from_db()
    floor = oversight.rewind_floor(table.code)
    oversight.rewind(table.code, floor)
    moves.play_waiting(table.code)
    assert playing.seat_to_act(table).user == alice
    assert observe.audit(Table.objects.get(pk=table.pk)) == []


def test_the_log_tells_the_players(alice, bob, client_of):
    table = playing.open_for(alice, bob)
    for _ in range(4):
        playing.play_one(table)
    oversight.rewind(table.code, 1)
    html = client_of(alice).get(f"/t/{table.code}/", headers={"accept-language": "en"}).content.decode()
    assert "The staff took the match back to the position after move 1." in html


def test_a_record_with_a_forged_rewind_is_refused(alice, bob):
    table = playing.open_for(alice, bob)
    for _ in range(4):
        playing.play_one(table)
    oversight.rewind(table.code, 1)
    oversight.call_off(table.code)
    table.refresh_from_db()
    text = selectors.record(table)
    assert list(verify.check(text))
    with pytest.raises(verify.Failed):
        list(verify.check(text.replace(" staff rewind 1", " player rewind 1")))
    with pytest.raises(verify.Failed):
        list(verify.check(text.replace(" staff rewind 1", " staff rewind 2")))


# --- the other doors ----------------------------------------------------------------------------------------------------


def test_extending_moves_every_deadline_and_tells(alice, bob):
    table = playing.open_for(alice, bob)
    seat = playing.seat_to_act(table)
    oversight.extend(table.code, timedelta(hours=6))
    later = Seat.objects.get(pk=seat.pk)
    assert later.deadline - seat.deadline == timedelta(hours=6)
    assert later.extension == seat.extension + 6 * 3600
    assert TableEvent.objects.filter(table=table, event=["prolonged", 21600]).exists()
    with pytest.raises(Closed):
        oversight.extend(table.code, timedelta(days=15))
    free = tables.open_table(user=alice, game="cinq", options={}, seats=2, pace=None)
    tables.sit(free.code, user=bob)
    with pytest.raises(Closed):
        oversight.extend(free.code, timedelta(hours=1))


def test_a_seat_handed_to_the_site_plays_and_can_be_taken_back(alice, bob):
    from games.services import clocks

    table = playing.open_for(alice, bob)
    seat = playing.seat_to_act(table)
    oversight.hand_to_site(table.code, seat.number)
    assert Seat.objects.get(pk=seat.pk).automatic
    with pytest.raises(Closed):
        oversight.hand_to_site(table.code, seat.number)
    clocks.take_back(table.code, user=seat.user)
    assert not Seat.objects.get(pk=seat.pk).automatic


def test_calling_off_frees_everybody(alice, bob):
    table = playing.open_for(alice, bob)
    oversight.call_off(table.code)
    table.refresh_from_db()
    assert (table.status, table.end) == ("cancelled", "staff")
    assert not Seat.objects.filter(table=table, owes_move=True).exists()
    with pytest.raises(Over):
        oversight.call_off(table.code)


# --- after a bad sweep --------------------------------------------------------------------------------------------------


def test_every_table_that_the_clock_played_is_taken_back_once(alice, bob, carla, capsys):
    from django.core.management import call_command

    hit = [playing.open_for(alice, bob), playing.open_for(bob, carla)]
    spared = playing.open_for(alice, carla)
    for table in (*hit, spared):
        playing.play_one(table)
    begun = clocktime.now()
    for table in hit:
        Seat.objects.filter(table=table, owes_move=True).update(deadline=begun - timedelta(minutes=1))
        moves.play_for_absent(table.code, playing.seat_to_act(table).number)
    plies = {table.pk: Table.objects.get(pk=table.pk).plies for table in (*hit, spared)}
    window = ("--between", begun.isoformat(), clocktime.now().isoformat())
    call_command("rewind", "--by", "clock", *window)
    assert "2 tables taken back, 0 not" in capsys.readouterr().out
    for table in hit:
        fresh = Table.objects.get(pk=table.pk)
        assert fresh.plies > plies[table.pk] and observe.audit(fresh) == []
    assert Table.objects.get(pk=spared.pk).plies == plies[spared.pk]
    call_command("rewind", "--by", "clock", *window)
    assert "0 tables taken back, 0 not" in capsys.readouterr().out


def test_the_command_leaves_a_hand_that_the_clock_did_not_touch(alice, bob, capsys):
    from django.core.management import call_command

    table = playing.open_for(alice, bob, options={"mode": "classique", "limite": 50})
    playing.play_one(table)
    begun = clocktime.now()
    Seat.objects.filter(table=table, owes_move=True).update(deadline=begun - timedelta(minutes=1))
    moves.play_for_absent(table.code, playing.seat_to_act(table).number)
    window = ("--between", begun.isoformat(), clocktime.now().isoformat())
    while not oversight.rewind_floor(table.code):
        playing.play_one(table)
    playing.play_one(table)
    plies = Table.objects.get(pk=table.pk).plies
    call_command("rewind", "--by", "clock", *window)
    assert "0 tables taken back, 0 not" in capsys.readouterr().out
    assert Table.objects.get(pk=table.pk).plies == plies


@pytest.mark.parametrize(
    "words", [["X"], ["--by", "clock"], ["--by", "clock", "--between", "yesterday", "now"], ["0000000000", "3"]]
)
def test_a_command_that_makes_no_sense_does_nothing(words, db):
    from django.core.management import CommandError, call_command

    with pytest.raises(CommandError):
        call_command("rewind", *words)
