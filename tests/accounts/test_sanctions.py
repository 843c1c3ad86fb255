"""Measures against people: in force, enforced at tables, at login and in open sessions; shown with one appeal each."""

from __future__ import annotations

import datetime as dt
from types import SimpleNamespace

import pytest
from django.core import mail
from django.utils import timezone

from accounts import guests, notices, players, sanctions
from accounts.models import Appeal, Sanction, User
from games.errors import Forbidden
from games.services import tables
from tests import playing
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


def impose(user, by, kind, **how):
    return sanctions.impose(user, kind=kind, ground="insult", by=by, **how)


def test_what_is_in_force(alice, bob):
    assert sanctions.active(alice.pk) == frozenset()
    impose(alice, bob, "warning")
    muted = impose(alice, bob, "mute", ends_at=timezone.now() + dt.timedelta(days=1))
    impose(alice, bob, "no_tables")
    assert sanctions.active(alice.pk) == {"mute", "no_tables"}
    assert sanctions.active(bob.pk) == frozenset()
    Sanction.objects.filter(pk=muted.pk).update(begins_at=timezone.now() - dt.timedelta(days=2), ends_at=timezone.now())
    assert sanctions.active(alice.pk) == {"no_tables"}


def test_nobody_sanctions_himself(alice):
    with pytest.raises(sanctions.Refused):
        impose(alice, alice, "mute")


def test_no_new_tables(alice, bob, carla):
    table = tables.open_table(user=bob, game="cinq", options={}, seats=2, pace=86400)
    made = impose(alice, carla, "no_tables", ends_at=timezone.now() + dt.timedelta(days=1))
    with pytest.raises(Forbidden):
        tables.sit(table.code, user=alice)
    with pytest.raises(Forbidden):
        tables.open_table(user=alice, game="cinq", options={}, seats=2, pace=86400)
    sanctions.lift(made, by=carla)
    tables.sit(table.code, user=alice)


def test_running_matches_of_a_barred_person_go_on(alice, bob, carla):
    table = playing.open_for(alice, bob)
    impose(alice, carla, "no_tables")
    impose(bob, carla, "no_tables")
    playing.play_one(table)


def test_a_suspension_ends_open_sessions_at_once(alice, bob, client_of):
    client = client_of(alice)
    assert client.get("/tables/").status_code == 200
    impose(alice, bob, "suspended", words={"fr": "Trop d’insultes.", "en": "Too many insults."})
    response = client.get("/tables/")
    assert (response.status_code, response["Location"]) in {(302, "/accounts/login/?next=/tables/"), (303, "/sanctions/")}
    response = client_of(User.objects.get(pk=alice.pk)).get("/", follow=True)
    assert "Trop d’insultes." in response.content.decode()


def test_no_login_by_password_while_suspended_but_the_page_and_the_appeal(alice, bob, client):
    impose(alice, bob, "suspended", ends_at=timezone.now() + dt.timedelta(days=3))
    response = client.post("/accounts/login/", {"login": "alice@example.org", "password": PASSWORD}, follow=True)
    assert response.redirect_chain[-1][0] == "/sanctions/"
    assert not response.wsgi_request.user.is_authenticated
    (row,) = Sanction.objects.all()
    assert client.post(f"/sanctions/{row.pk}/appeal/", {"text": "It was not me."}).status_code == 303
    assert client.post(f"/sanctions/{row.pk}/appeal/", {"text": "Again."}).status_code == 409
    assert Appeal.objects.get().text == "It was not me."
    User.objects.filter(pk=alice.pk).update(suspended_until=timezone.now())
    response = client.post("/accounts/login/", {"login": "alice@example.org", "password": PASSWORD}, follow=True)
    assert response.wsgi_request.user == alice


def test_sockets_of_a_suspended_person_have_no_player(alice, bob, guest, client_of):
    session = client_of(alice).session
    assert players.player_of_session(session) == alice
    impose(alice, bob, "suspended")
    impose(guest, bob, "suspended")
    assert players.player_of_session(session) is None
    assert players.player_of_session({guests.SESSION_KEY: guest.pk}) is None


def test_overlapping_suspensions_end_with_the_last(alice, bob):
    now = timezone.now()
    first = impose(alice, bob, "suspended", ends_at=now + dt.timedelta(days=1))
    last = impose(alice, bob, "suspended", ends_at=now + dt.timedelta(days=7))
    assert User.objects.get(pk=alice.pk).suspended_until == last.ends_at
    sanctions.lift(last, by=bob)
    assert User.objects.get(pk=alice.pk).suspended_until == first.ends_at
    forever = impose(alice, bob, "suspended")
    assert User.objects.get(pk=alice.pk).suspended_until == sanctions.FOR_EVER
    for row in (first, forever):
        assert sanctions.lift(row, by=bob)
        assert not sanctions.lift(row, by=bob)
    assert User.objects.get(pk=alice.pk).suspended_until is None


def test_measures_follow_a_guest_into_his_account(alice, bob, guest):
    impose(guest, bob, "mute")
    impose(guest, bob, "suspended")
    assert guests.claim(guest.pk, alice)
    assert sanctions.active(alice.pk) == {"mute", "suspended"}
    assert sanctions.suspended(User.objects.get(pk=alice.pk))


def test_the_page_speaks_the_readers_language(alice, bob, client_of):
    impose(alice, bob, "mute", words={"fr": "Restez poli.", "es": "Sea educado.", "en": "Be polite."})
    client = client_of(alice)
    for language, text in (("fr", "Restez poli."), ("es", "Sea educado."), ("en", "Be polite.")):
        html = client.get("/sanctions/", headers={"accept-language": language}).content.decode()
        assert text in html and html.count('name="text"') == 1


def test_an_appeal_of_anothers_measure_is_not_found(alice, bob, carla, client_of):
    row = impose(alice, carla, "mute")
    assert client_of(bob).post(f"/sanctions/{row.pk}/appeal/", {"text": "x"}).status_code == 404
    assert client_of(None).post(f"/sanctions/{row.pk}/appeal/", {"text": "x"}).status_code == 404
    assert client_of(alice).post(f"/sanctions/{row.pk}/appeal/", {"text": "  "}).status_code == 422
    assert client_of(alice).get(f"/sanctions/{row.pk}/appeal/").status_code == 405
    assert "Sanction" not in client_of(None).get("/sanctions/").content.decode()


def test_an_answer_is_given_once_by_somebody_else_and_lifts(alice, bob, carla):
    found = sanctions.appeal(alice, impose(alice, bob, "suspended").pk, "No.")
    with pytest.raises(sanctions.Refused):
        sanctions.answer(found.pk, by=bob, granted=False, text="x")
    sanctions.answer(found.pk, by=carla, granted=True, text="Sorry.")
    with pytest.raises(sanctions.Refused):
        sanctions.answer(found.pk, by=carla, granted=False, text="x")
    assert not sanctions.suspended(User.objects.get(pk=alice.pk))


def test_a_mail_tells_of_measure_and_answer(alice, bob, carla):
    row = impose(alice, bob, "mute", words={"fr": "Restez poli."})
    found = sanctions.appeal(alice, row.pk, "No.")
    sanctions.answer(found.pk, by=carla, granted=False, text="Non.")
    notices.send_due()
    texts = [message.body for message in mail.outbox]
    assert any("Restez poli." in text and "/sanctions/" in text for text in texts)
    assert any("Non." in text for text in texts)


def test_the_shut_out_page_belongs_to_the_session(alice, bob):
    impose(alice, bob, "suspended")
    request = SimpleNamespace(player=None, session={sanctions.SESSION_KEY: alice.pk})
    assert sanctions.shown_to(request) == alice
    assert sanctions.shown_to(SimpleNamespace(player=None, session={})) is None
