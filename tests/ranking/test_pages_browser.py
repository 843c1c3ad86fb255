"""Leaderboard, profile and staff's panel in a browser: no CSP violation, nothing wider than a phone, accessible."""

from __future__ import annotations

import pytest

PHONE = {"width": 360, "height": 780}
DESK = {"width": 1280, "height": 900}

PLAYED = """
from allauth.mfa.models import Authenticator
from django.contrib.auth import get_user_model
from tests.playing import open_for, play_out
from games.cinq.models import CinqMove
people = get_user_model().objects
alice, bob = people.get(username="Alice"), people.get(username="Bob")
table = play_out(open_for(alice, bob, competitive=True))
play_out(open_for(alice, bob, competitive=True))
from datetime import datetime, timezone
from ranking import statistics
from ranking.models import Season, SeasonRow
statistics.count_fresh()
season = Season.objects.create(month="2026-01", closed_at=datetime(2026, 2, 1, tzinfo=timezone.utc))
SeasonRow.objects.create(season=season, ladder="all", place=1, rank=1, user=alice, xp=20, wins=1, played=1)
running = open_for(alice, bob, competitive=True)
chef = people.get(username="Admin")
Authenticator.objects.get_or_create(user=chef, type="totp", defaults={"data": {"secret": "JBSWY3DPEHPK3PXP"}})
move = CinqMove.objects.filter(table=table).first()
result = {"code": table.code, "alice": alice.pk, "table": table.pk, "running": running.pk, "move": move.pk}
"""


@pytest.fixture(scope="module")
def played(site):
    """A finished competitive match and a running one at the real site; the administrator has a second factor."""
    return site.run(PLAYED)


def too_wide(page) -> int:
    """By how many pixels the page is wider than the window."""
    return page.evaluate("document.documentElement.scrollWidth - window.innerWidth")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_leaderboard_and_profile(played, browser_page, axe, size, dark):
    page = browser_page("alice", size=size, dark=dark)
    board = "/leaderboard/"
    mine = f"/u/{played['alice']}/"
    others = ("/stats/cinq/", "/seasons/", "/seasons/2026-01/", "/lobby/")
    for path in (board, board + "?period=week&who=friends", board + "?period=2020-01", mine, mine + "cinq/", *others):
        page.goto(path)
        assert too_wide(page) <= 0, path
        assert axe(page) == [], path


def test_from_the_leaderboard_to_a_player_to_his_match(played, browser_page):
    page = browser_page("alice", js=False)
    page.goto("/leaderboard/")
    page.locator("tr.me a").click()
    page.wait_for_url(f"**/u/{played['alice']}/")
    page.locator(f"a[href='/t/{played['code']}/']").click()
    page.wait_for_url(f"**/t/{played['code']}/")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_panel(played, browser_page, size, dark):
    page = browser_page("admin", size=size, dark=dark)
    for path in (
        "/admin/",
        "/admin/games/table/",
        f"/admin/games/table/{played['table']}/change/",
        f"/admin/games/table/{played['running']}/change/",
        "/admin/games/seat/?q=alice",
        "/admin/cinq/cinqmove/",
        f"/admin/cinq/cinqmove/{played['move']}/change/",
        "/admin/games/tableevent/?since=7",
        "/admin/ranking/xpentry/",
        "/admin/ranking/standing/",
    ):
        page.goto(path)
        assert page.locator("#content h1").is_visible(), path
        if "/change/" not in path:
            assert too_wide(page) <= 0, path
