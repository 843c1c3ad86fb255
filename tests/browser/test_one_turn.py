"""Turns of each game by keyboard alone, from a freshly loaded page; and each kind of move in a browser without JavaScript."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.person import Person
from tests.conftest import DESK, PHONE
from tests.real_site import Site

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

OPEN = """
from accounts.models import User
from tests.playing import open_for
people = [User.objects.get(username=name) for name in ("Alice", "Bob", "Carla")[:SEATS]]
result = open_for(*people, game=GAME, options=OPTIONS).code
"""
GAMES: list[tuple[str, int, dict[str, Any], set[str]]] = [
    ("cinq", 3, {"mode": "piegeur"}, {"card"}),
    ("six_fous", 3, {}, {"card"}),
    ("cinq_rois", 2, {}, {"pile", "discard"}),
    ("cinquante_cinq", 2, {}, {"bid", "discard", "trump", "card"}),
    ("cinq_en_ligne", 2, {}, {"square"}),
]


def seated(
    site: Site, browser_page: Callable[..., Any], game: str, seats: int, options: dict[str, Any], **how: Any
) -> list[Person]:
    code = site.run(OPEN, GAME=game, OPTIONS=options, SEATS=seats)
    people = [Person(browser_page(name, **how), code, js=how.get("js", True)) for name in ("alice", "bob", "carla")[:seats]]
    for person in people:
        person.arrive()
    return people


def on_turn(people: list[Person]) -> Person:
    """Whose turn it is; a page without JavaScript is asked for anew."""
    for _ in range(100):
        for person in people:
            if not person.js:
                person.arrive()
            if person.state() == "turn":
                return person
        people[0].page.wait_for_timeout(50)
    raise AssertionError("it is nobody's turn")


def focused(page: Any) -> tuple[str, str, str]:
    """Name, value and type of what has the focus."""
    name, text, kind = page.evaluate("(({name, value, type}) => [name, value, type])(document.activeElement)")
    return name, text, kind


def tab_to(page: Any, name: str) -> None:
    for _ in range(120):
        if focused(page)[0] == name:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never comes to {name}")


def turn_by_keys(person: Person) -> None:
    """An arrow leads to what can be chosen, Space chooses, Tab goes on where a move has two parts, Enter sends it."""
    page = person.page
    version = page.locator("#live").get_attribute("data-version")
    page.keyboard.press("ArrowRight")
    name, text, kind = focused(page)
    if kind == "checkbox":
        for _ in range(5):
            page.keyboard.press("Space")
            page.keyboard.press("Tab")
    else:
        page.keyboard.press("Space")
        if name == "move" and text in {"stock", "pass", "hold"}:
            page.keyboard.press("ArrowRight")
            name, text, kind = focused(page)
        if name == "square":
            tab_to(page, "card")
            page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.wait_for_function("(v) => document.querySelector('#live').dataset.version !== v", arg=version)
    person.note([(name, text)])


@pytest.mark.parametrize(("game", "seats", "options", "kinds"), GAMES, ids=[entry[0] for entry in GAMES])
def test_by_keyboard_alone(
    site: Site, browser_page: Callable[..., Any], game: str, seats: int, options: dict[str, Any], kinds: set[str]
) -> None:
    people = seated(site, browser_page, game, seats, options, size=DESK)
    done: set[str] = set()
    for _ in range(12):
        turn_by_keys(on_turn(people))
        done = set().union(*(person.kinds for person in people))
        if done >= kinds:
            break
    assert done >= kinds


def can_go_out(people: list[Person]) -> Person:
    """Play by form until somebody may go out: him."""
    offered = 'value="out '
    for _ in range(200):
        for person in people:
            if offered in person.send(offered):
                return person
    raise AssertionError("nobody could go out in two hundred turns each")


def test_going_out_without_javascript(site: Site, browser_page: Callable[..., Any]) -> None:
    """Both draws and a discard; then by form until somebody may go out, which he does in a browser that runs no script."""
    people = seated(site, browser_page, "cinq_rois", 2, {"brelan": "libre"}, size=PHONE, js=False)
    done: set[str] = set()
    while not done >= {"stock", "pile", "discard"} and "out" not in done:
        on_turn(people).click()
        done = people[0].kinds | people[1].kinds
    if "out" not in done:
        lucky = can_go_out(people)
        lucky.arrive()
        lucky.click()
        assert "out" in lucky.kinds
    for person in people:
        person.arrive()
        assert person.page.locator("#hand-1 .reveal li").count() == 2, "the hands of the round lie open"


def test_calls_without_javascript(site: Site, browser_page: Callable[..., Any]) -> None:
    """A bid, the dealer's right to hold, a pass; then the exchange, the trump and a trick."""
    people = seated(site, browser_page, "cinquante_cinq", 2, {}, size=PHONE, js=False)
    for _ in range(20):
        on_turn(people).click()
        if people[0].page.locator(".last-trick").count():
            break
    done = people[0].kinds | people[1].kinds
    assert done >= {"bid", "hold", "pass", "discard", "trump", "card"}


def test_drawing_without_javascript(site: Site, browser_page: Callable[..., Any]) -> None:
    """5inq: a card on its square, then, with three cards left, a draw instead of a card."""
    people = seated(site, browser_page, "cinq_en_ligne", 2, {}, size=PHONE, js=False)
    first = on_turn(people)
    first.click()
    assert ("move", "draw") not in on_turn(people).look().buttons, "with four cards in hand nobody draws"
    on_turn(people).click()
    again = on_turn(people)
    assert again is first
    held = again.page.locator("#hand [data-card]").count()
    again.click([("move", "draw")])
    assert again.page.locator("#hand [data-card]").count() == held + 1
    assert again.kinds == {"card", "draw"}
