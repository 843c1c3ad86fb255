"""A guest with a real seat logs in or signs up: the claim is part of the request's own transaction."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from accounts import guests
from accounts.models import User
from games.models import Removal, Seat
from games.services import tables
from tests.playing import OPTIONS, open_for

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_seat_follows_inside_a_transaction(alice: User, guest: User) -> None:
    table = open_for(guest, bots=1)
    guests.claim(guest.pk, alice)
    assert Seat.objects.get(table=table, user__isnull=False).user == alice


def test_logging_in_with_a_seat(alice: User, client_of: Callable[..., Client]) -> None:
    client = client_of()
    client.post("/play-bots/", {"game": "cinq", "mode": "classique", "seats": "3", "limite": "15"})
    seat = Seat.objects.get(user__is_guest=True)
    answer = client.post("/accounts/login/", {"login": alice.email, "password": "quatre-cartes-5"})
    assert answer.status_code == 302
    seat.refresh_from_db()
    assert seat.user == alice


def test_a_removed_player_does_not_come_back_as_a_guest(alice: User, bob: User, guest: User) -> None:
    table = tables.open_table(user=alice, game="cinq", options=OPTIONS, seats=4, pace=86400)
    tables.sit(table.code, user=bob)
    tables.remove(table.code, by=alice, seat_id=Seat.objects.get(table=table, user=bob).pk)
    tables.sit(table.code, user=guest)
    guests.claim(guest.pk, bob)
    assert not Seat.objects.filter(table=table, user=bob).exists()
    assert Removal.objects.filter(table=table, user=bob).exists()
