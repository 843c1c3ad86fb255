"""Each game and variant to its end at the table page: a person against bots on a phone and on a desk, and two people.

Les Cinq Rois have eleven rounds and no shorter match: the first turns and the last round are played by pointer, what lies
between by the same page's own form over HTTP, in the same session. Everything else is clicked from the first card to the last.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games import registry, verify
from tests.browser.person import Person
from tests.conftest import DESK, PHONE
from tests.real_site import Site

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

OPEN = """
from accounts.models import User
from games.services import tables
people = [User.objects.get(username=name) for name in NAMES]
sided = [0, 1] if SIDES else [None, None]
table = tables.open_table(user=people[0], game=GAME, options=OPTIONS, seats=SEATS, pace=86400, side=sided[0])
for person in people[1:]:
    tables.sit(table.code, user=person, side=sided[1])
if len(people) < SEATS:
    tables.fill_with_bots(table.code, by=people[0])
result = table.code
"""
LAST_ROUND = "Manche 11 sur 11"
CLICKED = 8  # turns of Les Cinq Rois by pointer before the form takes over
OFFICIAL: dict[str, Any] = registry.get("cinq_rois").presets["officielle"]["options"]

CLASSIC, TRAPPER = {"mode": "classique", "limite": 5}, {"mode": "piegeur", "limite": 5}
FORTY, FORTY_EIGHT = {"jeu": 40, "limite": 20}, {"jeu": 48, "limite": 20}
VARIANTS: dict[str, tuple[str, dict[str, Any], int, dict[str, Any], int]] = {
    # name: game, options and seats on the phone, options and seats on the desk
    "cinq-classique": ("cinq", CLASSIC, 4, CLASSIC, 2),
    "cinq-piegeur": ("cinq", TRAPPER, 3, TRAPPER, 4),
    "six_fous-40": ("six_fous", FORTY, 4, FORTY, 3),
    "six_fous-48": ("six_fous", FORTY_EIGHT, 3, FORTY_EIGHT, 4),
    "rois-maison": ("cinq_rois", {}, 3, {}, 4),
    "rois-officielle": ("cinq_rois", OFFICIAL, 4, OFFICIAL, 3),
    "55-seul": ("cinquante_cinq", {"cible": 20}, 3, {"cible": 20}, 2),
    "55-camps": ("cinquante_cinq", {"cible": 20, "equipes": 2}, 4, {"cible": 20, "equipes": 3}, 6),
    "ligne-2-camps": ("cinq_en_ligne", {"plateau": "sinueux"}, 2, {"plateau": "spirale"}, 4),
    "ligne-3-camps": ("cinq_en_ligne", {"plateau": "rangees"}, 3, {"plateau": "aleatoire", "equipes": 3}, 6),
}


def opened(site: Site, *names: str, game: str, seats: int, options: dict[str, Any]) -> str:
    sided = game == "cinq_en_ligne" or bool(options.get("equipes"))
    return str(site.run(OPEN, NAMES=names, GAME=game, OPTIONS=options, SEATS=seats, SIDES=sided))


def by_pointer(*people: Person, most: int = 10_000) -> None:
    """Play whoever is on turn, until the match is over for everybody or `most` turns are played."""
    limit = time.monotonic() + 120
    turns = sum(person.turns for person in people) + most
    while sum(person.turns for person in people) < turns:
        states = [person.state() for person in people]
        if all(state == "over" for state in states):
            return
        if "turn" in states:
            people[states.index("turn")].click()
        elif len(people) == 1:
            people[0].page.locator("#live[data-turn='1'], #live.over").wait_for(timeout=60_000)
        else:
            people[0].page.wait_for_timeout(30)
        assert time.monotonic() < limit


def by_form(*people: Person, until: str) -> None:
    """Send what is due by the page's form until everybody's page says `until`; nobody looks meanwhile."""
    limit = time.monotonic() + 120
    for person in people:
        person.page.goto("about:blank")
    while not all([until in person.send(until) for person in people]):  # noqa: C419 - each of them has to play
        assert time.monotonic() < limit
        time.sleep(0.1)
    for person in people:
        person.arrive()


def play(game: str, *people: Person) -> None:
    """The whole match."""
    for person in people:
        person.arrive()
    if game == "cinq_rois":
        by_pointer(*people, most=CLICKED)
        by_form(*people, until=LAST_ROUND)
    by_pointer(*people)


def fits(page: Any) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def see_the_end(person: Person, game: str, seats: int, folder: Path) -> None:
    """The last page: who won, the places, the score sheet, and a record that verifies once it is downloaded by its link."""
    page = person.page
    page.locator(".tp.over .result").wait_for()
    assert page.locator("#result-title").inner_text()
    assert page.locator(".podium li").count() == seats
    winners = page.locator(".podium li.won").count()
    if game == "cinq_en_ligne":
        assert page.locator(".verdict").inner_text()
        lines = page.request.get(f"{person.path}observation.json").json()["observation"]["lines"]
        assert page.locator("#squares .won").count() == len({square for line in lines for square in line})
        assert bool(lines) == bool(winners)
    else:
        assert winners
        assert page.locator("#sheet tbody tr").count()
        assert page.locator("#sheet tfoot td").count() == page.locator("#sheet thead th.num").count()
    assert page.locator(".dead-chip").count() == (page.locator(".slot.dead").count() if game == "six_fous" else 0)
    assert page.locator("#live input:not([type=hidden])").count() == 0, "nothing is left to choose"
    assert fits(page)
    with page.expect_download() as coming:
        page.locator(".result a[href$='/record.txt']").click()
    path = folder / "record.txt"
    coming.value.save_as(path)
    assert list(verify.check(path.read_bytes().decode()))[-1] == "result: agrees"


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["360", "1280"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_person_against_bots(
    site: Site, browser_page: Callable[..., Any], tmp_path: Path, variant: str, size: dict[str, int]
) -> None:
    game, on_phone, few, on_desk, many = VARIANTS[variant]
    options, seats = (on_phone, few) if size == PHONE else (on_desk, many)
    code = opened(site, "Alice", game=game, seats=seats, options=options)
    person = Person(browser_page("alice", size=size, dark=size == DESK), code)
    play(game, person)
    see_the_end(person, game, seats, tmp_path)


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("cinq", 2, CLASSIC),
        ("six_fous", 3, FORTY),
        ("cinq_rois", 4, {}),
        ("cinquante_cinq", 2, {"cible": 20}),
        ("cinq_en_ligne", 2, {}),
    ],
)
def test_two_people_in_two_browsers(
    site: Site, browser_page: Callable[..., Any], axe: Any, tmp_path: Path, game: str, seats: int, options: dict[str, Any]
) -> None:
    code = opened(site, "Alice", "Bob", game=game, seats=seats, options=options)
    people = [Person(browser_page("alice", size=PHONE), code), Person(browser_page("bob", size=DESK), code)]
    play(game, *people)
    for person in people:
        see_the_end(person, game, seats, tmp_path)
        assert axe(person.page) == []
    standings = [person.page.locator(".podium .rank").all_inner_texts() for person in people]
    assert standings[0] == standings[1]
