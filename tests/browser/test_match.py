"""The main job in real browsers: three people, one of whom goes away; the result, the points, the record."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import DESK, PHONE
from tests.real_site import ROOT, Site

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

OPEN = """
from accounts.models import User
from games.services import tables
from games.models import Table
people = [User.objects.get(username=name) for name in NAMES]
table = tables.open_table(
    user=people[0], game="cinq", options=OPTIONS, seats=len(people) + BOTS, pace=86400, competitive=COMPETITIVE
)
for person in people[1:]:
    tables.sit(table.code, user=person)
if BOTS:
    tables.fill_with_bots(table.code, by=people[0])
result = table.code
"""
# As if the time of whoever owes a move at this table, and is called so, were over.
TIME_IS_UP = """
from datetime import timedelta
from django.db.models import F
from games import clocktime
from games.models import Seat
seats = Seat.objects.filter(table__code=CODE, user__username=NAME, owes_move=True, automatic_since=None)
day = timedelta(days=1, seconds=5)
result = seats.filter(deadline__gt=clocktime.now()).update(deadline=F("deadline") - day, owes_since=F("owes_since") - day)
"""
ASK = """
from games.models import Table
table = Table.objects.get(code=CODE)
result = [table.status, table.plies]
"""
POINTS = """
from games.models import Seat
from ranking.models import XPEntry
places = {seat.user.username: [seat.place, seat.own_moves, seat.clock_moves] for seat in Seat.objects.filter(table__code=CODE)}
points = {entry.user.username: entry.delta for entry in XPEntry.objects.filter(table__code=CODE)}
result = [places, points]
"""


def play_if_my_turn(page: Any) -> bool:
    """One move by pointer, as a player makes it: choose the first card, confirm. False if it is not this page's turn."""
    live = page.locator("#live")
    if live.get_attribute("data-turn") != "1":
        return False
    version = live.get_attribute("data-version")
    card = page.locator("#live input[type=radio][name=move]").first
    if card.count():
        page.locator(f"label[for='{card.get_attribute('id')}']").first.click()
    page.locator("#go").click()
    page.wait_for_function("(v) => document.querySelector('#live').dataset.version !== v", arg=version)
    return True


def test_three_people_one_goes_away(site: Site, browser_page: Callable[..., Any], tmp_path: Path) -> None:
    names = ["Alice", "Bob", "Carla"]
    code = site.run(OPEN, NAMES=names, OPTIONS={"mode": "piegeur", "limite": 5}, BOTS=0, COMPETITIVE=True)
    alice, bob = browser_page("alice", size=PHONE), browser_page("bob", size=DESK)
    carla = browser_page("carla", size=PHONE, dark=True)
    for page in (alice, bob, carla):
        page.goto(f"/t/{code}/")
    for _ in range(40):
        if any(play_if_my_turn(page) for page in (alice, bob, carla)) and site.run(ASK, CODE=code)[1] >= 6:
            break
        alice.wait_for_timeout(100)
    carla.context.close()
    for _ in range(600):
        if site.run(ASK, CODE=code)[0] != "playing":
            break
        if not (play_if_my_turn(alice) or play_if_my_turn(bob)):
            site.run(TIME_IS_UP, CODE=code, NAME="Carla")
            alice.wait_for_timeout(150)
    assert site.run(ASK, CODE=code)[0] == "finished"
    alice.locator("#live[data-turn='0']").wait_for()
    bob.locator(".result").first.wait_for()

    places, points = site.run(POINTS, CODE=code)
    for name, (place, own, clock) in places.items():
        expected = 0 if clock > own else 30 if place == 1 else 10
        assert points.get(name, 0) == expected, (name, place, own, clock)
    assert places["Carla"][2] > 0, "the site played for her"
    assert "30" in alice.locator(".result").first.inner_text() or places["Alice"][0] != 1

    bob.goto("/leaderboard/?game=cinq")
    board = bob.locator("main").inner_text()
    for name, delta in points.items():
        assert (name in board) == (delta > 0)

    bob.goto(f"/t/{code}/")
    text = bob.request.get(f"{site.url}/t/{code}/record.txt").text()
    path = tmp_path / "record.txt"
    path.write_text(text, encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "games.verify", str(path)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_a_push_reaches_the_other_browser_and_keeps_the_unsent_pick(site: Site, browser_page: Callable[..., Any]) -> None:
    code = site.run(
        OPEN, NAMES=["Alice", "Bob"], OPTIONS={"mode": "classique", "limite": 50, "cartes": 15}, BOTS=0, COMPETITIVE=False
    )
    pages = {"Alice": browser_page("alice"), "Bob": browser_page("bob", size=PHONE)}
    for page in pages.values():
        page.goto(f"/t/{code}/")
    mover, other = pages.values()
    if mover.locator("#live").get_attribute("data-turn") != "1":
        mover, other = other, mover
    version = other.locator("#live").get_attribute("data-version")
    assert play_if_my_turn(mover)
    other.wait_for_function("(v) => document.querySelector('#live').dataset.version !== v", arg=version, timeout=5000)
    if other.locator("#live").get_attribute("data-turn") != "1":
        mover, other = other, mover
    card = other.locator("#live input[type=radio][name=move]").first
    chosen = card.get_attribute("id")
    other.locator(f"label[for='{chosen}']").first.click()
    site.run(
        """
        from games import live
        from games.models import Table
        from django.db import transaction
        with transaction.atomic():
            Table.objects.filter(code=CODE).update(version=10_000)
            live.announce(Table.objects.get(code=CODE))
        """,
        CODE=code,
    )
    other.locator("#live[data-version='10000']").wait_for(timeout=5000)
    assert other.locator(f"#{chosen}").is_checked()


def test_a_page_that_lost_its_socket_catches_up(site: Site, browser_page: Callable[..., Any]) -> None:
    code = site.run(
        OPEN, NAMES=["Alice", "Bob"], OPTIONS={"mode": "classique", "limite": 50, "cartes": 15}, BOTS=0, COMPETITIVE=False
    )
    pages = [browser_page("alice"), browser_page("bob")]
    for page in pages:
        page.goto(f"/t/{code}/")
    mover, other = pages if pages[0].locator("#live").get_attribute("data-turn") == "1" else pages[::-1]
    other.context.set_offline(True)
    version = other.locator("#live").get_attribute("data-version")
    assert play_if_my_turn(mover)
    other.wait_for_timeout(500)
    assert other.locator("#live").get_attribute("data-version") == version
    other.context.set_offline(False)
    other.wait_for_function("(v) => document.querySelector('#live').dataset.version !== v", arg=version)
    other.watch.errors.clear()


def test_a_click_whose_answer_is_lost_is_one_move(site: Site, browser_page: Callable[..., Any]) -> None:
    code = site.run(OPEN, NAMES=["Alice"], OPTIONS={"mode": "classique", "limite": 50}, BOTS=2, COMPETITIVE=False)
    page = browser_page("alice")
    page.goto(f"/t/{code}/")
    page.locator("#live[data-turn='1']").wait_for()
    tries: list[str] = []

    def lose_the_first(route: Any) -> None:
        tries.append(route.request.post_data or "")
        if len(tries) == 1:
            route.fetch()  # the server commits, the answer never arrives
            route.abort()
        else:
            route.continue_()

    page.route("**/move/", lose_the_first)
    assert play_if_my_turn(page)
    page.wait_for_timeout(2500)
    page.watch.errors.clear()
    assert len(tries) >= 2
    assert len({part for post in tries for part in post.split("&") if part.startswith("request=")}) == 1
    mine = site.run(
        "from games.cinq.models import CinqMove\nresult = CinqMove.objects.filter(table__code=CODE, by='player').count()",
        CODE=code,
    )
    assert mine == 1
