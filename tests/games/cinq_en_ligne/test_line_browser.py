"""5inq en Ligne in real browsers: by touch, by keyboard, without JavaScript; accessibility faults."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import DESK, PHONE
from tests.real_site import Site

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

OPEN = """
from accounts.models import User
from games.services import tables
people = [User.objects.get(username=name) for name in NAMES]
table = tables.open_table(user=people[0], game="cinq_en_ligne", options=OPTIONS, seats=len(people) + BOTS, pace=86400)
for person in people[1:]:
    tables.sit(table.code, user=person)
if BOTS:
    tables.fill_with_bots(table.code, by=people[0])
result = table.code
"""
OBSERVATION = "(code) => fetch(`/t/${code}/observation.json`).then((answer) => answer.json())"
SMALL = {"width": 320, "height": 640}


def opened(site: Site, *names: str, bots: int = 0, **options: Any) -> str:
    code: str = site.run(OPEN, NAMES=names, OPTIONS=options, BOTS=bots)
    return code


def wait_for_my_turn(page: Any) -> None:
    page.locator("#live[data-turn='1']").wait_for(timeout=15_000)


def pegs(page: Any) -> int:
    count: int = page.locator("#squares .sq.on").count()
    return count


def test_by_touch_on_a_phone(site: Site, browser_page: Callable[..., Any], axe: Callable[[Any], list[str]]) -> None:
    code = opened(site, "Alice", bots=1)
    page = browser_page("alice", size=PHONE, has_touch=True)
    page.goto(f"/t/{code}/")
    wait_for_my_turn(page)
    assert axe(page) == []
    box = page.locator("#squares .sq").first.bounding_box()
    assert box["width"] >= 33.5 and box["height"] >= 33.5
    before, hand = pegs(page), page.evaluate(OBSERVATION, code)["observation"]["hand"]
    square = page.locator("#squares input[name=square]").last.get_attribute("value")
    page.locator(f"label[for='q-{square}']").tap()
    best = max(card for card in hand if card <= int(square))
    assert page.locator(f"#c-{best}").is_checked(), "a square tapped first takes the highest card that fits it"
    assert str(best) in page.locator("#go").inner_text() and square in page.locator("#go").inner_text()
    other = next(card for card in hand if card != best)
    page.locator(f"label[for='c-{other}']").tap()
    assert page.locator(f"#q-{square}").is_checked() == (other <= int(square)), "a card too high for the square gives it back"
    page.locator("#undo").tap()
    assert page.locator("#live input:checked").count() == 0
    page.locator("#go:disabled").wait_for()
    page.locator(f"label[for='q-{square}']").tap()
    page.locator("#go").tap()
    page.locator(f"[data-card='sq-{square}']").wait_for()
    assert pegs(page) > before
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_rings_follow_the_chosen_card(site: Site, browser_page: Callable[..., Any]) -> None:
    """By style alone: squares too low for the card are drawn like those nobody can use."""
    code = opened(site, "Alice", "Bob")
    pages = [browser_page("alice", size=SMALL, js=False), browser_page("bob", size=SMALL, js=False)]
    for page in pages:
        page.goto(f"/t/{code}/")
        assert page.locator("main").evaluate("() => document.documentElement.scrollWidth") <= SMALL["width"]
    page = next(page for page in pages if page.locator("#live").get_attribute("data-turn") == "1")
    cards = [int(page.locator("#hand input[name=card]").nth(i).get_attribute("value")) for i in range(4)]

    def weight(square: int) -> str:
        found: str = page.locator(f".sq:has(#q-{square})").evaluate("(node) => getComputedStyle(node).fontWeight")
        return found

    assert weight(cards[0]) == "700"
    page.locator(f"label[for='c-{cards[3]}']").click()
    assert (weight(cards[0]), weight(cards[3])) == ("500", "700")
    page.locator(f"label[for='c-{cards[0]}']").click()
    assert weight(cards[0]) == "700"


def test_without_javascript(site: Site, browser_page: Callable[..., Any]) -> None:
    code = opened(site, "Alice", "Bob", plateau="rangees")
    pages = [browser_page("alice", size=PHONE, js=False), browser_page("bob", size=PHONE, js=False)]
    for page in pages:
        page.goto(f"/t/{code}/")
    page = next(page for page in pages if page.locator("#live").get_attribute("data-turn") == "1")
    card = int(page.locator("#hand input[name=card]").last.get_attribute("value"))
    low = page.locator("#squares input[name=square]").first.get_attribute("value")
    page.locator(f"label[for='c-{card}']").click()
    page.locator(f"label[for='q-{low}']").click()
    page.locator("#go").click()
    assert page.locator("#error").count() == 1, "the card is too high for that square"
    assert page.locator(f"#c-{card}").is_checked(), "and it stays chosen"
    page.watch.errors.clear()  # the browser's own line about the answer 409
    page.locator("label[for='q-99']").click()
    page.locator("#go").click()
    page.locator("[data-card='sq-99']").wait_for()
    assert page.locator("#error").count() == 0


def test_by_keyboard(site: Site, browser_page: Callable[..., Any]) -> None:
    code = opened(site, "Alice", bots=1, plateau="rangees")
    page = browser_page("alice", size=DESK)
    page.goto(f"/t/{code}/")
    wait_for_my_turn(page)
    card = page.locator("#hand input[name=card]").first.get_attribute("value")
    page.locator(f"#c-{card}").focus()
    page.keyboard.press("Space")
    offered = page.locator("#squares input[name=square]").evaluate_all("(boxes) => boxes.map((box) => Number(box.value))")
    start = next(n for n in offered if n + 10 in offered and n + 11 in offered and n % 10 < 9)
    page.locator(f"#q-{start}").focus()
    page.keyboard.press("ArrowDown")
    assert page.locator(f"#q-{start + 10}").is_checked()
    page.keyboard.press("ArrowRight")
    assert page.locator(f"#q-{start + 11}").is_checked()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.id") == f"q-{start}"
    page.keyboard.press("Enter")
    page.locator(f"[data-card='sq-{start}']").wait_for()


@pytest.mark.parametrize("seats", [2, 6, 9])
def test_the_whole_hand_lies_above_the_action_bar(site: Site, browser_page: Callable[..., Any], seats: int) -> None:
    """On a phone of 360 × 740, without scrolling."""
    page = browser_page("alice", size={"width": 360, "height": 740})
    page.goto(f"/t/{opened(site, 'Alice', bots=seats - 1)}/")
    wait_for_my_turn(page)
    hand, bar = page.locator("#hand .cards").bounding_box(), page.locator(".act").bounding_box()
    assert hand["y"] + hand["height"] <= bar["y"] + 1
