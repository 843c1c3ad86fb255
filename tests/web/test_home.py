"""The home page: a newcomer finds one click to play, a player his turns; reading it writes nothing."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session

from games import registry
from games.cinq.templatetags.cinq_example import example
from games.models import Status, Table
from games.services import moves, tables

pytestmark = pytest.mark.django_db


def open_table(user, **fields):
    """A table of Cinq classique for three, friendly and public unless `fields` say otherwise."""
    plan = {"options": {}, "seats": 3, "pace": 86400, "visibility": "public", "competitive": False}
    return tables.open_table(user=user, game="cinq", **(plan | fields))


def test_newcomer_sees_what_it_is_and_can_play_at_once(client):
    page = client.get("/", headers={"accept-language": "en"})
    html = page.content.decode()
    assert page.status_code == 200
    assert all(f'name="game" value="{key}"' in html for key in registry.GAMES)
    assert 'name="mode" value="classique"' in html
    assert 'name="mode" value="piegeur"' in html
    assert html.count("<h1") == 1


def test_reading_makes_no_guest_and_no_session(client):
    for path in ("/", "/lobby/", "/new/", "/tables/", "/rules/cinq/", "/help/auto/"):
        assert client.get(path).status_code == 200, path
    assert not get_user_model().objects.exists()
    assert not Session.objects.exists()


def test_one_click_makes_a_guest_and_a_running_table(client):
    answer = client.post("/play-bots/", {"game": "cinq", "mode": "piegeur", "seats": "3", "limite": "15"})
    table = Table.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, f"/t/{table.code}/")
    assert table.status == Status.PLAYING
    assert table.options == {"mode": "piegeur", "limite": 15, "cartes": 10}
    assert (table.competitive, table.pace, table.visibility) == (False, None, "public")
    person = table.seats.get(user__isnull=False).user
    assert person.is_guest
    assert table.seats.exclude(bot="").count() == 2


def test_every_button_of_the_home_page_starts_a_match(client):
    html = client.get("/").content.decode()
    forms = [dict(re.findall(r'name="(\w+)" value="([^"]*)"', form)) for form in html.split('action="/play-bots/"')[1:]]
    assert len(forms) >= len(registry.GAMES)
    for fields in forms:
        asked = {name: value for name, value in fields.items() if name not in ("csrfmiddlewaretoken", "language", "next")}
        assert client.post("/play-bots/", asked).status_code == 303, asked
    assert {table.game for table in Table.objects.all()} == set(registry.GAMES)
    assert not Table.objects.exclude(status=Status.PLAYING).exists()


@pytest.mark.parametrize("game", registry.GAMES)
def test_every_game_has_its_rules_and_its_form(client, game):
    assert f'href="/rules/{game}/"' in client.get("/rules/").content.decode()
    assert client.get(f"/rules/{game}/").status_code == 200
    assert client.get(f"/new/?game={game}").status_code == 200


def test_a_second_click_keeps_the_same_guest(client):
    client.post("/play-bots/", {"game": "cinq"})
    client.post("/play-bots/", {"game": "cinq"})
    assert get_user_model().objects.filter(is_guest=True).count() == 1
    assert Table.objects.count() == 2


def test_one_click_play_cannot_be_made_competitive_or_hidden(client):
    client.post("/play-bots/", {"game": "cinq", "competitive": "1", "visibility": "link", "pace": "120"})
    table = Table.objects.get()
    assert (table.competitive, table.pace, table.visibility) == (False, None, "public")


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"game": "poker"}, 404),
        ({}, 404),
        ({"game": "cinq", "seats": "9"}, 422),
        ({"game": "cinq", "mode": "\x00"}, 422),
        ({"game": "cinq", "limite": "other", "limite_other": "1e3"}, 422),
        ({"game": "cinq", "mode": "piegeur", "seats": "2"}, 422),
    ],
)
def test_one_click_play_refuses_nonsense(client, fields, status):
    assert client.post("/play-bots/", fields).status_code == status
    assert not Table.objects.exists()


def test_play_bots_wants_a_post_with_a_token(client_of):
    assert client_of().get("/play-bots/").status_code == 405
    assert client_of(enforce_csrf_checks=True).post("/play-bots/", {"game": "cinq"}).status_code == 403
    assert not get_user_model().objects.exists()


def test_a_player_sees_his_turns_first(client_of, alice):
    table = open_table(alice)
    tables.fill_with_bots(table.code, by=alice)
    moves.play_waiting(table.code)
    html = client_of(alice).get("/").content.decode()
    assert html.index(f'href="/t/{table.code}/"') < html.index('action="/play-bots/"')


def test_hidden_tables_are_not_shown(client, alice):
    waiting, running = open_table(alice, visibility="link"), open_table(alice, visibility="link")
    tables.fill_with_bots(running.code, by=alice)
    for path in ("/", "/lobby/"):
        html = client.get(path).content.decode()
        assert waiting.code not in html
        assert running.code not in html


def test_waiting_and_running_tables_and_leaders_are_shown(client, alice, bob):
    waiting, running = open_table(alice), open_table(bob)
    tables.fill_with_bots(running.code, by=bob)
    html = client.get("/").content.decode()
    assert waiting.code in html
    assert running.code in html


def test_queries_of_the_home_page_do_not_grow(client, alice, bob, django_assert_max_num_queries):
    for user in (alice, bob, alice, bob):
        open_table(user)
        tables.fill_with_bots(open_table(user).code, by=user)
    with django_assert_max_num_queries(10):
        client.get("/")


def test_rules_and_help_are_there_for_everybody(client):
    assert client.get("/rules/cinq/").status_code == 200
    assert client.get("/help/auto/").status_code == 200
    assert client.get("/rules/poker/").status_code == 404


def test_examples_of_the_rules_page_are_what_the_rules_say():
    classique = example("classique", "4O 5O 6O 5C 1B 2B 3B 4B 5B 6B 7B 10B", "3O 7O 10O 3C 6C 5E 6E 11B 12B")
    assert [held["text"] for held in classique["hand"] if held["state"] == "can"] == ["3O", "7O", "6C", "5E", "11B"]
    piegeur = example("piegeur", "3O 5O 7O", "1O 2O 4O 6O 10O 12O 4E")
    states = {held["text"]: held["state"] for held in piegeur["hand"]}
    assert [card for card, state in states.items() if state == "can"] == ["1O", "2O", "10O", "12O"]
    assert [card for card, state in states.items() if state == "dead"] == ["4O", "6O"]
    assert states["4E"] == "wait"
