"""A staked match between two people in Chromium, with and without JavaScript: stake, abandonment, vote, receipt."""

from __future__ import annotations

import re

import pytest

from tests.conftest import DESK, PHONE

ABANDON = "main form button.danger"


@pytest.mark.parametrize(("js", "size"), [(True, PHONE), (False, DESK)])
def test_stake_abandon_vote_receipt(browser_page, axe, js, size):
    alice, bob = (browser_page(who, js=js, size=size) for who in ("alice", "bob"))
    alice.goto("/new/?game=cinq&seats=2&competitive=1")
    alice.locator("[name=stake][value='50']").check()
    alice.locator("form.new button.big").click()
    alice.wait_for_url(re.compile("/t/[0-9A-Z]{10}/$"))
    bob.goto(alice.url)
    text = bob.locator("main").inner_text()
    assert "Qui reçoit quoi" in text
    assert "cagnotte est de 100" in text.replace("\u202f", " ")
    if js:
        assert axe(bob) == []
    bob.get_by_role("button", name="Prendre place").click()
    bob.locator("#turn").wait_for()
    alice.goto(alice.url)
    alice.locator("#leave summary").click()
    alice.locator("#leave a.danger").click()
    assert "Votre mise de 50 jetons" in alice.locator("main").inner_text()
    if js:
        assert axe(alice) == []
    alice.locator(ABANDON).click()
    alice.wait_for_url(re.compile("/t/[0-9A-Z]{10}/$"))
    if not js:
        bob.goto(bob.url)
    bob.locator(".result").wait_for()
    found = bob.locator(".result").inner_text()
    assert "+50 jetons" in found
    assert "+20 XP" in found
    if js:
        assert axe(bob) == []
    bob.get_by_role("button", name="Oui, pénaliser").click()
    bob.get_by_text("Pénalité votée par les autres pour abandon.").wait_for()
    bob.goto("/wallet/")
    assert "Cagnotte" in bob.locator("main").inner_text()
    if js:
        assert axe(bob) == []
