"""Friends at waiting tables: who may ask whom, what an invitation opens, when it ends, what it tells nobody."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import departures, notices, ties
from accounts.models import Notice
from games import clocktime, selectors
from games.errors import Closed, NotFound
from games.models import Invitation, Table
from games.services import inviting, tables

pytestmark = pytest.mark.django_db

EN = {"accept-language": "en"}


@pytest.fixture
def pals(alice, bob):
    ties.ask(alice, bob)
    ties.accept(bob, alice.pk)
    return alice, bob


def open_table(user, **fields):
    plan = {"options": {}, "seats": 3, "pace": 86400, "visibility": "link"}
    return tables.open_table(user=user, game="cinq", **(plan | fields))


def invite(table, by, friend):
    inviting.invite(table.code, by=by, friend_id=friend.pk)


def codes(user):
    return [row.table.code for row in selectors.invitations_for(user)]


def mails():
    mail.outbox.clear()
    notices.send_due(clocktime.now() + timedelta(hours=1))
    return [(message.to, message.subject) for message in mail.outbox]


def test_a_friend_sees_a_hidden_table_and_sits(pals, client_of):
    alice, bob = pals
    table, client = open_table(alice), client_of(bob)
    assert client.get(f"/t/{table.code}/").status_code == 404
    invite(table, alice, bob)
    assert codes(bob) == [table.code]
    for page in ("/", "/tables/"):
        html = client.get(page, headers=EN).content.decode()
        assert "<bdi>Alice</bdi> invites you." in html
        assert f"/t/{table.code}/" in html
    assert client.get(f"/t/{table.code}/").status_code == 200
    assert client.post(f"/t/{table.code}/sit/").status_code == 303
    assert codes(bob) == []
    assert mails() == [], "whoever sits needs no mail"


def test_one_mail_is_owed_and_not_after_a_refusal(pals, client_of, carla):
    alice, bob = pals
    table = open_table(alice)
    invite(table, alice, bob)
    invite(table, alice, bob)
    (sent,) = mails()
    assert sent[0] == ["bob@example.org"]
    assert "Alice" in sent[1]
    assert mails() == []
    other = open_table(alice)
    invite(other, alice, bob)
    assert client_of(bob).post(f"/t/{other.code}/decline/").status_code == 303
    assert mails() == []
    assert codes(bob) == [table.code]
    assert client_of(bob).get(f"/t/{other.code}/").status_code == 404
    assert client_of(carla).post(f"/t/{other.code}/decline/").status_code == 303, "nobody learns which table is there"


def test_a_refusal_is_silent(pals, client_of):
    alice, bob = pals
    table = open_table(alice)
    invite(table, alice, bob)
    before = Table.objects.get(pk=table.pk).version
    shown = client_of(alice).get(f"/t/{table.code}/live/").content
    inviting.decline(table.code, user=bob)
    assert client_of(alice).get(f"/t/{table.code}/live/").content == shown
    invite(table, alice, bob)
    assert Table.objects.get(pk=table.pk).version == before
    assert codes(bob) == []


def test_only_seated_people_ask_and_only_friends(pals, carla, guest, client_of):
    alice, bob = pals
    table = open_table(alice)
    ties.ask(bob, carla)
    ties.accept(carla, bob.pk)
    for by, friend in ((bob, carla), (alice, carla), (alice, guest), (alice, alice)):
        with pytest.raises(NotFound):
            invite(table, by, friend)
    assert client_of(bob).post(f"/t/{table.code}/invite/", {"friend": carla.pk}).status_code == 404
    client = client_of(alice)
    assert client.post(f"/t/{table.code}/invite/", {"friend": carla.pk}).status_code == 404
    for odd in ("", "x", "-1", "9" * 40):
        assert client.post(f"/t/{table.code}/invite/", {"friend": odd}).status_code == 422
    assert not Invitation.objects.exists()


def test_the_page_offers_friends_who_are_not_here(pals, carla, client_of):
    alice, bob = pals
    ties.ask(alice, carla)
    ties.accept(carla, alice.pk)
    table = open_table(alice, visibility="public")
    tables.sit(table.code, user=bob)
    tables.remove(table.code, by=alice, seat_id=table.seats.get(user=bob).pk)
    client = client_of(alice)
    html = client.get(f"/t/{table.code}/", headers=EN).content.decode()
    assert f'name="friend" value="{carla.pk}"' in html
    assert f'value="{bob.pk}"' not in html, "whom one has removed one does not invite"
    assert client.post(f"/t/{table.code}/invite/", {"friend": carla.pk}).status_code == 303
    html = client.get(f"/t/{table.code}/", headers=EN).content.decode()
    assert f'name="friend" value="{carla.pk}"' not in html
    assert "invitation sent" in html
    assert "/invite/" not in client_of(carla).get(f"/t/{table.code}/").content.decode()


@pytest.mark.parametrize("how", ["start", "close", "bots"])
def test_it_ends_when_the_table_waits_no_longer(pals, carla, how, client_of):
    alice, bob = pals
    table = open_table(alice, seats=2)
    invite(table, alice, bob)
    if how == "start":
        tables.sit(table.code, user=carla, token=table.token)
    elif how == "bots":
        tables.fill_with_bots(table.code, by=alice)
    else:
        tables.leave(table.code, user=alice)
    assert not Invitation.objects.exists()
    assert codes(bob) == []
    assert not Notice.objects.filter(kind=inviting.NOTICE).exists()
    assert client_of(bob).get(f"/t/{table.code}/").status_code == 404
    with pytest.raises((Closed, NotFound)):
        invite(table, alice, bob)


def test_a_block_ends_it_both_ways(pals, carla, client_of):
    alice, bob = pals
    table = open_table(alice)
    invite(table, alice, bob)
    ties.block(bob, alice)
    assert not Invitation.objects.exists()
    assert mails() == []
    assert client_of(bob).get(f"/t/{table.code}/").status_code == 404
    with pytest.raises(NotFound):
        tables.sit(table.code, user=bob)


def test_a_third_persons_block_keeps_the_table_away(pals, carla, client_of):
    """Bob is invited by Alice to a table where Carla sits, who has blocked him: nobody is told, he does not get in."""
    alice, bob = pals
    table = open_table(alice)
    tables.sit(table.code, user=carla, token=table.token)
    ties.block(carla, bob)
    invite(table, alice, bob)
    assert codes(bob) == []
    assert mails() == []
    assert client_of(bob).get(f"/t/{table.code}/").status_code == 404
    with pytest.raises(NotFound):
        tables.sit(table.code, user=bob)
    assert "invitation sent" in client_of(alice).get(f"/t/{table.code}/", headers=EN).content.decode()


def test_whoever_leaves_the_site_is_in_no_invitation(pals):
    alice, bob = pals
    table = open_table(alice)
    invite(table, alice, bob)
    departures.erase(bob)
    assert not Invitation.objects.exists()


def test_invitations_are_limited_by_day(pals, client_of, settings):
    settings.RATE_LIMITS_ENABLED = True
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"invite": (2, 86400)}
    alice, bob = pals
    table, client = open_table(alice), client_of(alice)
    answers = [client.post(f"/t/{table.code}/invite/", {"friend": bob.pk}).status_code for _ in range(3)]
    assert answers == [303, 303, 429]


def test_queries_of_a_waiting_table(pals, client_of):
    alice, _bob = pals
    table = open_table(alice)
    client = client_of(alice)
    client.get("/tables/count.json")
    for path, most in (("live/", 5), ("", 10)):
        with CaptureQueriesContext(connection) as seen:
            client.get(f"/t/{table.code}/{path}")
        asked = [query["sql"][:150] for query in seen if not query["sql"].startswith(("SAVEPOINT", "RELEASE"))]
        assert len(asked) <= most, "\n".join(asked)
