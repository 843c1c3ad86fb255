"""Every address of the site, asked by everybody in every way: a table of what it answers, and nothing ever breaks.

A new address needs its place in ROUTES, else this fails: decide who may see it. The keys say what GET answers to
(a stranger, a guest, a player who does not sit at the table, one who does, staff without a second factor). The staff's panel
(admin/) shows nothing to any of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLResolver, get_resolver

from accounts.models import User
from games.models import Table
from tests.playing import open_for

pytestmark = pytest.mark.django_db

VIEWERS = ("stranger", "guest", "player", "seated", "staff")
Answers = tuple[int, ...]
ROUTES: dict[Answers, tuple[str, ...]] = {
    # Pages and data for everybody; each shows what its reader may see.
    (200, 200, 200, 200, 200): (
        "",
        "lobby/",
        "new/",
        "tables/",
        "tables/count.json",
        "rules/",
        "rules/<slug:game>/",
        "help/auto/",
        "help/points/",
        "t/<table:code>/",
        "t/<table:code>/live/",
        "t/<table:code>/log/",
        "t/<table:code>/observation.json",
        "t/<table:code>/record.txt",
        "^t/(?P<code>[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{10})/(?P<rest>[a-zA-Z0-9./-]*)$",
        "leaderboard/",
        "seasons/",
        "stats/<slug:game>/",
        "u/<int:pk>/<slug:game>/",
        "u/<int:pk>/",
        "sanctions/",
        "accounts/inactive/",
        "accounts/confirm-email/",
        "accounts/password/reset/",
        "accounts/password/reset/key/done/",
        "accounts/^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        "accounts/password/reset/done/",
        "accounts/3rdparty/login/cancelled/",
        "legal/<slug:page>/",
        "livez",
    ),
    # Acts: nothing to look at.
    (405, 405, 405, 405, 405): (
        "play-bots/",
        "play-quick/",
        "t/<table:code>/move/",
        "t/<table:code>/sit/",
        "t/<table:code>/leave/",
        "t/<table:code>/remove/",
        "t/<table:code>/bots/",
        "t/<table:code>/revoke/",
        "t/<table:code>/take-back/",
        "t/<table:code>/end/",
        "t/<table:code>/stop/",
        "t/<table:code>/vote/",
        "guest/no-account/",
        "news/<int:pk>/close/",
        "settings/words/",
        "t/<table:code>/decline/",
        "t/<table:code>/invite/",
        "t/<table:code>/mute/",
        "t/<table:code>/say/",
        "lang/",
        "sanctions/<int:sanction_id>/appeal/",
        "accounts/confirm-code/",
        "accounts/apple/login/callback/",
    ),
    # Pages of an account.
    (302, 302, 200, 200, 200): (
        "wallet/",
        "settings/data/",
        "settings/name/",
        "friends/",
        "accounts/3rdparty/prove/",
        "accounts/logout/",
        "accounts/reauthenticate/",
        "accounts/email/",
        "accounts/password/change/",
        "accounts/2fa/",
        "accounts/2fa/webauthn/",
        "accounts/3rdparty/",
        "accounts/sessions/",
    ),
    # Acts of an account.
    (302, 302, 405, 405, 405): (
        "friends/ask/",
        "friends/accept/",
        "friends/decline/",
        "friends/withdraw/",
        "friends/remove/",
        "friends/block/",
        "friends/unblock/",
        "accounts/sessions/<int:pk>/end/",
    ),
    # Of guests too.
    (302, 200, 200, 200, 200): (
        "reports/",
        "settings/",
        "settings/avatar/",
    ),
    # Ways in: whoever is in goes on.
    (200, 200, 302, 302, 302): (
        "accounts/login/",
        "accounts/signup/",
        "accounts/login/code/",
    ),
    # A step of something that none of them has begun, or that wants the password again first.
    (302, 302, 302, 302, 302): (
        "settings/data/<int:pk>/",
        "settings/delete/",
        "accounts/2fa/webauthn/keys/<int:pk>/remove/",
        "accounts/reauthenticate/code/",
        "accounts/reauthenticate/code/confirm/",
        "accounts/password/set/",
        "accounts/login/code/confirm/",
        "accounts/2fa/authenticate/",
        "accounts/2fa/reauthenticate/",
        "accounts/2fa/totp/activate/",
        "accounts/2fa/recovery-codes/generate/",
        "accounts/2fa/webauthn/add/",
        "accounts/2fa/webauthn/reauthenticate/",
        "accounts/2fa/webauthn/keys/<int:pk>/edit/",
        "accounts/2fa/webauthn/login/",
        "accounts/3rdparty/signup/",
    ),
    # Nothing there: no such key, provider or season, no debug site.
    (404, 404, 404, 404, 404): (
        "seasons/<month:month>/",
        "unsubscribe/<str:token>/",
        "accounts/facebook/login/token/",
        "^accounts/confirm-email/(?P<key>[-:\\w]+)/$",
        "accounts/^confirm-email/(?P<key>[-:\\w]+)/$",
        "accounts/apple/login/",
        "accounts/apple/login/callback/finish/",
        "accounts/discord/login/",
        "accounts/discord/login/callback/",
        "accounts/facebook/login/",
        "accounts/facebook/login/callback/",
        "accounts/github/login/",
        "accounts/github/login/callback/",
        "accounts/microsoft/login/",
        "accounts/microsoft/login/callback/",
        "accounts/oidc/^(?P<provider_id>[^/]+)/login/",
        "accounts/oidc/^(?P<provider_id>[^/]+)/login/callback/",
        "dev/mails/",
    ),
    # Of a second factor that none of them has.
    (302, 302, 404, 404, 404): (
        "accounts/2fa/totp/deactivate/",
        "accounts/2fa/recovery-codes/",
        "accounts/2fa/recovery-codes/download/",
    ),
    # Old addresses.
    (301, 301, 301, 301, 301): (
        "accounts/social/login/cancelled/",
        "accounts/social/login/error/",
        "accounts/social/signup/",
        "accounts/social/connections/",
    ),
    # Leads on.
    (303, 303, 303, 303, 303): ("tables/next/",),
    # For who sits at the table.
    (403, 403, 403, 200, 403): ("t/<table:code>/abandon/",),
    # The players' own talk.
    (404, 404, 404, 200, 404): ("t/<table:code>/chat/",),
    # A report names what it is about.
    (302, 404, 404, 404, 404): ("report/",),
    # A sign-in that went wrong elsewhere.
    (401, 401, 401, 401, 401): ("accounts/3rdparty/login/error/",),
    # No sweep has come in a test.
    (503, 503, 503, 503, 503): ("healthz",),
}
# Posts that carry no token of ours: mail programs unsubscribe (RFC 8058), and Apple posts the visitor back.
EXEMPT = {"unsubscribe/<str:token>/": 404, "accounts/apple/login/callback/": 302}


def leaves(patterns: Any, prefix: str = "") -> Iterator[str]:
    """Every route below some patterns, as it is written."""
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from leaves(pattern.url_patterns, route)
        else:
            yield route


ALL = sorted(set(leaves(get_resolver().url_patterns)))
STAFF = [route for route in ALL if route.startswith("admin/")]
EXPECTED = {route: answers for answers, routes in ROUTES.items() for route in routes}
VALUES = {"month": "2026-01", "rest": "log/", "game": "cinq", "page": "privacy", "provider_id": "google", "key": "x-y"}


def address(route: str, table: Table, person: User) -> str:
    """An address that the route answers to: a real table and person, else things that are not there."""
    values = {**VALUES, "code": table.code, "pk": str(person.pk)}
    route = re.sub(r"\(\?P<(\w+)>[^()]*\)", lambda found: values.get(found[1], "1"), route)
    route = re.sub(r"<(?:\w+:)?(\w+)>", lambda found: values.get(found[1], "1"), route)
    return "/" + re.sub(r"[\^$]", "", route)


class Ways:
    """The clients of the five viewers, once as browsers that carry the token, once without it."""

    def __init__(self, client_of: Callable[..., Client], people: list[User | None]) -> None:
        self.clients = [client_of(person) for person in people]
        self.bare = [client_of(person, enforce_csrf_checks=True) for person in people]


@pytest.fixture
def table(alice: User, bob: User) -> Table:
    return open_for(alice, bob)


@pytest.fixture
def ways(client_of: Callable[..., Client], alice: User, carla: User, guest: User, user_named: Callable[..., User]) -> Ways:
    return Ways(client_of, [None, guest, carla, alice, user_named("Sam", is_staff=True)])


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    there = {route for route in ALL if not route.startswith("admin/")}
    assert there - EXPECTED.keys() == set(), "decide who may see these and put them into ROUTES"
    assert EXPECTED.keys() - there == set()
    assert len(EXPECTED) == sum(map(len, ROUTES.values())), "an address stands in two places"


@pytest.mark.parametrize("part", range(6))
def test_who_may_see_it_and_what_a_form_without_token_gets(part: int, ways: Ways, table: Table, bob: User) -> None:
    for route in sorted(EXPECTED)[part::6]:
        path = address(route, table, bob)
        seen = dict(zip(VIEWERS, (client.get(path).status_code for client in ways.clients), strict=True))
        assert seen == dict(zip(VIEWERS, EXPECTED[route], strict=True)), route
        for client in ways.clients:
            assert client.head(path).status_code in {*EXPECTED[route], 405}, route
        for client in ways.bare:
            assert client.post(path).status_code == EXEMPT.get(route, 403), route
            assert client.put(path).status_code in {403, 405}, route
            assert client.delete(path).status_code in {403, 405}, route


@pytest.mark.parametrize("part", range(6))
def test_the_panel_shows_nothing_to_any_of_them(part: int, ways: Ways, table: Table, bob: User) -> None:
    for route in STAFF[part::6]:
        path = address(route, table, bob)
        for client in ways.clients:
            assert client.get(path).status_code in {302, 403}, route
        for client in (ways.bare[0], ways.bare[-1]):
            assert client.post(path).status_code == client.put(path).status_code == client.delete(path).status_code == 403, route


def test_an_address_that_is_none_and_odd_methods(ways: Ways) -> None:
    for client in ways.clients:
        for path in ("/nothing/", "/.git/config", "/static/../manage.py", "/t/x/", "/u/99999999999999999999/", "/u/0/"):
            assert client.get(path).status_code == 404
        for method in ("OPTIONS", "TRACE", "PROPFIND"):
            assert client.generic(method, "/lobby/").status_code in {403, 405}
