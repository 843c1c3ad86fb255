"""55 in a real browser: auction, exchange, trump and tricks with and without JavaScript, by keyboard, on small screens."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.real_site import Site

SMALL, PHONE, TABLET, DESK = ({"width": width, "height": 740} for width in (320, 360, 768, 1280))
NAMES = ["Alice", "Bob", "Carla", "Diego", "Éloïse", "Farid", "Gaëlle", "Hugo", "Inès"]
OPEN = """
from accounts.models import User
from tests.playing import open_for
people = [User.objects.filter(username=name).first() or User.objects.create_user(username=name) for name in NAMES]
result = open_for(*people, game="cinquante_cinq", options={"cible": CIBLE}).code
"""
PLAY_TO = """
from uuid import uuid4
from games import observe
from games.services import moves
while True:
    glimpse = observe.glimpse(CODE)
    acting = [seat for seat in glimpse.seats if seat.owes_move]
    if not acting:
        break
    who, seen = acting[0].user, glimpse.observation(acting[0].number)
    if seen["phase"] == PHASE and len(seen["trick"]) >= CARDS and len(seen["tricks"]) >= TRICKS:
        break
    text = "10" if "10" in seen["legal"] else seen["legal"][0]
    moves.play(CODE, user=who, text=text, seen=glimpse.table.plies, request=uuid4())
result = who.username if acting else ""
"""
BUMP = """
from games import clocktime
from games.models import Seat
from games.services import clocks
seat = Seat.objects.select_related("user").filter(table__code=CODE, owes_move=False, user__isnull=False).first()
Seat.objects.filter(pk=seat.pk).update(automatic_since=clocktime.now())
clocks.take_back(CODE, user=seat.user)
"""


class Match:
    """A table of 55 in the site, played behind the browser's back."""

    def __init__(self, site: Site, seats: int, cible: int = 55) -> None:
        self.site = site
        self.code = site.run(OPEN, NAMES=NAMES[:seats], CIBLE=cible)
        self.path = f"/t/{self.code}/"

    def to(self, phase: str, cards: int = 0, tricks: int = 0) -> str:
        """Play until a deal is there; who is on turn."""
        return str(self.site.run(PLAY_TO, CODE=self.code, PHASE=phase, CARDS=cards, TRICKS=tricks))


def connected(page: Page) -> None:
    """Wait for the page's socket."""
    page.wait_for_timeout(500)


def tick(page: Page, count: int) -> None:
    for box in page.locator("input[name=discard] + label").all()[:count]:
        box.click()


Pages = Callable[..., Page]


def test_a_deal_by_touch(browser_page: Pages, site: Site) -> None:
    match = Match(site, 2)
    page = browser_page(match.to("auction"), size=PHONE)
    page.goto(match.path)
    connected(page)
    go = page.locator("#go")
    expect(go).to_be_disabled()
    page.locator("label[for='m-60']").click()
    named = go.text_content()
    assert named is not None
    assert "60" in named
    page.locator("label[for='m-25']").click()
    go.click()
    expect(page.locator(".calls .stands")).to_contain_text("25")
    other = browser_page(match.to("auction"), size=PHONE)
    other.goto(match.path)
    other.locator("label[for='m-hold']").click()
    other.locator("#go").click()
    expect(page.locator("#live")).to_have_attribute("data-turn", "1")
    page.locator("label[for='m-pass']").click()
    go.click()
    exchange(other)
    other.locator(".suits label").last.click()
    other.locator("#go").click()
    expect(other.locator(".trump-is")).to_be_visible()
    expect(page.locator(".trump-is")).to_be_visible()


def exchange(page: Page) -> None:
    """Four ticks are too few, six too many, five are thrown."""
    go = page.locator("#go")
    expect(page.locator("input[name=discard]")).to_have_count(10)
    tick(page, 4)
    expect(go).to_be_disabled()
    assert page.evaluate("getComputedStyle(document.querySelector('#count'), '::after').content").startswith("counter")
    page.locator("input[name=discard] + label").nth(4).click()
    expect(go).to_be_enabled()
    page.locator("input[name=discard] + label").nth(5).click()
    expect(go).to_be_disabled()
    page.locator("#undo").click()
    expect(page.locator("input[name=discard]:checked")).to_have_count(0)
    tick(page, 5)
    go.click()
    expect(page.locator("input[name=discard]")).to_have_count(0)
    expect(page.locator("#thrown .card")).to_have_count(5)


def test_a_deal_without_javascript(browser_page: Pages, site: Site) -> None:
    match = Match(site, 2)
    page = browser_page(match.to("auction"), size=PHONE, js=False)
    page.goto(match.path)
    page.locator("label[for='m-15']").click()
    page.locator("#go").click()
    expect(page).to_have_url(re.compile(match.path + "$"))
    page = browser_page(match.to("discard"), size=PHONE, js=False)
    page.goto(match.path)
    tick(page, 3)
    page.locator("#go").click()
    expect(page.locator("#error")).to_be_visible()
    page.watch.errors.clear()  # type: ignore[attr-defined]
    page.goto(match.path)
    tick(page, 5)
    page.locator("#go").click()
    page.locator(".suits label").first.click()
    page.locator("#go").click()
    expect(page.locator(".trump-is")).to_be_visible()
    page = browser_page(match.to("play"), size=PHONE, js=False)
    page.goto(match.path)
    page.locator(".h.can label").first.click()
    page.locator("#go").click()
    expect(page.locator(".trick [data-card]")).to_have_count(1)


def test_a_deal_by_keyboard(browser_page: Pages, site: Site) -> None:
    match = Match(site, 2)
    page = browser_page(match.to("auction"))
    page.goto(match.path)
    connected(page)
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".calls b")).to_have_count(1)
    page = browser_page(match.to("discard"))
    page.goto(match.path)
    connected(page)
    page.locator("input[name=discard]").first.focus()
    for _ in range(5):
        page.keyboard.press("Space")
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#thrown .card")).to_have_count(5)


def test_ticks_survive_a_push_and_the_button_stays_named(browser_page: Pages, site: Site) -> None:
    match = Match(site, 3)
    page = browser_page(match.to("discard"))
    page.goto(match.path)
    connected(page)
    tick(page, 5)
    named, version = page.locator("#go").text_content(), page.locator("#live").get_attribute("data-version")
    site.run(BUMP, CODE=match.code)
    expect(page.locator("#live")).not_to_have_attribute("data-version", version or "")
    expect(page.locator("input[name=discard]:checked")).to_have_count(5)
    expect(page.locator("#go")).to_be_enabled()
    expect(page.locator("#go")).to_have_text(named or "")


def test_a_refused_card_says_why(browser_page: Pages, site: Site) -> None:
    for _ in range(20):
        match = Match(site, 3)
        page = browser_page(match.to("play", cards=1), size=PHONE)
        page.goto(match.path)
        if page.locator(".h.no").count():
            break
    refused = page.locator(".h.no").first
    refused.locator("button").click(force=True)
    expect(refused.locator(".why")).to_be_visible()


@pytest.mark.parametrize(
    ("seats", "size", "dark"), [(4, SMALL, False), (9, SMALL, True), (9, PHONE, False), (4, TABLET, True), (9, DESK, True)]
)
def test_no_sideways_scroll_and_no_accessibility_fault(
    browser_page: Pages, site: Site, axe: Callable[[Any], list[str]], seats: int, size: dict[str, int], dark: bool
) -> None:
    match = Match(site, seats, cible=10)
    for phase, cards, tricks in (("auction", 0, 0), ("discard", 0, 0), ("trump", 0, 0), ("play", seats - 1, 1), ("none", 0, 0)):
        who = match.to(phase, cards, tricks) or "Alice"
        page = browser_page(who, size=size, dark=dark)
        page.goto(match.path)
        page.evaluate("document.querySelectorAll('.tp details').forEach(details => { details.open = true })")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), phase
        assert axe(page) == [], phase


@pytest.mark.parametrize("size", [SMALL, DESK])
def test_the_rules_page(browser_page: Pages, axe: Callable[[Any], list[str]], size: dict[str, int]) -> None:
    page = browser_page(size=size)
    page.goto("/rules/cinquante_cinq/")
    expect(page.locator(".ranking .card")).to_have_count(14 + 14 + 13 + 13 + 13 + 12)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert axe(page) == []


@pytest.mark.parametrize(("seats", "phase"), [(9, "play"), (9, "auction"), (5, "discard"), (4, "play")])
def test_the_whole_hand_lies_above_the_action_bar(browser_page: Pages, site: Site, seats: int, phase: str) -> None:
    """On a phone of 360 × 740, without scrolling."""
    match = Match(site, seats)
    page = browser_page(match.to(phase), size=PHONE)
    page.goto(match.path)
    hand, bar = page.locator("#hand .cards").bounding_box(), page.locator(".act").bounding_box()
    assert hand and bar
    assert hand["y"] + hand["height"] <= bar["y"] + 1
