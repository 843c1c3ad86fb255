"""Two people talk at a table in real browsers: pushed like a move, kept through a repaint, folded after a block."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

PHONE = {"width": 360, "height": 740}

OPEN = """
from accounts.models import User
from tests.playing import open_for
result = open_for(*[User.objects.get(username=name) for name in ("Alice", "Bob", "Carla")]).code
"""
PLAY = """
from django.utils import timezone
from games.models import Table
from tests.playing import play_one
result = play_one(Table.objects.get(code=CODE)).ply
"""
BLOCK = """
from accounts import ties
from accounts.models import User
names = {user.username: user for user in User.objects.filter(username__in=("Alice", "Bob"))}
(ties.block if ON else ties.unblock)(names["Alice"], names["Bob"] if ON else names["Bob"].pk)
"""
NASTY = "<img src=x onerror=alert(1)> https://example.org/ \u202egro"


@pytest.fixture
def path(site):
    yield f"/t/{site.run(OPEN)}/"
    site.run(BLOCK, ON=False)


def test_two_people_talk_on_their_phones(site, browser_page, path):
    alice, bob = browser_page("alice", size=PHONE), browser_page("bob", size=PHONE)
    dialogs: list[str] = []
    for page in (alice, bob):
        page.on("dialog", lambda dialog: dialogs.append(dialog.message))
        page.goto(path)
    bob.locator("#chat > summary").click()
    bob.locator("#say").fill("Bonjour Alice !")
    bob.locator("#say").press("Enter")
    expect(bob.locator(".said .text")).to_have_text(["Bonjour Alice !"])
    expect(bob.locator("#say")).to_have_value("")
    # Pushed to the other, who has the chat closed: a number in the head, a word in the toast.
    expect(alice.locator("#talk-link")).to_have_attribute("data-unread", "1")
    expect(alice.locator("#talk-link .badge")).to_be_visible()
    alice.locator("#talk-link").click()
    expect(alice.locator(".said .text")).to_be_visible()
    expect(alice.locator("#talk-link .badge")).to_have_count(0)
    # A half-written message, with its caret, outlives a repaint by a move and by a message.
    alice.locator("#say").press_sequentially("Attends")
    site.run(PLAY, CODE=path.split("/")[2])
    bob.locator("#say").fill(NASTY)
    bob.locator(".say .btn").click()
    expect(alice.locator(".said .text")).to_have_text(["Bonjour Alice !", NASTY.replace("\u202e", "")])
    expect(alice.locator("#say")).to_have_value("Attends")
    expect(alice.locator("#say")).to_be_focused()
    assert alice.locator(".said .text a, .said .text img").count() == 0
    # Once blocked, what he wrote and writes is folded here, and nothing tells him.
    site.run(BLOCK, ON=True)
    bob.locator("#say").fill("Tu es là ?")
    bob.locator("#say").press("Enter")
    expect(alice.locator(".said details")).to_have_count(3)
    expect(alice.locator(".said .text").last).to_be_hidden()
    alice.locator(".said details summary").last.click()
    expect(alice.locator(".said .text").last).to_have_text("Tu es là ?")
    expect(bob.locator(".said details")).to_have_count(0)
    for page in (alice, bob):
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert dialogs == []


def test_muting_without_javascript(site, browser_page, path, axe):
    carla, bob = browser_page("carla", size=PHONE, js=False), browser_page("bob", size=PHONE)
    carla.goto(f"{path}chat/")
    carla.locator("#say").fill("Ça va ?")
    carla.locator("main .btn.primary").click()
    expect(carla.locator(".said .text")).to_have_text(["Ça va ?"])
    bob.goto(path)
    bob.locator("#talk-link").click()
    bob.locator("#writers > summary").click()
    bob.locator("#writers button").click()
    expect(bob.locator(".said details")).to_have_count(1)
    expect(bob.locator(".said .text")).to_be_hidden()
    assert axe(bob) == []
    bob.locator("#writers button").click()
    expect(bob.locator(".said .text")).to_be_visible()
