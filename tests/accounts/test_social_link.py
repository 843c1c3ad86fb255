"""Linking and unlinking other sites' accounts: after a fresh proof, with a mail each time, and never the last way in."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.core import mail
from django.db import connections
from django.test import Client

from accounts import registration
from accounts.models import User
from tests.accounts.social import SECOND, Provider, user_id
from tests.accounts.test_login import log_in, prove

PAGE = "/accounts/3rdparty/"
SIGNUP = "/accounts/3rdparty/signup/"


@pytest.fixture
def signed_in(db: None, alice: User) -> Client:
    """Alice, signed in by password."""
    client = Client()
    log_in(client, "alice@example.org")
    return client


def linked(user: User) -> list[str]:
    return sorted(SocialAccount.objects.filter(user=user).values_list("provider", flat=True))


def test_linking_asks_who_one_is_and_tells_the_owner(provider: Provider, signed_in: Client, alice: User) -> None:
    answer = provider.trip(
        signed_in, provider.person(given_name="Alicia", email="a@other.example", email_verified=True), "connect"
    )
    assert answer.status_code == 302
    assert answer.url.startswith("/accounts/reauthenticate/")
    assert linked(alice) == []
    assert prove(signed_in, PAGE).url == PAGE
    assert linked(alice) == ["oidc"]
    (message,) = mail.outbox
    assert message.to == ["alice@example.org"]
    page = signed_in.get(PAGE).content.decode()
    assert "a@other.example" in page
    # The provider's address does not become one of the account's.
    assert [a.email for a in EmailAddress.objects.filter(user=alice)] == ["alice@example.org"]


def test_the_linked_account_logs_in(provider: Provider, signed_in: Client, alice: User) -> None:
    sub = provider.person(given_name="Alicia")
    provider.trip(signed_in, sub, "connect")
    prove(signed_in, PAGE)
    other = Client()
    provider.trip(other, sub)
    assert user_id(other) == str(alice.pk)


def test_an_account_of_somebody_else_is_not_taken_over(provider: Provider, signed_in: Client, alice: User) -> None:
    sub = provider.person(given_name="Nadia")
    owner = Client()
    provider.trip(owner, sub)
    prove(signed_in, PAGE)
    assert provider.trip(signed_in, sub, "connect").url == PAGE
    assert linked(alice) == []
    assert user_id(owner) == str(SocialAccount.objects.get().user_id)


def test_unlinking_asks_too_and_tells_the_owner(provider: Provider, signed_in: Client, alice: User) -> None:
    SocialAccount.objects.create(user=alice, provider="oidc", uid="x")
    pk = SocialAccount.objects.get().pk
    answer = signed_in.post(PAGE, {"account": pk})
    assert answer.url.startswith("/accounts/reauthenticate/")
    assert linked(alice) == ["oidc"]
    prove(signed_in, PAGE)
    assert linked(alice) == []
    assert [m.to for m in mail.outbox] == [["alice@example.org"]]


def test_the_last_way_in_stays(provider: Provider, client: Client) -> None:
    provider.trip(client, provider.person(given_name="Nadia"))
    user = User.objects.get()
    answer = client.post(PAGE, {"account": SocialAccount.objects.get().pk})
    assert answer.status_code == 200
    assert answer.context["form"].errors
    assert linked(user) == ["oidc"]
    # An account of a provider that the site no longer offers is no way in.
    SocialAccount.objects.create(user=user, provider="gone", uid="y")
    assert client.post(PAGE, {"account": SocialAccount.objects.get(provider="oidc").pk}).context["form"].errors
    assert client.get(PAGE).status_code == 200


def test_nobody_unlinks_for_another(provider: Provider, signed_in: Client, bob: User) -> None:
    SocialAccount.objects.create(user=bob, provider="oidc", uid="x")
    prove(signed_in, PAGE)
    assert signed_in.post(PAGE, {"account": SocialAccount.objects.get().pk}).status_code == 200
    assert linked(bob) == ["oidc"]


def test_who_has_no_password_proves_himself_by_the_provider(provider: Provider, client: Client) -> None:
    sub = provider.person(given_name="Nadia")
    provider.trip(client, sub)
    user = User.objects.get()
    other = provider.person(given_name="Nadia B.")
    stop = provider.trip(client, other, "connect", SECOND)
    assert stop.url.startswith("/accounts/3rdparty/prove/")
    page = client.get(stop.url)
    assert "/accounts/oidc/oidc/login/" in page.content.decode()
    # Somebody else's account proves nothing.
    assert provider.trip(client, provider.person(given_name="X"), "redirect", next=PAGE).status_code == 400
    assert linked(user) == ["oidc"]
    assert provider.trip(client, sub, "redirect", next=PAGE).url == PAGE
    assert linked(user) == ["oidc", SECOND]
    # Now one of them may go, for as long as the proof is fresh.
    assert client.post(PAGE, {"account": SocialAccount.objects.get(provider="oidc").pk}).url == PAGE
    assert linked(user) == [SECOND]


def test_a_stranger_proves_nothing(provider: Provider, client: Client) -> None:
    assert provider.trip(client, provider.person(given_name="Nadia"), "redirect").status_code == 400
    assert user_id(client) is None
    assert client.get("/accounts/3rdparty/prove/").status_code == 302


def test_the_page_is_the_owner_s(client: Client) -> None:
    assert client.get(PAGE).url.startswith("/accounts/login/")


def together(actions: list[Callable[[], Any]]) -> list[Any]:
    """Run all at the same time, each in a thread with a connection of its own; their results."""
    results: list[Any] = [None] * len(actions)
    start = threading.Barrier(len(actions))

    def run(number: int) -> None:
        start.wait()
        try:
            results[number] = actions[number]()
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(actions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("claims", [{"given_name": "Nadia", "email": "nadia@example.org", "email_verified": True}, {}])
def test_callbacks_in_the_same_instant_make_one_account(provider: Provider, claims: dict[str, Any]) -> None:
    sub = provider.person(**claims)
    clients = [Client() for _ in range(4)]
    backs = [provider.agree(provider.leave(client), sub) for client in clients]
    answers = together([lambda c=c, b=b: c.get(b) for c, b in zip(clients, backs, strict=True)])
    if not claims:
        names = [c.get(a.url).context["form"]["username"].value() for c, a in zip(clients, answers, strict=True)]
        assert {a.url for a in answers} == {SIGNUP}
        answers = together([lambda c=c, n=n: c.post(SIGNUP, {"username": n}) for c, n in zip(clients, names, strict=True)])
    assert [(a.status_code, a.url) for a in answers] == [(302, "/")] * 4
    assert User.objects.count() == SocialAccount.objects.count() == 1
    assert {user_id(c) for c in clients} == {str(User.objects.get().pk)}


@pytest.mark.django_db(transaction=True)
def test_two_namesakes_in_the_same_instant(provider: Provider) -> None:
    clients = [Client() for _ in range(4)]
    backs = [provider.agree(provider.leave(c), provider.person(given_name="Marie")) for c in clients]
    answers = together([lambda c=c, b=b: c.get(b) for c, b in zip(clients, backs, strict=True)])
    for client, answer in zip(clients, answers, strict=True):
        if answer.url != "/":
            name = client.get(answer.url).context["form"]["username"].value()
            assert client.post(answer.url, {"username": name}).url == "/"
    assert User.objects.count() == 4
    assert len({user_id(c) for c in clients}) == 4


@pytest.mark.django_db(transaction=True)
def test_two_unlinkings_in_the_same_instant_leave_one(provider: Provider) -> None:
    user = registration.create_person("Nadia", "nadia@example.org", None)
    EmailAddress.objects.all().delete()
    accounts = [SocialAccount.objects.create(user=user, provider=key, uid="x") for key in ("oidc", SECOND)]
    clients = []
    for _ in accounts:
        client = Client()
        client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
        provider.person("x", given_name="Nadia")
        assert provider.trip(client, "x", "redirect", next=PAGE).url == PAGE
        clients.append(client)
    together([lambda c=c, a=a: c.post(PAGE, {"account": a.pk}) for c, a in zip(clients, accounts, strict=True)])
    assert SocialAccount.objects.count() == 1
