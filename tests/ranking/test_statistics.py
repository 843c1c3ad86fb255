"""Statistics are counted once a match, soon after its end, and come out the same when everything is counted anew."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from games import registry
from games.models import Table
from games.services.endings import table_finished
from ranking import profiles, statistics
from ranking.badges import Ply
from ranking.models import Badge, FreshMatch, GameTally, Played
from ranking.tasks import count_fresh
from tests.playing import open_for, play_out

from .conftest import NOON, make_match
from .test_races import at_once

pytestmark = pytest.mark.django_db


def finished(users, places, **fields):
    """A finished match whose end was announced."""
    table, results = make_match(users, places, **fields)
    with transaction.atomic():
        table_finished.send(sender=Table, table=table, results=results)
    return table


def tally(kind):
    return {row.key: (row.count, row.wins) for row in GameTally.objects.filter(game="cinq", kind=kind)}


def test_end_of_a_match_waits_to_be_counted_and_is_counted_once(alice, bob):
    table = finished([alice, bob], [1, 2], moves=[(9, 1), (8, 2)])
    assert FreshMatch.objects.get().table == table and not Played.objects.exists()
    assert count_fresh() == 1
    assert count_fresh() == 0
    assert list(Played.objects.order_by("seat").values_list("user", "place", "late", "players", "counts")) == [
        (alice.pk, 1, 1, 2, True),
        (bob.pk, 2, 2, 2, True),
    ]
    assert tally("seat") == {"2/0": (1, 1), "2/1": (1, 0)}
    assert tally("length") == {"10": (1, 0)}


def test_matches_alone_with_bots_count_for_nothing_and_guests_have_no_row(alice, guest):
    finished([alice, None], [1, 2], competitive=False)
    finished([alice, guest], [1, 2], competitive=False)
    count_fresh()
    assert list(Played.objects.values_list("user", "counts")) == [(alice.pk, False)]
    assert not FreshMatch.objects.exists()


def test_a_turn_begins_with_the_last_move_of_somebody_else():
    plies = [
        Ply(0, "player", NOON + timedelta(seconds=30), []),
        Ply(0, "player", NOON + timedelta(seconds=500), []),  # the second ply of one turn
        Ply(1, "forced", NOON + timedelta(seconds=500), []),
        Ply(0, "player", NOON + timedelta(seconds=510), []),
        Ply(1, "clock", NOON + timedelta(seconds=900), []),
        Ply(0, "player", NOON + timedelta(seconds=1000), []),
    ]
    seconds, turns = statistics.delays(plies, NOON)
    assert (dict(seconds), dict(turns)) == ({0: 30 + 10 + 100}, {0: 3})


def test_a_real_match_is_counted_and_proved(alice, bob, capsys):
    table = play_out(open_for(alice, bob, competitive=True, pace=86400))
    count_fresh()
    mine = Played.objects.get(user=alice)
    assert mine.turns > 0 and mine.players == 2
    assert sum(count for count, _wins in tally("ending").values()) == count_hands(table)
    call_command("statistics", "--check")
    assert capsys.readouterr().out == "The statistics agree with the matches.\n"


def count_hands(table):
    from games import selectors

    return sum(event[0] == "hand" for row in selectors.moves(table) for event in row.events)


def test_every_difference_is_found_and_rebuild_mends_what_may_change(alice, bob):
    for _ in range(3):
        finished([alice, bob], [1, 2])
    count_fresh()
    GameTally.objects.filter(kind="seat", key="2/0").update(wins=9)
    GameTally.objects.create(game="six_fous", kind="length", key="20", count=4)
    with pytest.raises(CommandError):
        call_command("statistics", "--check")
    call_command("statistics", "--rebuild")
    call_command("statistics", "--check")
    assert tally("seat")["2/0"] == (3, 3)


def test_the_ways_a_hand_ends_are_named():
    for game in registry.all_games():
        assert game.endings and all(str(label) for label in game.endings.values())
    cinq, fous, rois = (registry.get(key).ending for key in ("cinq", "six_fous", "cinq_rois"))
    assert cinq(["hand", 1, [], [], [[], ["5O"]], [0]]) == "out"
    assert cinq(["hand", 1, [], [], [["1O"], ["5O"]], [0]]) == "stuck"
    assert fous(["hand", 1, [], [], [], [["1O"], ["5O"]], [0, 1]]) == "level"
    assert rois(["hand", 1, [], [], [], []]) == "long" and rois(["hand", 1, [], [], [], [2]]) == "out"
    deals = registry.get("cinquante_cinq").ending
    assert [deals(event) for event in (["hand", 1, 0, 5, 1, []], ["hand", 1, 0, 5, 0, []], ["passed_out", 1])] == [
        "made", "failed", "passed",
    ]  # fmt: skip
    assert registry.get("cinq_en_ligne").ending(["match", "line", 0, [], []]) == "line"
    assert cinq(["played", 0, "5O"]) is None and deals(["deal", 1, 0]) is None


@pytest.mark.django_db(transaction=True)
def test_workers_at_once_count_each_match_once(people):
    users = people(4)
    for n in range(12):
        finished([users[n % 4], users[(n + 1) % 4]], [1, 2])
    at_once(*[lambda: statistics.count_fresh() and None] * 4)
    statistics.count_fresh()
    assert Played.objects.count() == 24
    assert tally("length") == {"10": (12, 0)}
    assert list(statistics.differences()) == []


# --- What a player's pages show ---------------------------------------------------------------------------------------


def test_sheet_of_a_player(alice, bob, carla, django_assert_max_num_queries):
    finished([alice, bob], [1, 2])
    finished([bob, alice], [1, 2], moves=[(10, 0), (6, 4)])
    finished([alice, bob, carla], [1, 2, 3])
    finished([alice, bob, carla], [1, 1, 3])
    count_fresh()
    with django_assert_max_num_queries(5):
        sheet = profiles.game_sheet(alice, "cinq")
    assert (sheet.matches, sheet.wins, sheet.streak, sheet.longest) == (4, 3, 2, 2)
    assert sheet.seat_rows == [(2, 1, 1, 1), (2, 2, 1, 0), (3, 1, 2, 2)]
    assert [row["xp"] for row in sheet.last] == [20, 30, 60, 90]
    assert sheet.cotes and sheet.points and len(sheet.last) == 4


def test_streaks_from_the_newest():
    assert profiles.streaks([]) == (0, 0)
    assert profiles.streaks([True, True, False, True, True, True]) == (2, 3)
    assert profiles.streaks([False, True]) == (0, 1)


def test_lines_of_a_profile_are_few_questions(alice, bob, match, django_assert_max_num_queries):
    match([alice, bob], [1, 2])
    finished([alice, bob], [2, 1], competitive=False)
    count_fresh()
    with django_assert_max_num_queries(4):
        lines = profiles.game_lines(alice)
    assert [(line.ladder, line.rank, line.standing.xp, line.matches, line.wins) for line in lines] == [
        ("all", 1, 20, 1, 0),
        ("cinq", 1, 20, 1, 0),
    ]


def test_pages_show_what_was_counted(client_of, alice, bob, settings, django_assert_max_num_queries):
    settings.RATE_LIMITS_ENABLED = False  # counted in the database where there is no Redis
    for places in ([1, 2], [1, 2], [2, 1]):
        finished([alice, bob], places)
    count_fresh()
    client = client_of(bob)
    client.get("/")  # notes the time of the visit
    for page in (f"/u/{alice.pk}/", f"/u/{alice.pk}/cinq/", f"/u/{alice.pk}/six_fous/", "/stats/cinq/", "/stats/six_fous/"):
        with django_assert_max_num_queries(15):  # five of them are the frame of every page
            html = client.get(page).content.decode()
        assert "<h1" in html
        assert 'style="' not in html
    html = client.get(f"/u/{alice.pk}/cinq/").content.decode()
    assert html.count('<svg class="chart"') == 3 and html.count("<desc id=") == 3
    assert "2 / 3" in html
    assert client.get("/stats/chess/").status_code == client.get(f"/u/{alice.pk}/chess/").status_code == 404


def test_guests_and_strangers_have_no_page(client, guest):
    assert client.get(f"/u/{guest.pk}/cinq/").status_code == 404
    assert client.get("/u/99999999999999999999/cinq/").status_code == 404


def test_first_victory_is_on_the_profile(client, alice, bob):
    finished([alice, bob], [1, 2])
    count_fresh()
    assert Badge.objects.get().badge == "win:cinq"
    assert "badges.svg#victory" in client.get(f"/u/{alice.pk}/").content.decode()
