"""The panel in a browser: a player reports, a moderator acts, a table host takes a match back, an administrator looks on."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.conftest import PHONE

OPEN = """
from uuid import uuid4
from accounts.models import User
from games.services import chat
from tests.playing import open_for, play_one
people = [User.objects.get(username=name) for name in ("Alice", "Bob", "Carla")]
table = open_for(*people)
for _turn in range(2):
    play_one(table)
chat.say(table.code, user=people[1], text="Va jouer ailleurs, vaurien.", request=uuid4())
result = [table.pk, table.code]
"""
STAFF = """
from allauth.account.models import EmailAddress
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group
from accounts.models import User
for name, role in (("Modeste", "moderateur"), ("Anicet", "animateur"), ("Adela", "administrateur")):
    user, made = User.objects.get_or_create(username=name, defaults={"email": f"{name.lower()}@example.org", "is_staff": True})
    if made:
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        user.groups.add(Group.objects.get(name=role))
        secret = get_adapter().encrypt("JBSWY3DPEHPK3PXP")
        Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": secret})
"""
BOB = """
from accounts.models import User
result = User.objects.get(username="Bob").pk
"""
LIFT = """
from accounts import sanctions
from accounts.models import Sanction, User
for row in Sanction.objects.filter(lifted_at=None):
    sanctions.lift(row, by=row.by)
"""


@pytest.fixture
def table(site):
    site.run(STAFF)
    yield site.run(OPEN)
    site.run(LIFT)


def act(page, words: str, **fields: str) -> None:
    """Press the button of an action, say why, and do it."""
    page.get_by_role("link", name=words, exact=True).first.click()
    for name, value in fields.items():
        page.locator(f".act-form [name={name}]").select_option(value)
    page.locator(".act-form [name=reason]").fill("Vu dans la discussion de la table.")
    page.locator(".act-form button[type=submit]").click()


def faults(axe, page) -> list[str]:
    """What axe finds; in the panel its own probing trips over the strict CSP, which is not the page's doing."""
    before = list(page.watch.errors)
    found = axe(page)
    page.watch.errors[:] = before
    return found


def test_a_report_goes_its_way(site, browser_page, axe, table):
    _pk, code = table
    alice = browser_page("alice", size=PHONE)
    alice.goto(f"/t/{code}/chat/")
    alice.get_by_role("link", name=re.compile("Signaler ce message")).click()
    expect(alice.locator("blockquote")).to_contain_text("vaurien")
    alice.locator("select[name=kind]").select_option(index=0)
    alice.locator("form textarea").fill("Il insulte tout le monde.")
    alice.get_by_role("button", name="Envoyer le signalement").click()
    alice.wait_for_url("**/reports/")
    expect(alice.locator("main")).to_contain_text("Bob")

    modeste = browser_page("Modeste")
    modeste.goto("/admin/")
    assert faults(axe, modeste) == []
    modeste.goto("/admin/staff/case/")
    modeste.locator("#result_list tbody a").first.click()
    expect(modeste.locator("#content")).to_contain_text("vaurien")
    act(modeste, "Prendre le dossier")
    modeste.goto(f"/admin/accounts/user/{site.run(BOB)}/change/")
    act(modeste, "Interdire d’écrire", days="1")
    answer = modeste.goto("/admin/act/rewind/?id=1")
    assert answer is not None and answer.status == 403
    modeste.watch.errors.clear()

    bob = browser_page("bob", size=PHONE)
    bob.goto("/sanctions/")
    expect(bob.locator("main")).to_contain_text("Insultes")
    bob.goto(f"/t/{code}/chat/")
    bob.locator("#say").fill("Encore moi.")
    bob.get_by_role("button", name="Envoyer").click()
    expect(bob.locator("[role=alert], .note.bad").first).to_be_visible()
    expect(bob.locator(".said .text")).to_have_count(1)
    bob.watch.errors.clear()


def test_a_match_is_taken_back_and_the_players_read_it(site, browser_page, axe, table):
    pk, code = table
    anicet = browser_page("Anicet", size=PHONE, dark=True)
    anicet.goto(f"/admin/games/table/{pk}/change/")
    act(anicet, "Revenir en arrière")
    assert faults(axe, anicet) == []
    alice = browser_page("alice", size=PHONE)
    alice.goto(f"/t/{code}/log/")
    expect(alice.locator("main")).to_contain_text("équipe")
    alice.goto(f"/t/{code}/")
    expect(alice.locator("#live")).to_have_attribute("data-plies", "3")

    adela = browser_page("Adela")
    adela.goto("/admin/staff/stafflog/")
    expect(adela.locator("#result_list")).to_contain_text("Anicet")
    assert faults(axe, adela) == []
