"""Passkeys where no browser is needed: nonsense is refused, the last way in stays, staff is let in (the rest: tests/browser)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.test import Client

from accounts import access
from accounts.models import User
from tests.accounts.test_login import log_in, prove

pytestmark = pytest.mark.django_db
KEYS = "/accounts/2fa/webauthn/"
NONSENSE = ["", "x", "[]", "{}", "null", "5", '{"response": 5}', json.dumps({"id": "x", "response": {"userHandle": "AA"}})]
NONSENSE += [
    json.dumps({"id": "AA", "rawId": "AA", "type": "public-key", "response": {"clientDataJSON": "e30", "userHandle": "AQ"}})
]


def key_of(user: User, *, alone: bool = True) -> Authenticator:
    data = {"name": "Clé", "credential": {"clientExtensionResults": {"credProps": {"rk": alone}}}}
    return Authenticator.objects.create(user=user, type=Authenticator.Type.WEBAUTHN, data=data)


@pytest.fixture
def signed_in(alice: User) -> Client:
    client = Client()
    log_in(client, "alice@example.org")
    return client


@pytest.mark.parametrize("text", NONSENSE)
def test_nonsense_signs_nobody_in(client: Client, alice: User, text: str) -> None:
    begun = client.get(f"{KEYS}login/", headers={"accept": "application/json"})
    assert begun.json()["request_options"]["publicKey"]["userVerification"] == "required"
    assert client.post(f"{KEYS}login/", {"credential": text}).url == "/accounts/login/"
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("text", NONSENSE)
def test_nonsense_adds_no_key(signed_in: Client, alice: User, text: str) -> None:
    signed_in.get(f"{KEYS}add/")
    prove(signed_in, f"{KEYS}add/")
    page = signed_in.get(f"{KEYS}add/")
    entity = page.context["js_data"]["creation_options"]["publicKey"]
    assert "alice@example.org" not in str(entity)
    assert signed_in.post(f"{KEYS}add/", {"name": "x", "passwordless": "on", "credential": text}).status_code == 200
    assert not Authenticator.objects.exists()


def test_a_key_needs_a_fresh_proof(signed_in: Client, alice: User) -> None:
    key = key_of(alice)
    for path in (f"{KEYS}add/", f"{KEYS}keys/{key.pk}/remove/", f"{KEYS}keys/{key.pk}/edit/"):
        assert signed_in.post(path).url.startswith("/accounts/reauthenticate/")


def test_a_key_is_removed_unless_it_is_the_last_way_in(signed_in: Client, alice: User) -> None:
    first, second = key_of(alice), key_of(alice, alone=False)
    prove(signed_in, "/")
    EmailAddress.objects.all().delete()
    # The other key works after a password only, and no address is left.
    assert signed_in.post(f"{KEYS}keys/{first.pk}/remove/").url == KEYS
    assert Authenticator.objects.filter(pk=first.pk).exists()
    assert signed_in.post(f"{KEYS}keys/{second.pk}/remove/").url == KEYS
    assert not Authenticator.objects.filter(pk=second.pk).exists()


def test_nobody_touches_another_s_key(signed_in: Client, bob: User) -> None:
    key = key_of(bob)
    prove(signed_in, "/")
    for what in ("remove", "edit"):
        assert signed_in.post(f"{KEYS}keys/{key.pk}/{what}/", {"name": "x"}).status_code == 404
    assert Authenticator.objects.get().wrap().name == "Clé"


def test_a_key_is_asked_for_after_the_password(alice: User) -> None:
    key_of(alice)
    client = Client()
    assert log_in(client, "alice@example.org").url == "/accounts/2fa/authenticate/"
    assert "_auth_user_id" not in client.session


def test_a_key_makes_staff_ready(user_named: Any) -> None:
    admin = user_named("Rex", is_staff=True)
    assert not access.staff_ready(admin)
    key_of(admin)
    assert access.staff_ready(admin)
