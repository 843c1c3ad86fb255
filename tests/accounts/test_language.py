"""Language and time zone: profile, cookie, browser, French; and the switch in the footer."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from accounts.middleware import timezone_of
from accounts.models import User

pytestmark = pytest.mark.django_db


def language(client: Client, accept: str = "") -> str:
    headers = {"accept-language": accept} if accept else {}
    return str(client.get("/accounts/login/", headers=headers).headers["Content-Language"])


def test_french_unless_the_browser_says_otherwise(client: Client) -> None:
    assert language(client) == "fr"
    assert language(client, "es-MX,es;q=0.9") == "es"
    assert language(client, "en-GB") == "en"
    assert language(client, "de,ja") == "fr"
    assert language(client, "not a language;;q=x") == "fr"


def test_the_switch_is_remembered_in_the_browser(client: Client) -> None:
    answer = client.post("/lang/", {"language": "es", "next": "/rules/cinq/"})
    assert (answer.status_code, answer.url) == (303, "/rules/cinq/")
    assert language(client, "en") == "es"


@pytest.mark.parametrize("bad", ["", "de", "fr-evil", "../../etc", "x" * 5000])
def test_an_unknown_language_is_refused(client: Client, bad: str) -> None:
    answer = client.post("/lang/", {"language": bad})
    assert answer.status_code == 422
    assert not answer.cookies


def test_a_get_switches_nothing(client: Client) -> None:
    assert client.get("/lang/?language=es").status_code == 405


def test_the_profile_wins_over_the_cookie(client_of: Callable[..., Client], alice: User, guest: User) -> None:
    for person in (alice, guest):
        client = client_of(person)
        client.post("/lang/", {"language": "es"})
        person.refresh_from_db()
        assert person.language == "es"
        # Another browser of the same person.
        other = client_of(person)
        other.cookies["django_language"] = "en"
        assert other.get("/lang/").headers["Content-Language"] == "es"


def test_the_time_zone_is_the_persons_else_paris(alice: User) -> None:
    assert timezone_of(None).key == "Europe/Paris"
    assert timezone_of(alice).key == "Europe/Paris"
    for zone, used in [("Pacific/Noumea", "Pacific/Noumea"), ("Mars/Olympus", "Europe/Paris"), ("../etc/passwd", "Europe/Paris")]:
        alice.timezone = zone
        assert timezone_of(alice).key == used


def test_no_zone_is_carried_over_to_the_next_request(client_of: Callable[..., Client], alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(timezone="Pacific/Noumea")
    client_of(alice).get("/settings/")
    assert timezone.get_current_timezone_name() == "Pacific/Noumea"
    Client().get("/accounts/login/")
    assert timezone.get_current_timezone_name() == "Europe/Paris"
