"""Ranks and pages of the leaderboard: ties share a rank on every page, pages by key cover everybody exactly once."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from ranking import selectors
from ranking.models import Standing
from ranking.selectors import Cursor
from ranking.templatetags.ranking_tags import signed

from .conftest import NOON

pytestmark = pytest.mark.django_db

ALL = ("cinq", "all")


def walk(size=50):
    """Every page from the top to the bottom."""
    page = selectors.page(*ALL, size=size)
    pages = [page]
    while page.next:
        page = selectors.page(*ALL, after=page.next, size=size)
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
        mine = selectors.position(users[place], *ALL)
        assert mine.rank == rank
        around = selectors.page_around(*ALL, mine.standing)
        assert next(row.rank for row in around.rows if row.standing.user_id == users[place].pk) == rank


def test_competition_ranks(standings):
    standings([50, 40, 40, 30, 30, 30, 10])
    assert [row.rank for row in selectors.page(*ALL).rows] == [1, 2, 2, 4, 4, 4, 7]


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
            up = selectors.page(*ALL, before=up.previous, size=size)
            seen = [row.standing.pk for row in up.rows if row.standing.pk not in seen] + seen
        assert seen == order
        assert up.previous is None


def test_page_around_me_shows_five_above(standings):
    users = standings([2000 - 10 * n for n in range(120)])
    page = selectors.page_around(*ALL, selectors.position(users[60], *ALL).standing, size=20)
    assert [row.rank for row in page.rows] == list(range(56, 76))
    assert page.previous and page.next
    first = selectors.page_around(*ALL, selectors.position(users[2], *ALL).standing, size=20)
    assert first.rows[0].rank == 1 and first.previous is None
    last = selectors.page_around(*ALL, selectors.position(users[119], *ALL).standing, size=20)
    assert last.rows[-1].rank == 120 and last.next is None


def test_page_above_the_second_row_is_the_top_page(standings):
    standings([50, 40, 30, 20])
    second = selectors.page(*ALL, size=2).rows[1].standing
    page = selectors.page(*ALL, before=Cursor.of(second), size=2)
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
    assert selectors.ranks("cinq", "all", []) == {}
    assert selectors.ranks("cinq", "all", [10]) == {10: 1}


def test_no_page_uses_offset_and_few_queries(standings, django_assert_num_queries):
    standings([10 * (n % 9) for n in range(1, 130)])
    middle = selectors.page(*ALL, size=50).next
    with django_assert_num_queries(4) as seen:  # the tie, the rest, the people above, the sizes of the ties
        selectors.page(*ALL, after=middle, size=50)
    assert not any("OFFSET" in query["sql"] for query in seen.captured_queries)


def test_game_and_months_are_ladders_of_their_own(alice, bob, match):
    match([alice, bob], [1, 2])
    match([bob, alice], [1, 2], at=NOON + timedelta(days=30))
    assert [row.standing.xp for row in selectors.page("all", "all").rows] == [30, 30]
    assert [row.standing.user for row in selectors.page("cinq", "2026-11").rows] == [alice, bob]
    assert [row.standing.user for row in selectors.page("cinq", "2026-12").rows] == [bob, alice]
    assert selectors.page("cinq", "2026-10").rows == []
    assert selectors.first_month("cinq") == "2026-11"
    assert selectors.first_month("nothing") is None


def test_among_equals_the_first_to_get_there_stands_higher(alice, bob, carla, match):
    match([carla, bob], [2, 1], at=NOON - timedelta(days=1))
    match([alice, bob], [2, 1])
    rows = selectors.page(*ALL).rows
    assert [row.standing.user for row in rows] == [bob, carla, alice]
    assert [row.rank for row in rows] == [1, 2, 2]


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
    assert selectors.matches_finished(alice) == 3
    last = selectors.last_matches(alice)
    assert [(row.table, row.place, row.players, row.xp) for row in last] == [(friendly, 2, 2, None), (public, 1, 2, 20)]
    assert last[1].opponents == ["Bob"]
    assert [(line.ladder, line.rank, line.standing.xp) for line in selectors.lines_of(alice)] == [("all", 1, 40), ("cinq", 1, 40)]
