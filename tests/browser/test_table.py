"""The table page in a real browser: pushes, the unsent pick, forms without JavaScript, keys, lost connections, sizes."""

from __future__ import annotations

import gzip
import re
import time
from datetime import datetime, timedelta
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

PHONE = {"width": 360, "height": 740}
SMALL = {"width": 320, "height": 640}
TABLET = {"width": 768, "height": 900}
DESK = {"width": 1280, "height": 800}

OPEN = """
from accounts.models import User
from tests.playing import open_for
people = [User.objects.get(username=name) for name in NAMES]
result = open_for(*people, options=OPTIONS, bots=BOTS).code
"""
STATE = """
from games import observe
glimpse = observe.glimpse(CODE)
acting = next(seat for seat in glimpse.seats if seat.owes_move)
seen = glimpse.observation(acting.number)
result = {"who": acting.user.username.lower() if acting.user else "", "legal": seen["legal"], "plies": glimpse.table.plies,
          "version": glimpse.table.version, "seats": {s.number: s.user.username.lower() for s in glimpse.seats if s.user}}
"""
PLAY = """
from uuid import uuid4
from games import observe
from games.services import moves
glimpse = observe.glimpse(CODE)
acting = next(seat for seat in glimpse.seats if seat.owes_move)
text = TEXT or glimpse.observation(acting.number)["legal"][0]
result = moves.play(CODE, user=acting.user, text=text, seen=glimpse.table.plies, request=uuid4()).ply
"""
PLAY_UNTIL = """
from uuid import uuid4
from games import observe
from games.services import moves
while True:
    glimpse = observe.glimpse(CODE)
    acting = [seat for seat in glimpse.seats if seat.owes_move]
    legal = glimpse.observation(acting[0].number)["legal"] if acting else []
    if not acting or (END is None and acting[0].user.username.lower() == WHO and len(legal) > 1):
        break
    moves.play(CODE, user=acting[0].user, text=legal[-1], seen=glimpse.table.plies, request=uuid4())
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
    """A table of the site and what a test does there behind the browser's back."""

    def __init__(self, site, *names, mode="classique", limite=50, bots=0):
        self.site = site
        self.code = site.run(OPEN, NAMES=names, OPTIONS={"mode": mode, "limite": limite}, BOTS=bots)
        self.path = f"/t/{self.code}/"

    @property
    def now(self):
        return SimpleNamespace(**self.site.run(STATE, CODE=self.code))

    def play(self, text=None):
        self.site.run(PLAY, CODE=self.code, TEXT=text)

    def until_choice_of(self, who):
        self.site.run(PLAY_UNTIL, CODE=self.code, WHO=who, END=None)

    def to_the_end(self):
        self.site.run(PLAY_UNTIL, CODE=self.code, WHO="", END=True)

    def bump(self):
        """A visible change that is no move: somebody takes back his hand."""
        self.site.run(BUMP, CODE=self.code)


@pytest.fixture
def match(site):
    return lambda *names, **how: Match(site, *names, **how)


def connected(page):
    """Wait for the page's socket."""
    page.wait_for_function("performance.getEntriesByType('resource').length > 0")
    page.wait_for_timeout(400)


def pick(page, card):
    page.locator(f"label[for='m-{card}']").last.click()


def picked(page):
    return page.locator("input[name=move]:checked")


def test_two_browsers_see_each_others_moves_within_a_second(browser_page, match):
    table = match("Alice", "Bob", "Carla")
    table.until_choice_of("alice")
    alice, bob = browser_page("alice"), browser_page("bob", size=PHONE)
    for page in (alice, bob):
        page.goto(table.path)
        connected(page)
    card = table.now.legal[0]
    pick(alice, card)
    expect(alice.locator("#go")).to_be_enabled()
    alice.locator("#go").click()
    started = time.monotonic()
    bob.locator(f".slot.on[data-card='{card}']").wait_for(timeout=1000)
    assert time.monotonic() - started < 1
    expect(alice.locator(f".slot.on[data-card='{card}']")).to_be_visible()
    expect(alice.locator(f"#hand [data-card='{card}']")).to_have_count(0)


def test_the_unsent_pick_open_details_and_focus_survive_a_push(browser_page, match):
    table = match("Alice", "Bob", "Carla")
    table.until_choice_of("alice")
    page = browser_page("alice")
    page.goto(table.path)
    connected(page)
    before = page.locator("#live").get_attribute("data-version")
    card = table.now.legal[-1]
    pick(page, card)
    page.locator("#text summary").click()
    page.locator(f"#m-{card}").focus()
    named = page.locator("#go").text_content()
    table.bump()
    expect(page.locator("#live")).not_to_have_attribute("data-version", before)
    expect(picked(page)).to_have_value(card)
    expect(page.locator("#go")).to_have_text(named)
    assert page.locator("#text").get_attribute("open") is not None
    assert page.evaluate("document.activeElement.id") == f"m-{card}"


def test_a_pick_that_can_no_longer_be_played_goes_with_a_sentence(browser_page, match):
    table = match("Alice", "Bob", "Carla")
    table.until_choice_of("alice")
    page = browser_page("alice")
    page.goto(table.path)
    connected(page)
    pick(page, table.now.legal[0])
    table.play(table.now.legal[1])
    expect(page.locator("#live")).to_have_attribute("data-turn", "0")
    expect(page.locator("#news")).not_to_be_empty()
    expect(picked(page)).to_have_count(0)


def test_a_page_without_its_socket_catches_up_when_it_is_looked_at_again(browser_page, match):
    table = match("Alice", "Bob", "Carla")
    table.until_choice_of("alice")
    page = browser_page("bob")
    page.route_web_socket(re.compile("/ws/"), lambda socket: socket.close())
    page.goto(table.path)
    card = table.now.legal[0]
    table.play(card)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator(f".slot.on[data-card='{card}']")).to_be_visible()


def test_a_move_without_javascript(browser_page, match):
    table = match("Alice", "Bob", "Carla")
    table.until_choice_of("alice")
    page = browser_page("alice", js=False, size=PHONE)
    page.goto(table.path)
    card = table.now.legal[0]
    pick(page, card)
    page.locator("#go").click()
    expect(page).to_have_url(re.compile(table.path + "$"))
    expect(page.locator(f".slot.on[data-card='{card}']")).to_be_visible()


def test_a_tap_on_a_slot_picks_and_cancel_puts_back(browser_page, match):
    table = match("Alice", "Bob", "Carla")
    table.until_choice_of("alice")
    page = browser_page("alice", size=PHONE)
    page.goto(table.path)
    card = table.now.legal[0]
    expect(page.locator("#go")).to_be_disabled()
    page.locator(f".slot.can label[for='m-{card}']").click()
    expect(picked(page)).to_have_value(card)
    expect(page.locator(".slot.picked")).to_have_count(1)
    page.locator("#undo").click()
    expect(picked(page)).to_have_count(0)
    expect(page.locator("#go")).to_be_disabled()
    assert table.now.plies == int(page.locator("#live").get_attribute("data-plies"))


def test_the_waiting_page_becomes_the_match_when_the_last_player_sits(browser_page, site):
    code = site.run(
        """
        from accounts.models import User
        from games.services import tables
        options = {"mode": "classique", "limite": 15}
        opener = User.objects.get(username="Alice")
        result = tables.open_table(user=opener, game="cinq", options=options, seats=2, pace=86400).code
        """
    )
    page = browser_page("alice")
    page.goto(f"/t/{code}/")
    connected(page)
    site.run(
        """
        from accounts.models import User
        from games.services import tables
        tables.sit(CODE, user=User.objects.get(username="Bob"))
        """,
        CODE=code,
    )
    expect(page.locator("#hand")).to_be_visible()


def test_taking_back_the_hand(browser_page, match):
    table = match("Alice", "Bob", "Carla")
    table.until_choice_of("alice")
    table.site.run(
        """
        from games import clocktime
        from games.models import Seat
        Seat.objects.filter(table__code=CODE, user__username="Bob").update(automatic_since=clocktime.now())
        """,
        CODE=table.code,
    )
    page = browser_page("bob", size=PHONE)
    page.goto(table.path)
    page.locator("[formaction$='/take-back/']").click()
    expect(page.locator(".tp-away")).to_have_count(0)


def test_random_taps_send_nothing(browser_page, match):
    table = match("Alice", "Bob", "Carla")
    table.until_choice_of("alice")
    page = browser_page("alice", size=PHONE)
    page.goto(table.path)
    plies = table.now.plies
    box = page.locator(".cards").bounding_box()
    for step in range(60):
        x, y = step * 37 % int(box["width"]), step * 23 % int(box["height"] - 20)
        page.mouse.click(box["x"] + x, box["y"] + y)
    assert table.now.plies == plies


def test_a_refused_card_says_why(browser_page, match):
    table = match("Alice", "Bob", "Carla")
    table.until_choice_of("alice")
    page = browser_page("alice", size=PHONE)
    page.goto(table.path)
    refused = page.locator(".h.no").first
    refused.locator("button").click(force=True)
    expect(refused.locator(".why")).to_be_visible()
    assert refused.locator(".why").text_content() in refused.locator("button").get_attribute("aria-label")


def test_one_tap_play_only_after_switching_it_on_for_this_device(browser_page, match):
    table = match("Alice", "Bob", "Carla")
    table.until_choice_of("alice")
    page = browser_page("alice", size=PHONE)
    page.goto(table.path)
    expect(page.locator("#one-click")).not_to_be_checked()
    page.locator("#one-click").check()
    page.reload()
    expect(page.locator("#one-click")).to_be_checked()
    card = table.now.legal[0]
    page.locator(f"#m-{table.now.legal[-1]}").focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(200)
    expect(page.locator("#live")).to_have_attribute("data-turn", "1")
    pick(page, card)
    expect(page.locator(f".slot.on[data-card='{card}']")).to_be_visible()


def test_keys(browser_page, match):
    other = match("Alice", "Bob", "Carla")
    other.until_choice_of("alice")
    table = match("Alice", "Bob", "Carla")
    table.until_choice_of("alice")
    page = browser_page("alice")
    page.goto(table.path)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    first = picked(page).input_value()
    assert first in table.now.legal
    page.keyboard.press("Escape")
    expect(picked(page)).to_have_count(0)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    card = picked(page).input_value()
    page.keyboard.press("Enter")
    expect(page.locator(f".slot.on[data-card='{card}']")).to_be_visible()
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("#single-keys").uncheck()
    page.locator("body").click(position={"x": 3, "y": 3})
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_hidden()
    page.locator("#single-keys").check()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("n")
    page.wait_for_url(re.compile(r"/t/(?!" + table.code + ")"))


def test_a_move_is_sent_again_with_the_same_id_until_there_is_an_answer(browser_page, match):
    table = match("Alice", "Bob", "Carla")
    table.until_choice_of("alice")
    page = browser_page("alice")
    page.goto(table.path)
    sent = []

    def fail_once(route):
        sent.append(re.search("request=([0-9a-f-]+)", route.request.post_data)[1])
        if len(sent) == 1:
            route.abort()
        else:
            route.continue_()

    page.route("**/move/", fail_once)
    card = table.now.legal[0]
    pick(page, card)
    page.locator("#go").click()
    expect(page.locator(f".slot.on[data-card='{card}']")).to_be_visible()
    assert len(sent) == 2 and sent[0] == sent[1]
    assert page.locator("#act [name=request]").input_value() != sent[0]
    page.watch.errors.clear()


def test_a_new_csrf_token_is_fetched_and_one_more_tap_plays(browser_page, match):
    table = match("Alice", "Bob", "Carla")
    table.until_choice_of("alice")
    page = browser_page("alice")
    page.goto(table.path)
    page.context.clear_cookies(name="csrftoken")
    card = table.now.legal[0]
    pick(page, card)
    page.locator("#go").click()
    expect(page.locator("#news")).not_to_be_empty()
    expect(page.locator("#go")).to_be_enabled()
    expect(picked(page)).to_have_value(card)
    page.wait_for_timeout(500)
    page.locator("#go").click()
    expect(page.locator(f".slot.on[data-card='{card}']")).to_be_visible()
    page.watch.errors.clear()


def test_a_stale_form_shows_the_present_table_and_keeps_a_legal_pick(browser_page, match):
    table = match("Alice", "Bob", "Carla")
    table.until_choice_of("alice")
    page = browser_page("alice")
    page.goto(table.path)
    card = table.now.legal[0]
    pick(page, card)
    page.evaluate("document.querySelector('[name=seen]').value = 99999")
    page.locator("#go").click()
    expect(page.locator("#error")).to_be_visible()
    expect(picked(page)).to_have_value(card)
    page.watch.errors.clear()


def test_the_deadline_is_local_and_a_wrong_clock_does_no_harm(browser_page, match):
    table = match("Alice", "Bob", "Carla")
    table.until_choice_of("alice")
    page = browser_page("alice", timezone="America/New_York")
    page.clock.install(time=datetime.now() + timedelta(hours=5))  # noqa: DTZ005 - the browser's own, wrong clock
    page.goto(table.path)
    moment = page.locator(".due time")
    utc = datetime.fromisoformat(moment.get_attribute("datetime"))
    shown = page.evaluate(
        "iso => new Intl.DateTimeFormat('fr', {hour: '2-digit', minute: '2-digit'}).format(new Date(iso))", utc.isoformat()
    )
    expect(moment).to_contain_text(shown)
    expect(page.locator(".due .left")).to_contain_text("23")


def test_title_count_and_announcement(browser_page, match):
    table = match("Alice", "Bob", "Carla")
    table.until_choice_of("alice")
    page = browser_page("bob")
    page.goto(table.path)
    connected(page)
    title = page.title()
    said = page.locator("#turn").text_content()
    assert page.locator("#turn").get_attribute("role") == "status"
    table.until_choice_of("bob")
    expect(page.locator("#live")).to_have_attribute("data-turn", "1")
    expect(page).to_have_title(re.compile(r"^\(\d+\) " + re.escape(re.sub(r"^\(\d+\) ", "", title))))
    assert page.locator("#turn").text_content() != said
    assert "turn" in page.locator("link[rel=icon]").get_attribute("href")


@pytest.mark.parametrize(("size", "dark"), [(SMALL, False), (PHONE, True), (TABLET, False), (DESK, False), (DESK, True)])
def test_no_sideways_scroll_and_no_accessibility_fault(browser_page, match, axe, size, dark):
    table = match("Alice", "Bob", "Carla", mode="piegeur")
    table.until_choice_of("alice")
    over = match("Alice", "Bob", "Carla", mode="piegeur", limite=5)
    over.to_the_end()
    page = browser_page("alice", size=size, dark=dark)
    for path in (table.path, over.path):
        page.goto(path)
        page.evaluate("document.querySelectorAll('.tp-more details').forEach(details => { details.open = true })")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert axe(page) == []


def test_weight_of_a_first_visit(browser_page, match):
    """A table page with everything it loads, compressed as a front server does: at most 130 KB, fonts included."""
    table = match("Alice", "Bob", "Carla")
    page = browser_page("alice")
    parts = {}
    page.on("response", lambda answer: parts.setdefault(answer.url, answer))
    page.goto(table.path)
    page.wait_for_timeout(1000)
    weights = {url: min(len(answer.body()), len(gzip.compress(answer.body()))) for url, answer in parts.items() if answer.ok}
    assert sum(weights.values()) <= 130_000, weights
    assert sum(weight for url, weight in weights.items() if url.endswith(".css")) <= 10_000, weights
