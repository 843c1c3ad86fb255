"""The settings page: what it saves, for whom, and how pages look afterwards."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts import avatars, ties
from accounts.models import Friendship, User
from tests.accounts.test_pages import faults

pytestmark = pytest.mark.django_db


def preferences(**changed: Any) -> dict[str, Any]:
    """What the browser sends for somebody who has changed nothing, with `changed`."""
    return {"language": "fr", "timezone": "Europe/Paris", "theme": "", "four_colours": "on", "email_turns": "on", **changed}


def test_preferences_are_saved_and_shown(client_of: Callable[..., Client], alice: User) -> None:
    client = client_of(alice)
    data = preferences(
        language="es",
        timezone="Pacific/Noumea",
        theme="dark",
        reduced_motion="on",
        actions_left="on",
        play_only_moves="on",
        show_friends="on",
        languages=["fr", "en"],
    )
    del data["four_colours"], data["email_turns"]
    assert client.post("/settings/", data).status_code == 303
    alice.refresh_from_db()
    assert (alice.language, alice.timezone, alice.theme) == ("es", "Pacific/Noumea", "dark")
    assert (alice.reduced_motion, alice.actions_left, alice.play_only_moves, alice.show_friends) == (True,) * 4
    assert (alice.four_colours, alice.email_turns, alice.languages) == (False, False, "fr en")
    answer = client.get("/settings/")
    page = answer.content.decode()
    assert answer.headers["Content-Language"] == "es"
    assert '<html lang="es" class="theme-dark calm actions-left two-colours" data-zone="Pacific/Noumea">' in page
    assert '<meta name="color-scheme" content="dark">' in page
    assert faults(page) == []
    assert "francés, inglés" in client.get(f"/u/{alice.pk}/").content.decode()


def test_nobody_chose_anything_and_the_device_decides(client_of: Callable[..., Client], alice: User) -> None:
    for who in (None, alice):
        page = client_of(who).get("/lobby/").content.decode()
        assert '<html lang="fr">' in page
        assert '<meta name="color-scheme" content="light dark">' in page


def test_the_name_has_a_form_of_its_own(client_of: Callable[..., Client], alice: User) -> None:
    client = client_of(alice)
    assert client.post("/settings/name/", {"username": "Alicia"}).status_code == 303
    alice.refresh_from_db()
    assert alice.username == "Alicia"
    # No second change of name within 90 days; the page does not offer it, and a form made by hand is ignored.
    assert client.post("/settings/name/", {"username": "Autre"}).status_code == 303
    alice.refresh_from_db()
    assert alice.username == "Alicia"
    assert re.search(r'<input[^>]*name="username"[^>]*disabled', client.get("/settings/").content.decode())


@pytest.mark.parametrize("bad", ["admin", "Admin Paul", "B0b", "x" * 300, "", "www.evil.com"])
def test_a_refused_name_changes_nothing(client_of: Callable[..., Client], alice: User, bob: User, bad: str) -> None:
    answer = client_of(alice).post("/settings/name/", {"username": bad})
    assert answer.status_code == 422
    assert answer.context["request"].user.username == "Alice"
    assert 'aria-invalid="true"' in answer.content.decode()
    alice.refresh_from_db()
    assert alice.username == "Alice"


@pytest.mark.parametrize(
    "bad",
    [{"language": "de"}, {"timezone": "Mars/Olympus"}, {"timezone": "../etc/passwd"}, {"theme": "red"}, {"languages": ["xx"]}],
)
def test_bad_preferences_change_nothing(client_of: Callable[..., Client], alice: User, bad: dict[str, Any]) -> None:
    answer = client_of(alice).post("/settings/", preferences(reduced_motion="on", **bad))
    assert answer.status_code == 422
    alice.refresh_from_db()
    assert (alice.language, alice.timezone, alice.theme, alice.reduced_motion) == ("", "", "", False)


def test_only_his_own_settings_and_only_those(client_of: Callable[..., Client], alice: User, bob: User) -> None:
    extra = {
        "id": bob.pk,
        "user": bob.pk,
        "is_staff": "on",
        "email": "x@example.org",
        "guest": "1",
        "username": "Chef",
        "avatar": "x",
    }
    client_of(alice).post("/settings/", preferences(**extra))
    alice.refresh_from_db()
    assert (alice.is_staff, alice.email, alice.username, alice.avatar) == (False, "alice@example.org", "Alice", "")
    assert User.objects.get(pk=bob.pk).email == "bob@example.org"


def test_a_guest_keeps_preferences_and_an_avatar_but_has_no_name_to_change(client_of: Callable[..., Client], guest: User) -> None:
    client = client_of(guest)
    page = client.get("/settings/").content.decode()
    assert faults(page) == []
    assert "email_turns" not in page
    assert 'name="username"' not in page
    assert client.post("/settings/", preferences(theme="light", email_turns="on")).status_code == 303
    assert client.post("/settings/avatar/", {"colour": "red", "figure": "rey"}).status_code == 303
    assert client.post("/settings/name/", {"username": "Chef"}).status_code == 302
    guest.refresh_from_db()
    assert (guest.theme, guest.avatar, guest.username) == ("light", "red-rey", "Guest 1234")


def test_a_stranger_is_asked_to_sign_in(client: Client) -> None:
    for path in ("/settings/", "/settings/avatar/", "/settings/name/"):
        for answer in (client.get(path), client.post(path, {"colour": "red", "figure": "rey"})):
            assert answer.status_code == 302
            assert answer.url.startswith("/accounts/login/?next=/settings/")


def test_the_avatar_is_drawn_in_the_header_and_on_the_profile(client_of: Callable[..., Client], alice: User) -> None:
    client = client_of(alice)
    assert client.post("/settings/avatar/", {"colour": "violet", "figure": "caballo"}).status_code == 303
    for path in ("/settings/", f"/u/{alice.pk}/"):
        assert 'class="avatar face av-violet' in client.get(path).content.decode()
    for bad in ({"colour": "violet", "figure": "<b>"}, {"colour": "violet"}, {}):
        assert client.post("/settings/avatar/", bad).status_code == 422
    alice.refresh_from_db()
    assert alice.avatar == "violet-caballo"


def test_neighbours_have_different_avatars_and_every_one_can_be_stored() -> None:
    first = [avatars.default(number) for number in range(1, 200)]
    assert all(one != other for one, other in itertools.pairwise(first))
    assert {a.colour for a in first} == set(avatars.COLOURS)
    assert {a.figure for a in first} == set(avatars.FIGURES)
    every = [avatars.Avatar(colour, figure) for colour in avatars.COLOURS for figure in avatars.FIGURES]
    assert all(len(str(a)) <= avatars.LONGEST and avatars.read(str(a)) == a for a in every)
    assert [avatars.read(text) for text in ("", "red", "red-", "red-x", "x-rey", "-")] == [None] * 6


def test_the_zone_of_the_browser_is_taken_once_and_never_over_a_choice(
    client_of: Callable[..., Client], alice: User, guest: User
) -> None:
    for person in (alice, guest):
        client = client_of(person)
        client.cookies["zone"] = "America%2FBogota"
        client.get("/lobby/")
        person.refresh_from_db()
        assert person.timezone == "America/Bogota"
        other = client_of(person)
        other.cookies["zone"] = "Asia%2FTokyo"
        other.get("/lobby/")
        person.refresh_from_db()
        assert person.timezone == "America/Bogota"


@pytest.mark.parametrize("told", ["Mars%2FOlympus", "..%2F..%2Fetc%2Fpasswd", "%00", "%ff", "x" * 4000, "Etc%2FGMT%2B5"])
def test_a_zone_that_is_none_is_ignored(client_of: Callable[..., Client], alice: User, told: str) -> None:
    client = client_of(alice)
    client.cookies["zone"] = told
    assert client.get("/lobby/").status_code == 200
    alice.refresh_from_db()
    assert alice.timezone == ""


def test_others_see_no_address_and_no_hour_on_a_profile(client_of: Callable[..., Client], alice: User, bob: User) -> None:
    client_of(alice).get("/lobby/")
    alice.refresh_from_db()
    for viewer in (None, bob, alice):
        page = client_of(viewer).get(f"/u/{alice.pk}/").content.decode()
        assert "example.org" not in page
        assert "127.0.0.1" not in page
        assert alice.last_seen.strftime("%H:%M") not in page


def test_friends_are_shown_where_both_want_it_and_never_to_whom_one_of_them_blocks(
    client_of: Callable[..., Client], alice: User, bob: User, carla: User
) -> None:
    for friend in (bob, carla):
        Friendship.objects.create(asker=alice, asked=friend, accepted_at=timezone.now(), asked_at=timezone.now())
    User.objects.filter(pk__in=[alice.pk, bob.pk]).update(show_friends=True)
    link = f'href="/u/{bob.pk}/"'
    page = client_of(carla).get(f"/u/{alice.pk}/").content.decode()
    assert link in page
    assert f'href="/u/{carla.pk}/"' not in page.partition("<main")[2]
    ties.block(carla, bob)
    assert link not in client_of(carla).get(f"/u/{alice.pk}/").content.decode()
    assert link in client_of(None).get(f"/u/{alice.pk}/").content.decode()
    User.objects.filter(pk=alice.pk).update(show_friends=False)
    assert link not in client_of(None).get(f"/u/{alice.pk}/").content.decode()
