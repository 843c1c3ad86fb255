"""The settings page in a browser: on a phone, by keyboard, with and without script; and what the choices change."""

from __future__ import annotations

import pytest

from tests.conftest import DESK, PHONE

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_it_fits_a_phone_and_is_accessible(browser_page, axe, dark):
    page = browser_page("alice", size=PHONE, dark=dark)
    page.goto("/settings/")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert axe(page) == []


@pytest.mark.parametrize("js", [True, False], ids=["script", "no-script"])
def test_a_dark_page_and_another_avatar_without_a_flash(browser_page, js):
    page = browser_page("bob", size=PHONE, js=js)
    page.goto("/settings/")
    page.locator("label:has([name=colour][value=violet])").click()
    page.locator("label:has([name=figure][value=rey])").click()
    page.locator("form.faces button[type=submit]").click()
    page.wait_for_load_state()
    assert page.locator(".swatches [name=figure]:checked").get_attribute("value") == "rey"
    page.locator("[name=theme][value=dark]").check()
    page.locator("form[action='/settings/'] button[type=submit]").click()
    page.wait_for_load_state()
    # The server has written it: the page is dark before any script runs.
    assert page.locator("html.theme-dark").count() == 1
    assert page.locator("meta[name=color-scheme]").get_attribute("content") == "dark"
    page.goto("/lobby/")
    assert page.locator("html.theme-dark").count() == 1
    page.locator(".menu summary").click()
    assert page.locator(".menu nav .avatar.face.av-violet").is_visible()


def test_a_guests_deadlines_are_told_in_his_own_zone(browser_page):
    page = browser_page(size=DESK, timezone="Pacific/Noumea")
    page.goto("/")
    page.locator("form:has([name=mode][value=classique]) button").click()
    page.wait_for_url("**/t/*/")
    page.goto("/settings/")
    assert page.locator("[name=timezone]").input_value() == "Pacific/Noumea"
    assert page.locator("html").get_attribute("data-zone") == "Pacific/Noumea"


def test_the_legal_pages_are_accessible_and_fit(browser_page, axe):
    for size in (PHONE, DESK):
        page = browser_page(size=size)
        for name in ("notice", "privacy", "conduct"):
            page.goto(f"/legal/{name}/")
            assert axe(page) == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
