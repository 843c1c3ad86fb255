"""Codes by mail: login, sign-up and fresh proof without a password; nothing told about who has an account."""

from __future__ import annotations

import re
import statistics
import time
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client

from accounts import guests, registration
from accounts.models import User
from games.services import tables
from tests.accounts.test_login import log_in, prove
from tests.accounts.test_signup import sign_up
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db
REQUEST, CONFIRM = "/accounts/login/code/", "/accounts/login/code/confirm/"


def code_in(message: Any) -> str:
    """The code of a mail: a line of its own."""
    return re.search(r"^[A-Z0-9]{4}-[A-Z0-9]{4}$", message.body, re.MULTILINE)[0]  # type: ignore[index]


def test_a_code_logs_in(client: Client, alice: User) -> None:
    answer = client.post(REQUEST, {"email": "alice@example.org", "next": "/lobby/"})
    assert answer.url == f"{CONFIRM}?next=%2Flobby%2F"
    assert "_auth_user_id" not in client.session
    assert client.get(CONFIRM).status_code == 200
    done = client.post(CONFIRM, {"code": code_in(mail.outbox[0]).lower(), "next": "/lobby/"})
    assert (done.status_code, done.url) == (302, "/lobby/")
    assert client.session["_auth_user_id"] == str(alice.pk)
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)


def test_a_code_is_of_one_browser_and_one_use(client: Client, alice: User) -> None:
    client.post(REQUEST, {"email": "alice@example.org"})
    code = code_in(mail.outbox[0])
    other = Client()
    assert other.post(CONFIRM, {"code": code}).url == REQUEST
    client.post(CONFIRM, {"code": code})
    client.post("/accounts/logout/")
    assert client.post(CONFIRM, {"code": code}).url == REQUEST
    assert "_auth_user_id" not in client.session


def test_five_wrong_codes_end_the_try(client: Client, alice: User) -> None:
    client.post(REQUEST, {"email": "alice@example.org"})
    assert [client.post(CONFIRM, {"code": f"AAAA-AAA{n}"}).status_code for n in range(5)] == [200] * 4 + [302]
    assert client.post(CONFIRM, {"code": code_in(mail.outbox[0])}).url == REQUEST
    assert "_auth_user_id" not in client.session


def test_an_old_code_is_none(client: Client, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    client.post(REQUEST, {"email": "alice@example.org"})
    present = time.time
    monkeypatch.setattr(time, "time", lambda: present() + 601)
    assert client.post(CONFIRM, {"code": code_in(mail.outbox[0])}).url == REQUEST
    assert "_auth_user_id" not in client.session


def test_known_and_unknown_addresses_get_the_same_answers(alice: User) -> None:
    known, unknown = Client(), Client()
    pairs = []
    for client, email in ((known, "alice@example.org"), (unknown, "personne@example.org")):
        first = client.post(REQUEST, {"email": email})
        page = client.get(CONFIRM)
        wrong = client.post(CONFIRM, {"code": "AAAA-AAAA"})
        text = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page.content.decode()).replace(email, "")
        pairs.append(
            (first.status_code, first.url, sorted(first.cookies), sorted(first.headers), text, wrong.context["form"].errors)
        )
    assert pairs[0] == pairs[1]
    assert [m.to for m in mail.outbox] == [["alice@example.org"], ["personne@example.org"]]


@pytest.mark.slow
def test_known_and_unknown_addresses_take_the_same_time(alice: User) -> None:
    times: dict[str, list[float]] = {"alice@example.org": [], "personne@example.org": []}
    for number in range(120):
        for email in sorted(times, reverse=bool(number % 2)):
            client = Client()
            begun = time.perf_counter()
            client.post(REQUEST, {"email": email})
            times[email].append(time.perf_counter() - begun)
    known, unknown = (statistics.median(found) for found in times.values())
    assert abs(known - unknown) < 0.010


def test_codes_are_throttled_in_silence(alice: User, settings: Any) -> None:
    settings.RATE_LIMITS_ENABLED = True
    answers = [Client(REMOTE_ADDR=f"203.0.113.{n}").post(REQUEST, {"email": "alice@example.org"}) for n in range(6)]
    assert {(a.status_code, a.url) for a in answers} == {(302, CONFIRM)}
    assert len(mail.outbox) == 3


def test_a_squatter_s_password_ends_when_the_owner_comes_by_code(client: Client) -> None:
    squatter = Client()
    sign_up(squatter, name="Squatteur", email="victim@example.org")
    mail.outbox.clear()
    client.post(REQUEST, {"email": "victim@example.org"})
    client.post(CONFIRM, {"code": code_in(mail.outbox[0])})
    user = User.objects.get()
    assert client.session["_auth_user_id"] == str(user.pk)
    assert client.get("/settings/").status_code == 200
    assert EmailAddress.objects.get().verified
    assert not user.has_usable_password()
    assert log_in(squatter, "victim@example.org", "un-bon-mot-de-passe").status_code == 200
    assert "_auth_user_id" not in squatter.session


def test_sign_up_without_a_password(client: Client) -> None:
    client.post("/accounts/signup/", {"username": "Nadia", "email": "nadia@example.org", "password1": ""})
    page = client.get("/accounts/confirm-email/")
    assert "/accounts/confirm-code/" in page.content.decode()
    assert client.post("/accounts/confirm-code/", {"code": "AAAA-AAAA"}).url == "/accounts/confirm-email/"
    assert Client().post("/accounts/confirm-code/", {"code": code_in(mail.outbox[0])}).url == "/accounts/confirm-email/"
    done = client.post("/accounts/confirm-code/", {"code": code_in(mail.outbox[0])})
    assert (done.status_code, done.url) == (302, "/")
    user = User.objects.get()
    assert client.session["_auth_user_id"] == str(user.pk)
    assert not user.has_usable_password()


def test_a_code_cannot_be_guessed_at_the_confirmation(client: Client, settings: Any) -> None:
    settings.RATE_LIMITS_ENABLED = True
    sign_up(client)
    codes = [client.post("/accounts/confirm-code/", {"code": "AAAA-AAAA"}).status_code for _ in range(11)]
    assert codes == [302] * 10 + [429]


def test_an_address_with_an_account_answers_no_differently_at_the_confirmation(alice: User) -> None:
    known, unknown = Client(), Client()
    answers = []
    for client, name, email in ((known, "Nadia", "alice@example.org"), (unknown, "Nora", "nora@example.org")):
        sign_up(client, name, email)
        wrong = client.post("/accounts/confirm-code/", {"code": "AAAA-AAAA"})
        answers.append((wrong.status_code, wrong.url, client.get(wrong.url).status_code))
    assert answers[0] == answers[1]
    assert not re.search(r"^[A-Z0-9]{4}-[A-Z0-9]{4}$", mail.outbox[0].body, re.MULTILINE)


def test_who_has_no_password_proves_himself_by_a_code(client_of: Any) -> None:
    user = registration.create_person("Nadia", "nadia@example.org", None)
    client = client_of(user)
    stop = client.post("/accounts/email/", {"email": "neuve@example.org", "action_add": "1"})
    assert stop.url.startswith("/accounts/reauthenticate/code/")
    page = client.get(stop.url)
    assert page.status_code == 200
    asked = client.post("/accounts/reauthenticate/code/", {"recipient": "nadia@example.org", "next": "/accounts/email/"})
    assert client.get(asked.url).status_code == 200
    client.post("/accounts/reauthenticate/code/confirm/", {"code": code_in(mail.outbox[0]), "next": "/accounts/email/"})
    assert EmailAddress.objects.filter(user=user, email="neuve@example.org").exists()
    # The proof is good for the old address only: the new one waits for its button, and carries no code.
    assert mail.outbox[-1].to == ["neuve@example.org"]
    assert not re.search(r"^[A-Z0-9]{4}-[A-Z0-9]{4}$", mail.outbox[-1].body, re.MULTILINE)


def test_no_address_of_the_network_is_kept_while_a_change_waits(alice: User) -> None:
    client = Client(REMOTE_ADDR="203.0.113.45", headers={"x-forwarded-for": "203.0.113.46", "user-agent": "Secret-Agent"})
    log_in(client, "alice@example.org")
    client.post("/accounts/email/", {"email": "neuve@example.org", "action_add": "1"})

    def stored() -> str:
        return str([session.get_decoded() for session in Session.objects.all()])

    assert "neuve%40example.org" in stored()
    assert "203.0.113" not in stored()
    assert "Secret-Agent" not in stored()
    # A wrong password, too, leaves nothing; the right one lets the change through.
    assert client.post("/accounts/reauthenticate/", {"password": "faux", "next": "/accounts/email/"}).status_code == 200
    assert "203.0.113" not in stored()
    prove(client, "/accounts/email/")
    assert EmailAddress.objects.filter(email="neuve@example.org").exists()
    assert "203.0.113" not in stored()


IN_APP = [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 [FBAN/MessengerForiOS;FBAV/460.0]",
    "Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 Chrome/124.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/465.0]",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Instagram 330.0.3",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari Line/14.7.0",
]
PLAIN = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1"


@pytest.mark.parametrize("where", ["login", "signup"])
@pytest.mark.parametrize("agent", [*IN_APP, PLAIN])
def test_inside_an_app_the_browser_is_proposed_and_the_code_comes_first(provider: Any, agent: str, where: str) -> None:
    text = Client(headers={"user-agent": agent}).get(f"/accounts/{where}/").content.decode()
    assert ('id="outside"' in text) == (agent != PLAIN)
    assert ('href="intent://' in text) == ("Android" in agent)
    first = min(
        (text.find(mark), mark) for mark in ("data-provider", 'name="email"', 'name="login"', "login/code/") if mark in text
    )
    assert (first[1] == "data-provider") == (agent == PLAIN)


def test_the_invitation_goes_along_to_the_other_browser(alice: User, client_of: Any) -> None:
    plan = {"options": {}, "seats": 3, "pace": 86400, "visibility": "link", "competitive": False}
    table = tables.open_table(user=alice, game="cinq", **plan)
    inside = Client(headers={"user-agent": IN_APP[0]})
    inside.get(f"/t/{table.code}/?i={table.token}")
    page = inside.get(f"/accounts/login/?next=/t/{table.code}/").content.decode()
    address = re.search(r'id="outside" value="https?://[^/"]+([^"]+)"', page)[1]  # type: ignore[index]
    assert address == f"/t/{table.code}/?i={table.token}"
    assert Client().get(address).status_code == 303
    assert guests.SESSION_KEY not in inside.session
