"""What an account brings: shown once to a guest who leaves a table or whose match is over, at that place, till he says no."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.models import Table
from games.services import tables
from tests.accounts.test_pages import faults
from tests.playing import open_for, play_out

pytestmark = pytest.mark.django_db
MARK = 'id="offer-title"'


@pytest.fixture
def finished(guest: User, alice: User, django_capture_on_commit_callbacks: Any) -> Table:
    """A match of a guest and a person, played to its end."""
    with django_capture_on_commit_callbacks(execute=True):
        return play_out(open_for(alice, guest))


def shown(client: Client, *paths: str) -> list[bool]:
    return [MARK in client.get(path).content.decode() for path in paths]


def test_after_his_match_a_guest_sees_it_there_and_nobody_else_does(
    finished: Table, client_of: Callable[..., Client], guest: User, alice: User
) -> None:
    path = f"/t/{finished.code}/"
    client = client_of(guest)
    page = client.get(path).content.decode()
    assert page.count(MARK) == 1
    assert f"/accounts/signup/?next={path}" in page
    assert faults(page) == []
    assert shown(client, path + "live/?v=0", "/lobby/", "/tables/") == [True, False, False]
    for other in (client_of(alice), client_of(None)):
        assert shown(other, path, "/lobby/") == [False, False]


def test_no_is_remembered_and_a_second_match_asks_nothing(
    finished: Table, client_of: Callable[..., Client], guest: User, bob: User, django_capture_on_commit_callbacks: Any
) -> None:
    path = f"/t/{finished.code}/"
    client = client_of(guest)
    answer = client.post("/guest/no-account/", {"next": path})
    assert (answer.status_code, answer.url) == (303, path)
    assert shown(client, path) == [False]
    with django_capture_on_commit_callbacks(execute=True):
        second = play_out(open_for(bob, guest))
    assert shown(client, f"/t/{second.code}/") == [False]
    assert client.post("/guest/no-account/", {"next": "//evil.example/"}).url == "/"


def test_who_did_not_answer_is_not_asked_at_the_next_table_either(
    finished: Table, client_of: Callable[..., Client], guest: User, bob: User, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        second = play_out(open_for(bob, guest))
    assert shown(client_of(guest), f"/t/{second.code}/", f"/t/{finished.code}/") == [False, True]


def test_a_guest_who_leaves_before_the_start_sees_it_in_the_lobby(
    client_of: Callable[..., Client], guest: User, alice: User
) -> None:
    table = tables.open_table(user=alice, game="cinq", options={}, seats=3, pace=86400)
    tables.sit(table.code, user=guest)
    client = client_of(guest)
    answer = client.post(f"/t/{table.code}/leave/", follow=True)
    assert MARK in answer.content.decode()
    client.post("/guest/no-account/", {"next": "/lobby/"})
    assert shown(client, "/lobby/") == [False]


def test_a_guest_who_abandons_sees_it_at_the_table(client_of: Callable[..., Client], guest: User, alice: User, bob: User) -> None:
    table = open_for(alice, guest, bob)
    client = client_of(guest)
    answer = client.post(f"/t/{table.code}/abandon/", follow=True)
    assert answer.status_code == 200
    assert answer.content.decode().count(MARK) == 1


def test_it_is_a_form_like_any_other(guest: User, alice: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/guest/no-account/", {"next": "/"}).status_code == 403
    assert Client().get("/guest/no-account/").status_code == 405
    User.objects.filter(pk=alice.pk).update(account_offer="")
    client = Client()
    client.force_login(alice, backend="allauth.account.auth_backends.AuthenticationBackend")
    client.post("/guest/no-account/")
    assert User.objects.get(pk=alice.pk).account_offer == ""
