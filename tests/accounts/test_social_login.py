"""Sign-up and login by another site's account: one tap, whatever the provider sends, and nobody gets anybody's account."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.core import mail
from django.test import Client

from accounts import names, suggestions
from accounts.models import User
from tests.accounts.social import SECOND, Provider, user_id
from tests.accounts.test_signup import sign_up
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


def finish(client: Client, answer: Any, name: str | None = None) -> User:
    """Fill in the form that asks for a pseudonym (with what it proposes, unless a name is given); the new user."""
    assert (answer.status_code, answer.url) == (302, "/accounts/3rdparty/signup/")
    form = client.get(answer.url)
    assert form.status_code == 200
    assert list(form.context["form"].fields) == ["username"]
    done = client.post(answer.url, {"username": name or form.context["form"]["username"].value()})
    assert (done.status_code, done.url) == (302, "/")
    return User.objects.get(pk=user_id(client))


def test_one_tap_makes_the_account(provider: Provider, client: Client) -> None:
    sub = provider.person(given_name="Nadia", name="Nadia Benali", email="nadia@example.org", email_verified=True)
    answer = provider.trip(client, sub)
    assert (answer.status_code, answer.url) == (302, "/")
    user = User.objects.get(pk=user_id(client))
    assert (user.username, user.email, user.language) == ("Nadia", "nadia@example.org", "fr")
    assert not user.has_usable_password()
    assert EmailAddress.objects.get(user=user).verified
    account = SocialAccount.objects.get(user=user)
    assert (account.provider, account.uid) == ("oidc", sub)
    # Of all that the provider knows only the label stays; no token; no mail.
    assert account.extra_data == {"label": "nadia@example.org"}
    assert not SocialToken.objects.exists()
    assert mail.outbox == []


def test_who_comes_back_is_logged_in_whatever_he_is_called_by_then(provider: Provider) -> None:
    sub = provider.person(given_name="Nadia", email="nadia@example.org", email_verified=True)
    first, second = Client(), Client()
    provider.trip(first, sub)
    provider.person(sub, given_name="Nora", email="nora@example.org", email_verified=True)
    answer = provider.trip(second, sub, next="/lobby/")
    assert answer.url == "/lobby/"
    assert user_id(second) == user_id(first)
    assert User.objects.get().username == "Nadia"
    # The same name and address under another number is somebody else.
    provider.person("other", given_name="Nadia")
    third = Client()
    assert finish(third, provider.trip(third, "other")).pk != int(user_id(first) or 0)


@pytest.mark.parametrize(
    ("claims", "username", "email"),
    [
        ({"given_name": "Lucien"}, "Lucien", ""),
        ({"given_name": "Odile", "email": "odile@example.org", "email_verified": False}, "Odile", ""),
        ({"given_name": "Odile", "email": "odile@example.org"}, "Odile", ""),
        ({"given_name": "Zoé 🦊✨"}, "Zoé", ""),
        ({"name": "Jean-Luc Picard"}, "Jean-Luc", ""),
        ({"preferred_username": "carte_folle", "given_name": "Marc"}, "carte_folle", ""),
        ({"preferred_username": "marc@firm.example", "given_name": "Marc"}, "Marc", ""),
        ({"given_name": "Ana", "email": "no address", "email_verified": True}, "Ana", ""),
    ],
)
def test_what_a_provider_sends_is_enough(
    provider: Provider, client: Client, claims: dict[str, Any], username: str, email: str
) -> None:
    answer = provider.trip(client, provider.person(**claims))
    assert (answer.status_code, answer.url) == (302, "/")
    user = User.objects.get()
    assert (user.username, user.email) == (username, email)
    assert EmailAddress.objects.count() == 0


@pytest.mark.parametrize(
    "claims",
    [
        {},
        {"given_name": ""},
        {"given_name": "🦊🦊🦊"},
        {"given_name": "محمد"},
        {"given_name": "Al"},
        {"given_name": "admin"},
        {"name": "marie@example.org"},
        {"given_name": 5, "name": ["x"], "email": {"a": 1}},
        {"given_name": "\x00\u202e\x07"},
    ],
)
def test_without_a_usable_name_only_the_pseudonym_is_asked(provider: Provider, client: Client, claims: dict[str, Any]) -> None:
    user = finish(client, provider.trip(client, provider.person(**claims)))
    names.validate(user.username)


def test_a_taken_name_is_asked_for_with_a_free_one_proposed(provider: Provider, client: Client, alice: User) -> None:
    answer = provider.trip(client, provider.person(given_name="Alice"))
    assert user_id(client) is None
    refused = client.post(answer.url, {"username": "A1ice"})
    assert refused.status_code == 200
    assert refused.context["form"].errors["username"]
    assert finish(client, answer).username == "Alice 2"


def test_two_hundred_maries_all_find_a_name(db: None) -> None:
    keys = set()
    for number in range(200):
        name = suggestions.free_like("Marie")
        names.validate(name)
        User.objects.create(username=name)
        keys.add(names.key(name))
        assert len(keys) == number + 1


def test_an_address_that_has_an_account_never_links_by_itself(provider: Provider, client: Client, alice: User) -> None:
    sub = provider.person(given_name="Imposteur", email="Alice@Example.org", email_verified=True)
    answer = provider.trip(client, sub)
    assert answer.status_code == 409
    assert answer.templates[0].name == "socialaccount/link_first.html"
    assert "alice@example.org" in answer.content.decode()
    assert "/accounts/login/?next=/accounts/3rdparty/" in answer.content.decode()
    assert user_id(client) is None
    assert SocialAccount.objects.count() == 0
    assert User.objects.count() == 1


def test_an_unproven_address_tells_nothing_about_accounts(provider: Provider, alice: User) -> None:
    known, unknown = Client(), Client()
    a = provider.trip(known, provider.person(given_name="Piet", email="alice@example.org", email_verified=False))
    b = provider.trip(unknown, provider.person(given_name="Joost", email="nobody@example.org", email_verified=False))
    assert (a.status_code, a.url, sorted(a.cookies)) == (b.status_code, b.url, sorted(b.cookies))
    assert not EmailAddress.objects.exclude(user=alice).exists()


def test_a_pre_registered_address_gives_its_squatter_nothing(provider: Provider, client: Client) -> None:
    squatter = Client()
    sign_up(squatter, name="Squatteur", email="victim@example.org")
    assert User.objects.filter(username="Squatteur").exists()
    link = mail.outbox[0]
    answer = provider.trip(client, provider.person(given_name="Victime", email="victim@example.org", email_verified=True))
    assert answer.status_code == 302
    victim = User.objects.get(pk=user_id(client))
    assert victim.username == "Victime"
    assert EmailAddress.objects.get(email="victim@example.org").user == victim
    assert not User.objects.filter(username="Squatteur").exists()
    # Neither his password nor his browser nor the mailed link opens anything.
    tried = squatter.post("/accounts/login/", {"login": "victim@example.org", "password": PASSWORD})
    assert tried.status_code == 200
    assert user_id(squatter) is None
    from tests.accounts.test_signup import link_in

    assert squatter.post(link_in(link)).status_code == 404
    assert user_id(squatter) is None


def test_a_waiting_change_to_a_proven_address_is_dropped(provider: Provider, client: Client, alice: User) -> None:
    EmailAddress.objects.create(user=alice, email="victim@example.org", verified=False, primary=False)
    provider.trip(client, provider.person(given_name="Victime", email="victim@example.org", email_verified=True))
    assert [a.email for a in EmailAddress.objects.filter(user=alice)] == ["alice@example.org"]
    alice.refresh_from_db()
    assert alice.email == "alice@example.org"


def test_refused_consent_is_a_kind_page_without_a_session(provider: Provider, client: Client) -> None:
    address = provider.leave(client, next="/lobby/")
    # The provider of the tests forgets the state: no way back is known, but the page is the same.
    assert client.get(provider.deny(address)).status_code == 403
    answer = client.get(f"{provider.deny(address)}&state={parse_qs(urlsplit(address).query)['state'][0]}")
    assert answer.status_code == 403
    assert "/accounts/login/?next=/lobby/" in answer.content.decode()
    assert user_id(client) is None
    assert User.objects.count() == 0


def test_a_foreign_or_missing_state_makes_no_session(provider: Provider) -> None:
    sub = provider.person(given_name="Nadia")
    back = provider.agree(provider.leave(Client()), sub)
    for path in (back, back.replace("state=", "state=x"), "/accounts/oidc/oidc/login/callback/", back.partition("&state")[0]):
        stranger = Client()
        answer = stranger.get(path)
        assert answer.status_code == 400
        assert "sessionid" not in answer.cookies
    assert User.objects.count() == 0
    assert Client().get("/accounts/oidc/unknown/login/callback/?state=x").status_code == 404


def test_a_state_of_another_provider_is_refused(provider: Provider, client: Client) -> None:
    back = provider.agree(provider.leave(client), provider.person(given_name="Nadia"))
    assert client.get(back.replace("/oidc/oidc/", f"/oidc/{SECOND}/")).status_code == 400
    assert user_id(client) is None


def test_a_code_works_once_and_a_second_callback_goes_on(provider: Provider, client: Client) -> None:
    back = provider.agree(provider.leave(client), provider.person(given_name="Nadia"))
    assert client.get(back).status_code == 302
    again = client.get(back)
    assert (again.status_code, again.url) == (302, "/")
    assert Client().get(back).status_code == 400
    assert SocialAccount.objects.count() == 1


def test_opening_the_login_address_does_not_leave_the_site(provider: Provider, client: Client) -> None:
    answer = client.get("/accounts/oidc/oidc/login/")
    assert answer.status_code == 200
    assert b"<form" in answer.content
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/accounts/oidc/oidc/login/").status_code == 403


def test_state_pkce_and_scope_are_sent(provider: Provider, client: Client) -> None:
    address = provider.leave(client)
    assert "code_challenge_method=S256" in address
    assert "state=" in address
    assert "email" in address


def test_the_second_factor_is_still_asked(provider: Provider, client: Client) -> None:
    from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

    sub = provider.person(given_name="Nadia")
    provider.trip(client, sub)
    TOTP.activate(User.objects.get(), generate_totp_secret())
    other = Client()
    answer = provider.trip(other, sub)
    assert (answer.status_code, answer.url) == (302, "/accounts/2fa/authenticate/")
    assert user_id(other) is None


def test_a_closed_account_stays_closed(provider: Provider, client: Client) -> None:
    sub = provider.person(given_name="Nadia")
    provider.trip(client, sub)
    User.objects.update(is_active=False)
    other = Client()
    assert provider.trip(other, sub).url == "/accounts/inactive/"
    assert user_id(other) is None


def test_a_guest_becomes_the_account_once(provider: Provider, client_of: Any) -> None:
    from accounts.signals import guest_claimed

    guest = User(username="guest-4321", is_guest=True)
    guest.set_unusable_password()
    guest.save()
    claimed: list[tuple[int, int]] = []

    def note(sender: Any, guest: User, user: User, **kwargs: Any) -> None:
        claimed.append((guest.pk, user.pk))

    guest_claimed.connect(note)
    try:
        client = client_of(guest)
        sub = provider.person(given_name="Nadia")
        provider.trip(client, sub)
        provider.trip(Client(), sub)
    finally:
        guest_claimed.disconnect(note)
    assert claimed == [(guest.pk, int(user_id(client) or 0))]
    guest.refresh_from_db()
    assert not guest.is_active


def test_a_provider_that_fails_is_a_kind_page(provider: Provider, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    import requests

    back = provider.agree(provider.leave(client), provider.person(given_name="Nadia"))

    def down(*args: Any, **kwargs: Any) -> None:
        raise requests.ConnectionError

    with monkeypatch.context() as patch:
        patch.setattr(requests.Session, "request", down)
        assert client.post("/accounts/oidc/oidc/login/").status_code == 400
        assert client.get(back).status_code == 400
    assert user_id(client) is None


@pytest.mark.parametrize("userinfo", [{}, {"sub": ""}, {"sub": None, "name": "x"}, {"sub": "x" * 400}, [], "text", None])
def test_nonsense_of_a_provider_is_a_kind_page(
    provider: Provider, client: Client, monkeypatch: pytest.MonkeyPatch, userinfo: Any
) -> None:
    from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter

    back = provider.agree(provider.leave(client), provider.person(given_name="Nadia"))
    monkeypatch.setattr(OpenIDConnectOAuth2Adapter, "_fetch_user_info", lambda *args: userinfo)
    monkeypatch.setattr(OpenIDConnectOAuth2Adapter, "_decode_id_token", lambda *args: {})
    assert client.get(back).status_code == 400
    assert user_id(client) is None


def test_trips_are_counted(provider: Provider, settings: Any) -> None:
    settings.RATE_LIMITS_ENABLED = True
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "social": (2, 600)}
    codes = [Client().post("/accounts/oidc/oidc/login/").status_code for _ in range(3)]
    assert codes == [302, 302, 429]


def test_doors_that_are_not_offered_are_shut(client: Client) -> None:
    for name in ("facebook", "github", "discord", "microsoft", "apple"):
        assert client.post(f"/accounts/{name}/login/").status_code == 404
        assert client.get(f"/accounts/{name}/login/callback/").status_code in (404, 405)
    assert client.post("/accounts/facebook/login/token/", {"access_token": "x"}).status_code == 404
    page = client.get("/accounts/login/").content.decode()
    assert "data-provider" not in page
