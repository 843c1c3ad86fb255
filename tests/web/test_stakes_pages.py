"""Stakes on the pages: the form, the lobby, the table before and after the match, the help."""

from __future__ import annotations

import pytest

from accounts import wallet
from games.models import Seat, Table
from games.services import abandon, tables
from tests.playing import OPTIONS, open_for

pytestmark = pytest.mark.django_db

FORM = {
    "game": "cinq",
    "mode": "classique",
    "limite": "30",
    "seats": "3",
    "pace": "86400",
    "competitive": "1",
    "visibility": "public",
}
ENGLISH = {"Accept-Language": "en"}


def waiting(user, stake=50, seats=3, **how):
    how = {"pace": 86400, "competitive": True, "options": OPTIONS, "game": "cinq", **how}
    return tables.open_table(user=user, seats=seats, stake=stake, **how)


@pytest.mark.parametrize(
    ("fields", "stake"),
    [
        ({}, 0),
        ({"stake": "0"}, 0),
        ({"stake": "100"}, 100),
        ({"stake": "other", "stake_other": "77"}, 77),
        ({"stake": "100", "competitive": "0"}, 0),
    ],
)
def test_the_form_sets_the_stake(client_of, alice, fields, stake):
    assert client_of(alice).post("/new/", FORM | fields).status_code == 303
    assert Table.objects.get().stake == stake
    assert wallet.balance(alice.pk).held == stake


@pytest.mark.parametrize(
    "fields",
    [
        {"stake": "20"},
        {"stake": "other"},
        {"stake": "other", "stake_other": "10001"},
        {"stake": "other", "stake_other": "0"},
        {"stake": "other", "stake_other": "-5"},
        {"stake": "other", "stake_other": "1e3"},
    ],
)
def test_a_stake_that_cannot_be_is_refused(client_of, alice, fields):
    assert client_of(alice).post("/new/", FORM | fields).status_code == 422
    assert not Table.objects.exists()


def test_who_is_short_is_told_in_the_form_and_at_the_table(client_of, alice, bob):
    answer = client_of(alice).post("/new/", FORM | {"stake": "other", "stake_other": "1001"}, headers=ENGLISH)
    assert answer.status_code == 409
    assert "you have 1000 tokens free" in answer.content.decode()
    table = waiting(alice, stake=500)
    wallet.balance(bob.pk)
    waiting(bob, stake=900)
    answer = client_of(bob).post(f"/t/{table.code}/sit/", headers=ENGLISH)
    assert answer.status_code == 409
    assert "you have 100 tokens free" in answer.content.decode()


def test_the_lobby_shows_the_stake_and_leads_to_the_table(client_of, alice, bob):
    table = waiting(alice)
    page = client_of(bob).get("/lobby/", headers=ENGLISH).content.decode()
    assert "stake: 50 tokens" in page
    assert f"/t/{table.code}/sit/" not in page  # first the table says who gets what


def test_before_anybody_sits_the_table_says_who_gets_what(client_of, alice, bob):
    table = waiting(alice)
    page = client_of(bob).get(table.get_absolute_url(), headers=ENGLISH).content.decode()
    for text in (
        "together that is 150 tokens",
        "+30",
        "150 tokens",
        "2 winners with the same score: each",
        ">75<",
        "50 tokens",
        "those who play to the end share it",
        "goes to the best-placed other side",
    ):
        assert text in page, text
    sides = waiting(alice, game="cinquante_cinq", options={"equipes": 2}, seats=4, stake=5)
    page = client_of(bob).get(sides.get_absolute_url(), headers=ENGLISH).content.decode()
    assert "Each player of the winning side" in page
    assert ">10<" in page


def test_an_uneven_share_is_told(client_of, alice, bob):
    page = client_of(bob).get(waiting(alice, stake=5).get_absolute_url(), headers=ENGLISH).content.decode()
    assert ">7 or 8<" in page


def test_a_friendly_table_says_nothing_of_it(client_of, alice, bob):
    table = waiting(alice, stake=0, competitive=False)
    assert "Who gets what" not in client_of(bob).get(table.get_absolute_url(), headers=ENGLISH).content.decode()


def test_afterwards_the_receipt(client_of, alice, bob):
    table = open_for(alice, bob, competitive=True, stake=50)
    abandon.abandon(table.code, user=alice)
    page = client_of(bob).get(table.get_absolute_url(), headers=ENGLISH).content.decode()
    assert "<bdi>Bob</bdi>: <b>+50 tokens</b>" in page
    assert "<bdi>Alice</bdi>: <b>−50 tokens</b>" in page
    cancelled = open_for(alice, bob, competitive=True, stake=50)
    for person in (alice, bob):
        abandon.agree_to_stop(cancelled.code, user=person)
    page = client_of(bob).get(cancelled.get_absolute_url(), headers=ENGLISH).content.decode()
    assert "The stakes were given back." in page


def test_open_it_again_with_the_same_stake(client_of, alice, bob):
    table = open_for(alice, bob, competitive=True, stake=77)
    abandon.abandon(table.code, user=alice)
    page = client_of(bob).get(table.get_absolute_url()).content.decode()
    assert "stake=77" in page
    form = client_of(bob).get("/new/?game=cinq&competitive=1&stake=77").content.decode()
    assert 'name="stake_other" value="77"' in form


def test_the_abandoning_page_names_the_stake(client_of, alice, bob):
    table = open_for(alice, bob, competitive=True, stake=50)
    page = client_of(alice).get(f"/t/{table.code}/abandon/", headers=ENGLISH).content.decode()
    assert "Your stake of 50 tokens stays in the pot" in page


def test_the_help_says_the_rules(client):
    page = client.get("/help/points/", headers=ENGLISH).content.decode()
    for text in ("more than half of a player's moves", "48 hours", "1,000 tokens", "same Internet address"):
        assert text.replace("'", "&#x27;") in page or text in page


def test_queries(client_of, alice, bob, django_assert_max_num_queries):
    table = open_for(alice, bob, competitive=True, stake=50)
    abandon.abandon(table.code, user=alice)
    client = client_of(bob)
    client.get("/tables/count.json")
    with django_assert_max_num_queries(10):
        client.get(table.get_absolute_url())
    assert Seat.objects.filter(table=table, penalty="open").exists()
