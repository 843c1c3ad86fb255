"""A newcomer: from the home page to his first card within a minute, without signing up, on a phone, with JavaScript or not."""

from __future__ import annotations

import time

import pytest

from tests.conftest import DESK, PHONE

pytestmark = pytest.mark.browser
EN = "en-GB"


def wait_until_mine(page):
    """Reload until it is the reader's turn: bots need a moment."""
    for _ in range(60):
        if page.locator("#live[data-turn='1']").count():
            return
        page.wait_for_timeout(300)
        page.reload()
    raise AssertionError("it never was the newcomer's turn")


@pytest.mark.parametrize("mode", ["classique", "piegeur"])
@pytest.mark.parametrize("js", [True, False], ids=["script", "no-script"])
def test_first_card_within_a_minute(browser_page, mode, js):
    page = browser_page(size=PHONE, js=js, locale=EN)
    begun = time.monotonic()
    page.goto("/")
    page.locator(f"form:has([name=mode][value={mode}]) button").click()
    page.wait_for_url("**/t/*/")
    wait_until_mine(page)
    before = int(page.locator("#live").get_attribute("data-plies"))
    card = page.locator("#live input[type=radio][name=move]").first
    if card.count():
        page.locator(f"label[for={card.get_attribute('id')}]").first.click()
    page.locator("#live button[form=act]:not([formaction])").first.click()
    for _ in range(40):
        page.wait_for_timeout(250)
        if int(page.locator("#live").get_attribute("data-plies")) > before:
            break
    else:
        raise AssertionError("the card was not played")
    assert time.monotonic() - begun < 60


def test_two_newcomers_meet_at_a_table_by_link(browser_page):
    host, friend = browser_page(locale=EN), browser_page(size=PHONE, locale=EN)
    host.goto("/new/")
    host.locator("[name=visibility][value=link]").check()
    host.locator("[name=seats][value='2']").check()
    host.get_by_role("button", name="Open the table").click()
    host.wait_for_url("**/t/*/")
    link = host.locator("#invite-url").input_value()
    friend.goto(link)
    assert "?i=" not in friend.url
    friend.get_by_role("button", name="Sit down").click()
    for page in (host, friend):
        page.locator("#live:not(.waiting)").wait_for()


def test_choices_that_do_not_fit_cannot_be_made(browser_page):
    page = browser_page(locale=EN)
    page.goto("/new/")
    two = page.locator("[name=seats][value='2']")
    cards = page.locator("[name=cards], [name=cartes]").first
    two.check()
    assert cards.is_visible()
    page.locator("[name=mode][value=piegeur]").check()
    assert two.is_disabled()
    assert page.locator("[name=seats]:checked").get_attribute("value") != "2"
    assert cards.is_hidden()
    number = page.locator("[name=limite_other]")
    assert number.is_hidden()
    page.locator("[name=limite][value=other]").check()
    number.fill("45")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*/")
    assert page.get_by_text("up to 45 points").is_visible()


@pytest.mark.parametrize("js", [True, False], ids=["script", "no-script"])
def test_a_preset_sets_the_options_and_keeps_the_rest(visitor, js):
    page = visitor(locale=EN, js=js).new_page()
    page.goto("/new/?game=cinq_rois")
    page.locator("[name=seats][value='3']").check()
    official = page.get_by_role("button", name="Official rules")
    assert official.get_attribute("aria-pressed") == "false"
    official.click()
    page.locator("button[value=officielle][aria-pressed=true]").wait_for()
    assert page.locator("[name=bareme]:checked").get_attribute("value") == "officiel"
    assert page.locator("[name=seats]:checked").get_attribute("value") == "3"
    page.locator("[name=bareme][value=maison]").check()
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*/")
    assert page.get_by_text("kings 25").is_visible()
    assert page.get_by_text("one more turn").is_visible()


@pytest.mark.parametrize("js", [True, False], ids=["script", "no-script"])
def test_two_players_are_offered_only_what_fits(visitor, js):
    page = visitor(locale=EN, js=js).new_page()
    page.goto("/new/")
    hundred, fifty = (page.locator(f".tile:has([name=limite][value='{value}'])") for value in (100, 50))
    hundred.click()
    assert page.get_by_text("This does not go with that number of players").first.is_hidden()
    page.locator(".tile:has([name=seats][value='2'])").click()
    assert fifty.is_visible()
    if js:
        assert hundred.is_hidden()
        assert page.locator("[name=limite]:checked").get_attribute("value") == "30"
    else:
        assert page.get_by_text("This does not go with that number of players").first.is_visible()
        fifty.click()
        assert hundred.is_hidden()
    page.locator(".tile:has([name=mode][value=piegeur])").click()
    page.locator(".tile:has([name=seats][value='3'])").click()
    assert page.locator(".tile:has([name=seats][value='2'])").is_hidden()


@pytest.mark.parametrize("path", ["/", "/lobby/", "/new/", "/tables/", "/rules/cinq/", "/help/auto/"])
@pytest.mark.parametrize(
    ("size", "dark"), [({"width": 320, "height": 640}, True), (DESK, False)], ids=["phone-dark", "desk-light"]
)
def test_pages_are_accessible_and_fit(browser_page, axe, path, size, dark):
    page = browser_page(size=size, dark=dark)
    page.goto(path)
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
