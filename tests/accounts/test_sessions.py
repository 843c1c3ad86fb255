"""Sessions: how long they live, what is written, and whose sockets close when they end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import sessions
from accounts.models import User
from accounts.signals import session_closed
from tests.accounts.test_login import log_in, prove

pytestmark = pytest.mark.django_db


@pytest.fixture
def closed(django_capture_on_commit_callbacks: Any) -> Iterator[list[tuple[int, str]]]:
    """The (user, session key) pairs of the signal, as they come."""
    heard: list[tuple[int, str]] = []

    def hear(user_id: int, session_key: str, **kwargs: Any) -> None:
        heard.append((user_id, session_key))

    session_closed.connect(hear)
    yield heard
    session_closed.disconnect(hear)


def aged(client: Client, **seconds: int) -> None:
    """Make the client's session older by so many seconds."""
    session = client.session
    for key, value in seconds.items():
        session[key] -= value
    session.save()


@pytest.mark.parametrize(
    ("staff", "change", "alive"),
    [
        (False, {"seen": 13 * 86400}, True),
        (False, {"seen": 15 * 86400}, False),
        (False, {"since": 89 * 86400}, True),
        (False, {"since": 91 * 86400}, False),
        (True, {"seen": 1500}, True),
        (True, {"seen": 2000}, False),
        (True, {"since": 11 * 3600}, True),
        (True, {"since": 13 * 3600}, False),
    ],
)
def test_sessions_grow_old(
    client_of: Callable[..., Client], alice: User, staff: bool, change: dict[str, int], alive: bool
) -> None:
    User.objects.filter(pk=alice.pk).update(is_staff=staff)
    client = client_of(alice)
    assert client.get("/settings/").status_code == 200
    aged(client, **change)
    assert client.get("/settings/").status_code == (200 if alive else 302)


def test_a_visit_is_written_once_in_five_minutes(alice: User) -> None:
    client = Client()
    log_in(client, "alice@example.org")
    client.get("/settings/")
    with CaptureQueriesContext(
        connection,
    ) as queries:
        client.get("/settings/")
    assert [q["sql"] for q in queries if not q["sql"].startswith("SELECT")] == []
    User.objects.filter(pk=alice.pk).update(last_seen=None)
    before = UserSession.objects.get(user=alice).last_seen_at
    aged(client, seen=301)
    client.get("/settings/")
    alice.refresh_from_db()
    assert alice.last_seen is not None
    assert UserSession.objects.get(user=alice).last_seen_at > before


def test_a_stranger_costs_no_query(client: Client, django_assert_num_queries: Any) -> None:
    client.get("/accounts/login/")
    client.cookies.clear()
    with django_assert_num_queries(0):
        client.get("/lang/")


def test_logging_out_closes_this_session(alice: User, closed: list[tuple[int, str]]) -> None:
    client = Client()
    log_in(client, "alice@example.org")
    key = client.session.session_key
    closed.clear()
    client.post("/accounts/logout/")
    assert closed == [(alice.pk, key)]
    # The copied cookie is worth nothing.
    thief = Client()
    thief.cookies["sessionid"] = key
    assert thief.get("/settings/").status_code == 302


@pytest.mark.django_db(transaction=True)
def test_a_new_password_a_ban_and_a_rename_by_the_staff(alice: User, closed: list[tuple[int, str]]) -> None:
    user = User.objects.get(pk=alice.pk)
    user.username = "Alicia"
    user.save()
    assert closed == []
    user.set_password("tout-autre-chose")
    user.save()
    assert closed == [(alice.pk, "")]
    user.is_active = False
    user.save(update_fields=["is_active"])
    assert closed == [(alice.pk, "")] * 2
    user.save()
    assert len(closed) == 2


def test_a_banned_player_is_out_at_his_next_request(client_of: Callable[..., Client], alice: User) -> None:
    client = client_of(alice)
    alice.is_active = False
    alice.save()
    assert client.get("/settings/").status_code == 302


def test_the_list_shows_browsers_and_no_address(alice: User) -> None:
    client = Client(REMOTE_ADDR="203.0.113.45")
    agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    log_in(client, "alice@example.org", headers={"user-agent": agent})
    page = client.get("/accounts/sessions/").content.decode()
    assert "Firefox, Linux" in page
    assert "203.0.113" not in page
    stored = UserSession.objects.get(user=alice).ip
    assert "203.0.113" not in stored
    assert stored.startswith("fd")


def test_the_other_sessions_can_be_ended(alice: User, closed: list[tuple[int, str]]) -> None:
    here, there = Client(), Client()
    for client in (here, there):
        log_in(client, "alice@example.org")
    key = there.session.session_key
    here.post("/accounts/sessions/")
    assert there.get("/settings/").status_code == 200
    prove(here, "/accounts/sessions/")
    assert there.get("/settings/").status_code == 302
    assert here.get("/settings/").status_code == 200
    assert closed == [(alice.pk, key)]


def test_one_other_session_can_be_ended_after_the_password(alice: User, bob: User, closed: list[tuple[int, str]]) -> None:
    here, there, third = Client(), Client(), Client()
    for client in (here, there, third):
        log_in(client, "alice@example.org")
    key = there.session.session_key
    row = UserSession.objects.get(session_key=key)
    path = f"/accounts/sessions/{row.pk}/end/"
    assert here.get(path).status_code == 405
    assert f'action="{path}"' in here.get("/accounts/sessions/").content.decode()
    answer = here.post(path)
    assert (answer.status_code, answer.url.split("?")[0]) == (302, "/accounts/reauthenticate/")
    assert there.get("/settings/").status_code == 200
    prove(here, path)
    assert there.get("/settings/").status_code == 302
    assert {client.get("/settings/").status_code for client in (here, third)} == {200}
    assert closed == [(alice.pk, key)]
    # Neither this session, nor a strange one, nor one that is gone.
    other = Client()
    log_in(other, "bob@example.org")
    for session in UserSession.objects.filter(session_key__in=[here.session.session_key, other.session.session_key]):
        assert here.post(f"/accounts/sessions/{session.pk}/end/").status_code == 404
    assert here.post(path).status_code == 404


def test_old_sessions_are_cleared_away(alice: User) -> None:
    here, there = Client(), Client()
    for client in (here, there):
        log_in(client, "alice@example.org")
    gone = there.session.session_key
    Session.objects.filter(session_key=gone).update(expire_date=timezone.now() - timedelta(minutes=1))
    assert sessions.purge() == 1
    assert not Session.objects.filter(session_key=gone).exists()
    assert list(UserSession.objects.values_list("session_key", flat=True)) == [here.session.session_key]


def test_a_reset_password_closes_the_sockets_of_the_old_one(alice: User, closed: list[tuple[int, str]]) -> None:
    Client().post("/accounts/password/reset/", {"email": "alice@example.org"})
    found = re.search(r"https?://\S+?(/accounts/password/reset/key/\S+)", str(mail.outbox[0].body))
    assert found is not None
    client = Client()
    form = client.get(found[1]).headers["Location"]
    new = "encore-un-mot-secret"
    assert client.post(form, {"password1": new, "password2": new}).status_code == 302
    assert closed == [(alice.pk, "")]
