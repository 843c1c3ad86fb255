"""Ranks and pages of the leaderboard: ties share a rank on every page, pages by key cover everybody exactly once."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from accounts import ties
from ranking import boards, rungs, selectors
from ranking.boards import Board, Cursor
from ranking.models import Standing
from ranking.templatetags.ranking_tags import signed

from .conftest import NOON

pytestmark = pytest.mark.django_db

ALL = Board("cinq", "all")


def walk(size=50):
    """Every page from the top to the bottom."""
    page = ALL.page(size=size)
    pages = [page]
    while page.next:
        page = ALL.page(after=page.next, size=size)
        pages.append(page)
    return pages


def test_pc_53_everybody_with_equal_points_has_one_rank_on_every_page(standings):
    standings([100, *[90] * 61, 80])
    pages = walk(size=50)
    assert [len(page.rows) for page in pages] == [50, 13]
    assert [row.rank for row in pages[0].rows] == [1, *[2] * 49]
    assert [row.rank for row in pages[1].rows] == [*[2] * 12, 63]


def test_pc_53_my_position_equals_the_list(standings):
    users = standings([100, *[90] * 61, 80])
    for place, rank in ((0, 1), (1, 2), (30, 2), (61, 2), (62, 63)):
        mine = ALL.position(users[place])
        assert mine.rank == rank
        around = ALL.page_around(mine.standing)
        assert next(row.rank for row in around.rows if row.standing.user_id == users[place].pk) == rank


def test_competition_ranks(standings):
    standings([50, 40, 40, 30, 30, 30, 10])
    assert [row.rank for row in ALL.page().rows] == [1, 2, 2, 4, 4, 4, 7]


def test_pages_cover_everybody_once_in_the_total_order_down_and_up(standings):
    rng = random.Random(5)
    standings([rng.randrange(1, 6) * 10 for _ in range(83)])
    for standing in Standing.objects.all():
        Standing.objects.filter(pk=standing.pk).update(reached_at=NOON + timedelta(seconds=rng.randrange(6)))
    order = list(
        Standing.objects.filter(ladder="cinq", period="all").order_by("-xp", "reached_at", "id").values_list("pk", flat=True)
    )
    for size in (1, 7, 50, 83, 100):
        pages = walk(size)
        assert [row.standing.pk for page in pages for row in page.rows] == order
        up = pages[-1]
        seen = [row.standing.pk for row in up.rows]
        while up.previous:
            up = ALL.page(before=up.previous, size=size)
            seen = [row.standing.pk for row in up.rows if row.standing.pk not in seen] + seen
        assert seen == order
        assert up.previous is None


def test_my_position_shows_five_above_and_five_below(standings):
    users = standings([2000 - 10 * n for n in range(120)])

    def around(place):
        return ALL.page_around(ALL.position(users[place]).standing)

    page = around(60)
    assert [row.rank for row in page.rows] == list(range(56, 67))
    assert page.previous and page.next
    assert [row.rank for row in around(2).rows] == list(range(1, 9))
    assert around(5).previous is None and around(6).previous
    assert [row.rank for row in around(119).rows] == list(range(115, 121))
    assert around(114).next is None and around(113).next


def test_page_above_the_second_row_is_the_top_page(standings):
    standings([50, 40, 30, 20])
    second = ALL.page(size=2).rows[1].standing
    page = ALL.page(before=Cursor.of(second), size=2)
    assert [row.rank for row in page.rows] == [1, 2]
    assert page.previous is None


def test_cursor_is_read_as_written(standings):
    standings([50])
    place = Cursor.of(Standing.objects.filter(ladder="cinq", period="all").get())
    assert Cursor.parse(str(place)) == place
    for bad in ("", "1", "1_2", "1_2_3_4", "a_1_1", "1_-1_1", "1" * 10 + "_1_1", "1_1_" + "1" * 19, "1_99999999999999999_1"):
        with pytest.raises(ValueError):
            Cursor.parse(bad)


def test_ranks_of_nobody():
    assert rungs.ranks("cinq", "all", []) == {}
    assert rungs.ranks("cinq", "all", [10]) == {10: 1}


def test_no_page_uses_offset_and_few_queries(standings, django_assert_num_queries):
    standings([10 * (n % 9) for n in range(1, 130)])
    middle = ALL.page(size=50).next
    with django_assert_num_queries(4) as seen:  # the tie, the rest, the people above, the sizes of the ties
        ALL.page(after=middle, size=50)
    assert not any("OFFSET" in query["sql"] for query in seen.captured_queries)


def test_game_and_months_are_ladders_of_their_own(alice, bob, match):
    match([alice, bob], [1, 2])
    match([bob, alice], [1, 2], at=NOON + timedelta(days=30))
    assert [row.standing.xp for row in Board("all", "all").page().rows] == [30, 30]
    assert [row.standing.user for row in Board("cinq", "2026-11").page().rows] == [alice, bob]
    assert [row.standing.user for row in Board("cinq", "2026-12").page().rows] == [bob, alice]
    assert Board("cinq", "2026-10").page().rows == []
    assert boards.first_period("cinq", "month") == "2026-11"
    assert boards.first_period("nothing", "week") is None


def test_among_equals_the_first_to_get_there_stands_higher(alice, bob, carla, match):
    match([carla, bob], [2, 1], at=NOON - timedelta(days=1))
    match([alice, bob], [2, 1])
    rows = ALL.page().rows
    assert [row.standing.user for row in rows] == [bob, carla, alice]
    assert [row.rank for row in rows] == [1, 2, 2]


# --- friends only ---------------------------------------------------------------------------------------------------


def befriend(one, other):
    ties.ask(one, other)
    ties.accept(other, one.pk)


def test_friends_have_their_own_ranks(client_of, standings, django_assert_max_num_queries):
    users = standings([100, 90, 90, 80, 70, 70, 60])
    me = users[5]
    for friend in (users[1], users[2], users[4]):
        befriend(me, friend)
    board = Board("cinq", "all", ties.friends_of(me.pk) | {me.pk})
    assert [(row.rank, row.standing.xp) for row in board.page().rows] == [(1, 90), (1, 90), (3, 70), (3, 70)]
    assert (board.position(me).rank, board.people()) == (3, 4)
    client = client_of(me)
    client.get("/")
    with django_assert_max_num_queries(12):
        html = client.get("/leaderboard/?game=cinq&who=friends").content.decode()
    assert users[1].username in html and users[0].username not in html
    assert client_of(None).get("/leaderboard/?game=cinq&who=friends").content.decode().count("<tr") == 8


def test_friends_are_walked_page_by_page(standings):
    users = standings([10 * (n % 7) for n in range(40)])
    board = Board("cinq", "all", frozenset(user.pk for user in users[::2]))
    first = board.page(size=9)
    second = board.page(after=first.next, size=9)
    third = board.page(after=second.next, size=9)
    seen = [row.standing.user_id for page in (first, second, third) for row in page.rows]
    assert third.next is None and sorted(seen) == sorted(board.rows.values_list("user_id", flat=True))


# --- what a match paid ------------------------------------------------------------------------------------------------


def test_awards_of_a_match_are_explained(alice, bob, carla, match):
    table = match([alice, bob, carla], [2, 1, 3], moves=[(9, 1), (8, 2), (2, 8)])
    assert [(row.name, row.xp) for row in selectors.awards_of(table)] == [("Bob", 30), ("Alice", 10), ("Carla", 0)]
    sentences = [row.sentence for row in selectors.awards_of(table)]
    assert len(set(sentences)) == 3 and all(sentences)
    assert selectors.awards_note(table) == ""


def test_awards_are_written_as_the_language_writes_them(alice, bob, match):
    """French has a space before its colon; a loss has a real minus."""
    table = match([alice, bob], [1, 2])
    with translation.override("fr"):
        html = render_to_string("ranking/awards.html", {"rows": selectors.awards_of(table), "note": ""})
    assert "<bdi>Alice</bdi>\u00a0: <b>+20 XP</b>" in html
    assert [signed(number) for number in (30, 0, -20)] == ["+30", "0", "−20"]


def test_friendly_cancelled_and_running_tables_pay_nothing(alice, bob, match):
    friendly = match([alice, bob], [1, 2], competitive=False)
    assert selectors.awards_of(friendly) == [] and selectors.awards_note(friendly)
    friendly.competitive, friendly.status = True, "cancelled"
    assert selectors.awards_of(friendly) == [] and selectors.awards_note(friendly)
    friendly.status = "playing"
    assert selectors.awards_of(friendly) == [] and selectors.awards_note(friendly) == ""


# --- profiles ---------------------------------------------------------------------------------------------------------


def test_profile_counts_public_matches_only_in_the_list(alice, bob, match):
    public = match([alice, bob], [1, 2])
    match([alice, bob], [1, 2], visibility="link")
    friendly = match([alice, None], [2, 1], competitive=False, at=NOON + timedelta(hours=1))
    last = selectors.last_matches(alice)
    assert [(row.table, row.place, row.players, row.xp) for row in last] == [(friendly, 2, 2, None), (public, 1, 2, 20)]
    assert last[1].opponents == ["Bob"]
