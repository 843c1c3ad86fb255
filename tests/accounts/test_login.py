"""Login, reset, change of password and of address; limits on guessing; redirects that stay on the site."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from accounts.models import User
from tests.accounts.test_signup import link_in
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


def log_in(client: Client, email: str, password: str = PASSWORD, **extra: Any) -> Any:
    return client.post("/accounts/login/", {"login": email, "password": password}, **extra)


def prove(client: Client, path: str) -> Any:
    """Give the password again, as the answer to a sensitive change asks; the change then goes through."""
    return client.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": path})


@pytest.fixture
def limited(settings: Any) -> None:
    settings.RATE_LIMITS_ENABLED = True


def test_a_login_gives_a_new_session(client: Client, alice: User) -> None:
    client.get("/accounts/login/")
    session = client.session
    session["planted"] = 1
    session.save()
    client.cookies["sessionid"] = before = session.session_key
    response = log_in(client, "alice@example.org")
    assert (response.status_code, response.url) == (302, "/")
    assert client.session.session_key != before
    assert client.session["_auth_user_id"] == str(alice.pk)


def test_wrong_password_and_unknown_address_get_the_same_answer(alice: User) -> None:
    a = log_in(Client(), "alice@example.org", "faux")
    b = log_in(Client(), "personne@example.org", "faux")
    assert a.status_code == b.status_code == 200
    assert a.context["form"].errors == b.context["form"].errors
    assert sorted(a.cookies) == sorted(b.cookies)


def test_reset_answers_the_same_for_known_and_unknown(alice: User) -> None:
    answers = [Client().post("/accounts/password/reset/", {"email": e}) for e in ("alice@example.org", "personne@example.org")]
    assert answers[0].status_code == answers[1].status_code == 302
    assert answers[0].url == answers[1].url
    assert [m.to for m in mail.outbox] == [["alice@example.org"], ["personne@example.org"]]


PAYLOADS = [
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "https://evil.example/",
    "https:evil.example",
    "http:///evil.example",
    "/\t/evil.example",
    "\t//evil.example",
    " //evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "//testserver@evil.example",
    "https://testserver@evil.example/",
    "https://testserver.evil.example/",
    "//evil。example",
    "evil.example",
    "?next=//evil.example/../..",
]


@pytest.mark.parametrize("target", PAYLOADS)
def test_no_redirect_leaves_the_site(alice: User, target: str) -> None:
    client = Client()
    answers = [
        log_in(client, "alice@example.org"),
        client.post("/accounts/logout/", {"next": target}),
        client.post("/accounts/login/", {"login": "alice@example.org", "password": PASSWORD, "next": target}),
        client.post("/lang/", {"language": "es", "next": target}),
    ]
    for answer in answers:
        assert answer.status_code in (302, 303)
        assert answer.url.startswith("/")
        assert "evil" not in answer.url


def test_a_path_of_the_site_is_followed(client: Client, alice: User) -> None:
    answer = client.post("/accounts/login/", {"login": "alice@example.org", "password": PASSWORD, "next": "/tables/?x=1"})
    assert answer.url == "/tables/?x=1"


def test_five_wrong_passwords_close_the_account_for_five_minutes(limited: None, alice: User) -> None:
    variants = ["alice@example.org", "ALICE@example.org", "alice+x@example.org", " alice@example.org", "alice@EXAMPLE.org"]
    for variant in variants:
        assert log_in(Client(), variant, "faux").status_code == 200
    answer = log_in(Client(), "alice@example.org", PASSWORD)
    assert answer.status_code == 429
    assert 0 < int(answer.headers["Retry-After"]) <= 300


def test_the_owner_still_gets_in_from_a_browser_he_has_used(limited: None, alice: User) -> None:
    own = Client()
    assert log_in(own, "alice@example.org").status_code == 302
    own.post("/accounts/logout/")
    stranger = Client(REMOTE_ADDR="198.51.100.9")
    for _ in range(5):
        log_in(stranger, "alice@example.org", "faux")
    assert log_in(stranger, "alice@example.org").status_code == 429
    assert log_in(Client(), "alice@example.org").status_code == 429
    assert log_in(own, "alice@example.org").status_code == 302


def test_a_forged_device_cookie_opens_nothing(limited: None, alice: User) -> None:
    for _ in range(5):
        log_in(Client(), "alice@example.org", "faux")
    forger = Client()
    forger.cookies["device"] = "eyJpZCI6IngiLCJhY2NvdW50cyI6W119:forged"
    assert log_in(forger, "alice@example.org").status_code == 429


def test_a_mailed_link_lets_the_owner_in_again(limited: None, alice: User) -> None:
    for _ in range(5):
        log_in(Client(REMOTE_ADDR="198.51.100.9"), "alice@example.org", "faux")
    client = Client()
    client.post("/accounts/password/reset/", {"email": "alice@example.org"})
    form = client.get(link_in(mail.outbox[-1])).url
    new = "encore-un-mot-secret"
    assert client.post(form, {"password1": new, "password2": new}).status_code == 302
    assert client.session["_auth_user_id"] == str(alice.pk)
    assert log_in(Client(), "alice@example.org", new).status_code == 302


def test_ten_tries_a_minute_from_an_address_right_ones_included(limited: None, alice: User) -> None:
    for number in range(9):
        assert log_in(Client(), f"somebody{number}@example.org", "faux").status_code == 200
    assert log_in(Client(), "alice@example.org").status_code == 302
    assert log_in(Client(), "alice@example.org").status_code == 429
    # Neither a made-up header nor another door changes the address.
    assert log_in(Client(), "alice@example.org", headers={"x-forwarded-for": "203.0.113.77"}).status_code == 429
    assert log_in(Client(REMOTE_ADDR="203.0.113.77"), "alice@example.org").status_code == 302


def test_three_mails_an_hour_to_one_address_and_no_word_about_it(limited: None, alice: User) -> None:
    answers = [
        Client(REMOTE_ADDR=f"203.0.113.{n}").post("/accounts/password/reset/", {"email": "alice@example.org"}) for n in range(6)
    ]
    assert {(a.status_code, a.url) for a in answers} == {(302, "/accounts/password/reset/done/")}
    assert len(mail.outbox) == 3


def test_twenty_mails_an_hour_from_one_address(limited: None, db: None) -> None:
    codes = [Client().post("/accounts/password/reset/", {"email": f"n{n}@example.org"}).status_code for n in range(22)]
    assert codes == [302] * 20 + [429] * 2


def test_a_reset_link_works_once(alice: User) -> None:
    Client().post("/accounts/password/reset/", {"email": "alice@example.org"})
    link = link_in(mail.outbox[0])
    first, second = Client(), Client()
    forms = [c.get(link).url for c in (first, second)]
    new = "encore-un-mot-secret"
    # Both pages are open; a page that was refused for another reason does not use the link up.
    assert first.post(forms[0], {"password1": "court", "password2": "court"}).status_code == 200
    assert first.post(forms[0], {"password1": new, "password2": new}).status_code == 302
    assert second.post(forms[1], {"password1": "tout-autre-chose-9", "password2": "tout-autre-chose-9"}).status_code == 200
    alice.refresh_from_db()
    assert alice.check_password(new)
    assert Client().get(link).status_code == 200  # says that it is used


def test_changing_the_password_ends_every_session_and_tells_the_owner(client_of: Callable[..., Client], alice: User) -> None:
    one, two = client_of(alice), client_of(alice)
    log_in(one, "alice@example.org")
    new = "encore-un-mot-secret"
    answer = one.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert answer.status_code == 302
    for client in (one, two):
        assert client.get("/settings/").status_code == 302
    (message,) = mail.outbox
    assert message.to == ["alice@example.org"]


def test_the_present_password_cannot_be_guessed_in_an_open_session(
    limited: None, client_of: Callable[..., Client], alice: User
) -> None:
    client = client_of(alice)
    guess = {"oldpassword": "faux", "password1": "encore-un-mot", "password2": "encore-un-mot"}
    codes = [client.post("/accounts/password/change/", guess).status_code for _ in range(6)]
    assert codes == [200] * 5 + [429]


def test_a_new_address_waits_for_its_button_and_the_old_one_is_told(alice: User) -> None:
    client = Client()
    log_in(client, "alice@example.org")
    client.post("/accounts/email/", {"email": "neuve@example.org", "action_add": "1"})
    prove(client, "/accounts/email/")
    assert EmailAddress.objects.get(user=alice, verified=True).email == "alice@example.org"
    (confirmation,) = mail.outbox
    assert confirmation.to == ["neuve@example.org"]
    client.post(link_in(confirmation))
    assert [(e.email, e.verified) for e in EmailAddress.objects.filter(user=alice)] == [("neuve@example.org", True)]
    assert mail.outbox[-1].to == ["alice@example.org"]


def test_a_new_address_needs_the_password_again(client_of: Callable[..., Client], alice: User) -> None:
    client = client_of(alice)
    log_in(client, "alice@example.org")
    answer = client.post("/accounts/email/", {"email": "neuve@example.org", "action_add": "1"})
    assert answer.url.startswith("/accounts/reauthenticate/")
    assert mail.outbox == []


def test_an_address_of_somebody_else_is_not_told(alice: User, bob: User) -> None:
    client = Client()
    log_in(client, "alice@example.org")
    client.post("/accounts/email/", {"email": "bob@example.org", "action_add": "1"})
    assert prove(client, "/accounts/email/").status_code == 302
    assert mail.outbox[-1].to == ["bob@example.org"]
    # ... and whoever presses that link gains nothing.
    Client().post(link_in(mail.outbox[-1]))
    assert EmailAddress.objects.get(email="bob@example.org", verified=True).user == bob


def test_logging_out_needs_a_post(client_of: Callable[..., Client], alice: User) -> None:
    client = client_of(alice)
    client.get("/accounts/logout/")
    assert client.get("/settings/").status_code == 200
    client.post("/accounts/logout/")
    assert client.get("/settings/").status_code == 302


def test_an_inactive_account_cannot_log_in(alice: User) -> None:
    alice.is_active = False
    alice.save()
    client = Client()
    assert log_in(client, "alice@example.org").url == "/accounts/inactive/"
    assert "_auth_user_id" not in client.session
