"""Leaving a running match: the seat, the end, the record; stopping together."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest

from accounts.models import User
from games import clocktime, errors, live, observe, selectors, verify
from games.models import By, Seat, Status, Table, TableEvent
from games.services import abandon, clocks, moves, tables
from games.services.running import move_model
from tests.playing import legal, open_for, play_one, play_out, seat_to_act

pytestmark = pytest.mark.django_db

LONG = {"mode": "classique", "limite": 500}


def seat(table: Table, user: User) -> Seat:
    return Seat.objects.get(table=table, user=user)


def fresh(table: Table) -> Table:
    return Table.objects.get(pk=table.pk)


def places(table: Table) -> dict[str, int | None]:
    return {str(row.user or row.bot): row.place for row in Seat.objects.filter(table=table).select_related("user")}


def verified(table: Table) -> list[str]:
    return list(verify.check(selectors.record(fresh(table))))


def test_of_two_the_other_wins_at_once_and_the_record_verifies(alice, bob):
    table = open_for(alice, bob)
    play_one(table)
    abandon.abandon(table.code, user=alice)
    table = fresh(table)
    assert (table.status, table.end) == (Status.FINISHED, "abandoned")
    assert places(table) == {"Alice": 2, "Bob": 1}
    assert seat(table, alice).abandoned
    assert not Seat.objects.filter(table=table, owes_move=True).exists()
    assert table.server_seed
    assert "result: agrees, given who has left" in verified(table)
    assert observe.audit(table) == []


def test_the_site_plays_the_seat_at_once_and_the_best_other_wins(alice, bob, carla):
    table = open_for(alice, bob, carla)
    while (mover := seat_to_act(table)).user != bob:
        play_one(table)
    abandon.abandon(table.code, user=bob)
    assert Seat.objects.get(pk=mover.pk).deadline <= clocktime.now()
    with pytest.raises(errors.Forbidden):
        moves.play(table.code, user=bob, text=legal(table, mover)[0], seen=fresh(table).plies, request=uuid4())
    with pytest.raises(errors.Forbidden):
        clocks.take_back(table.code, user=bob)
    assert moves.play_waiting(table.code) >= 1
    over = play_out(table)
    found = places(over)
    assert found.pop("Bob") == 3
    assert sorted(found.values()) in ([1, 2], [1, 1])
    totals = {row.user_id: row.score for row in Seat.objects.filter(table=over)}
    best = max(totals[alice.pk], totals[carla.pk])
    assert all((found[str(person)] == 1) == (totals[person.pk] == best) for person in (alice, carla))
    by = move_model("cinq")._default_manager.filter(
        table=over, seat=seat(over, bob).number, played_at__gt=seat(over, bob).abandoned_at
    )
    assert set(by.values_list("by", flat=True)) <= {By.CLOCK, By.FORCED}
    assert "result: agrees, given who has left" in verified(over)


def test_a_record_without_its_word_about_who_left_fails(alice, bob, carla):
    table = open_for(alice, bob, carla, options={"mode": "classique", "limite": 5})
    abandon.abandon(table.code, user=bob)
    text = selectors.record(play_out(table))
    without = "\n".join(line for line in text.split("\n") if not line.startswith("[Out"))
    with pytest.raises(verify.Failed):
        list(verify.check(without))
    number = seat(table, bob).number
    with pytest.raises(verify.Failed):
        list(verify.check(text.replace(f'[Out "{number}@', '[Out "9@')))


def test_with_bots_the_match_goes_on_while_a_person_is_there(alice, bob):
    table = open_for(alice, bob, bots=1)
    abandon.abandon(table.code, user=alice)
    assert fresh(table).status == Status.PLAYING
    abandon.abandon(table.code, user=bob)
    assert (fresh(table).status, fresh(table).end) == (Status.CANCELLED, "left")
    assert "result: none, the match was stopped before its end" in verified(table)


def test_partners(alice, bob, carla, user_named):
    dora = user_named("Dora")
    options = {"equipes": 2, "cible": 55}
    table = tables.open_table(user=alice, game="cinquante_cinq", options=options, seats=4, pace=86400, side=0)
    for person, side in ((bob, 1), (carla, 0), (dora, 1)):
        tables.sit(table.code, user=person, side=side)
    abandon.abandon(table.code, user=alice)
    assert fresh(table).status == Status.PLAYING
    abandon.abandon(table.code, user=carla)
    over = fresh(table)
    assert over.status == Status.FINISHED
    assert places(over) == {"Alice": 2, "Bob": 1, "Carla": 2, "Dora": 1}
    assert "result: agrees, given who has left" in verified(over)


def test_a_deserted_bot_cannot_win(alice, bob):
    table = tables.open_table(user=alice, game="cinquante_cinq", options={"equipes": 2}, seats=4, pace=86400, side=0)
    tables.sit(table.code, user=bob, side=1)
    tables.fill_with_bots(table.code, by=alice)
    abandon.abandon(table.code, user=alice)
    over = fresh(table)
    assert over.status == Status.FINISHED
    assert sorted(
        row.place for row in Seat.objects.filter(table=over) if (row.number or 0) % 2 == seat(over, bob).number % 2
    ) == [1, 1]
    assert "result: agrees, given who has left" in verified(over)


def test_twice_is_once_and_strangers_may_not(alice, bob, carla):
    table = open_for(alice, bob, bots=1)
    for _ in range(2):
        abandon.abandon(table.code, user=alice)
    assert TableEvent.objects.filter(table=table, event__0="abandoned").count() == 1
    with pytest.raises(errors.Forbidden):
        abandon.abandon(table.code, user=carla)
    waiting = tables.open_table(user=alice, game="cinq", options={}, seats=3, pace=86400)
    with pytest.raises(errors.Closed):
        abandon.abandon(waiting.code, user=alice)


def test_the_others_all_automatic_calls_the_match_off(alice, bob, carla):
    table = open_for(alice, bob, carla)
    Seat.objects.filter(table=table, user__in=[bob, carla]).update(automatic_since=clocktime.now())
    abandon.abandon(table.code, user=alice)
    assert (fresh(table).status, fresh(table).end) == (Status.CANCELLED, "absent")


def test_an_abandoned_seat_is_not_what_keeps_a_match_alive(alice, bob, carla):
    table = open_for(alice, bob, carla)
    abandon.abandon(table.code, user=alice)
    assert fresh(table).status == Status.PLAYING


def test_the_log_tells_who_left_and_who_won_not_what_the_rules_think(alice, bob, carla):
    table = open_for(alice, bob, carla)
    abandon.abandon(table.code, user=alice)
    over = play_out(table)
    rows = live.sentences(over, selectors.seats(over), limit=None)
    assert any(row["kind"] == "abandoned" and "Alice" in row["sentence"] for row in rows)
    assert not any(row["kind"] == "match" for row in rows)
    assert [row["kind"] for row in rows].count("winners") == 1
    assert all(
        row["by"] in ("left", "forced", None) for row in rows if row["seat"] == seat(over, alice).number and row["ply"] > 1
    )


# --- Stopping together ----------------------------------------------------------------------------------------------


def test_everybody_agrees_and_the_match_is_cancelled(alice, bob, carla):
    table = open_for(alice, bob, carla)
    abandon.agree_to_stop(table.code, user=alice)
    abandon.agree_to_stop(table.code, user=bob)
    assert fresh(table).status == Status.PLAYING
    abandon.agree_to_stop(table.code, user=carla)
    assert (fresh(table).status, fresh(table).end) == (Status.CANCELLED, "agreed")


def test_one_no_ends_the_proposal_and_a_new_one_starts_from_nothing(alice, bob, carla):
    table = open_for(alice, bob, carla)
    abandon.agree_to_stop(table.code, user=alice)
    abandon.agree_to_stop(table.code, user=bob)
    abandon.refuse_to_stop(table.code, user=carla)
    assert fresh(table).stop_asked_at is None
    abandon.agree_to_stop(table.code, user=carla)
    assert fresh(table).status == Status.PLAYING
    assert not seat(table, alice).agreed_at


def test_a_proposal_is_void_after_48_hours(alice, bob):
    table = open_for(alice, bob, pace=604800)
    try:
        abandon.agree_to_stop(table.code, user=alice)
        assert abandon.close_proposals() == 0
        clocktime.travel(timedelta(hours=48, seconds=1))
        assert abandon.close_proposals() == 1
        assert abandon.close_proposals() == 0
        abandon.agree_to_stop(table.code, user=bob)
        assert fresh(table).status == Status.PLAYING
        clocktime.travel(timedelta(hours=49))
        abandon.agree_to_stop(table.code, user=alice)  # too late for bob's: it is a new proposal
        assert fresh(table).status == Status.PLAYING
    finally:
        clocktime.travel(None)


def test_who_has_left_has_no_word_and_his_leaving_ends_the_proposal(alice, bob, carla):
    table = open_for(alice, bob, carla)
    abandon.agree_to_stop(table.code, user=alice)
    abandon.abandon(table.code, user=bob)
    assert fresh(table).stop_asked_at is None
    with pytest.raises(errors.Forbidden):
        abandon.agree_to_stop(table.code, user=bob)
    abandon.agree_to_stop(table.code, user=carla)
    abandon.agree_to_stop(table.code, user=alice)
    assert fresh(table).status == Status.CANCELLED
