"""Leaving a match by plain forms: the page that says what it costs, the buttons, what everybody then sees."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games import registry
from games.models import Seat, Status, Table
from games.services import abandon
from tests.playing import OPTIONS, open_for

pytestmark = pytest.mark.django_db


def test_the_page_says_what_it_costs_and_get_changes_nothing(client_of, alice, bob, carla):
    table = open_for(alice, bob, carla, competitive=True)
    client = client_of(alice)
    assert reverse("table_abandon", args=[table.code]) in client.get(table.get_absolute_url()).content.decode()
    page = client.get(reverse("table_abandon", args=[table.code]), headers={"Accept-Language": "en"}).content.decode()
    assert "You cannot come back" in page
    assert "you lose 20 points" in page
    assert not Seat.objects.get(table=table, user=alice).abandoned
    answer = client.post(reverse("table_abandon", args=[table.code]))
    assert (answer.status_code, answer["Location"]) == (303, table.get_absolute_url())
    assert Seat.objects.get(table=table, user=alice).abandoned
    shown = client.get(table.get_absolute_url(), headers={"Accept-Language": "en"}).content.decode()
    assert "You have left this match" in shown
    assert "take-back" not in shown
    assert client.get(reverse("table_abandon", args=[table.code])).status_code == 409


def test_two_players_are_told_who_wins_at_once(client_of, alice, bob):
    table = open_for(alice, bob)
    page = client_of(alice).get(reverse("table_abandon", args=[table.code]), headers={"Accept-Language": "en"}).content.decode()
    assert "Bob wins at once" in page
    assert "nothing is counted" in page


def test_strangers(client_of, alice, bob, carla):
    table = open_for(alice, bob)
    hidden = open_for(alice, bob, visibility="link")
    for method in ("get", "post"):
        assert getattr(client_of(carla), method)(reverse("table_abandon", args=[table.code])).status_code == 403
        assert getattr(client_of(carla), method)(reverse("table_abandon", args=[hidden.code])).status_code == 404
    assert client_of(carla).post(reverse("table_stop", args=[table.code]), {"answer": "yes"}).status_code == 403
    assert client_of(alice).post(reverse("table_stop", args=[table.code]), {"answer": "perhaps"}).status_code == 422


def test_stopping_together_by_forms(client_of, alice, bob):
    table = open_for(alice, bob)
    stop = reverse("table_stop", args=[table.code])
    assert client_of(alice).post(stop, {"answer": "yes"}).status_code == 303
    page = client_of(bob).get(table.get_absolute_url(), headers={"Accept-Language": "en"}).content.decode()
    assert "Somebody proposes to stop this match" in page
    assert 'value="no"' in page
    assert client_of(bob).post(stop, {"answer": "yes"}).status_code == 303
    assert Table.objects.get(pk=table.pk).status == Status.CANCELLED
    assert client_of(bob).post(stop, {"answer": "yes"}).status_code == 409


def test_alone_with_bots_after_the_other_has_left(client_of, alice, bob):
    table = open_for(alice, bob, bots=1)
    abandon.abandon(table.code, user=bob)
    page = client_of(alice).get(table.get_absolute_url()).content.decode()
    assert reverse("table_end", args=[table.code]) in page
    assert reverse("table_abandon", args=[table.code]) not in page
    assert client_of(alice).post(reverse("table_end", args=[table.code])).status_code == 303


@pytest.mark.parametrize("game", registry.GAMES)
def test_who_has_left_sees_what_a_spectator_sees_until_the_end(client_of, alice, bob, carla, game):
    options = OPTIONS if game == "cinq" else {}
    table = open_for(alice, bob, carla, game=game, options=options, competitive=True)
    number = Seat.objects.get(table=table, user=alice).number
    client = client_of(alice)
    path = f"{table.get_absolute_url()}observation.json"
    assert client.get(path).json()["observation"]["hand"]
    client.post(reverse("table_abandon", args=[table.code]))
    mine, theirs = client.get(path).json(), client_of().get(path).json()
    assert mine["observation"] == theirs["observation"]
    assert mine["seat"] == number
    page = client.get(table.get_absolute_url())
    assert page.status_code == 200
    assert 'class="hand' not in page.content.decode()
    assert 'class="hand' in client_of(bob).get(table.get_absolute_url()).content.decode()
