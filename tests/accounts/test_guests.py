"""Guests: made by a POST, limited per address, kept through sign-up, gone after 30 idle days."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.core import mail
from django.test import Client, RequestFactory
from django.utils import timezone

from accounts import guests, limits
from accounts.models import User
from accounts.signals import guest_claimed, session_closed
from tests.accounts.test_login import log_in
from tests.accounts.test_signup import link_in, sign_up
from tests.playing import open_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def claims() -> Iterator[list[tuple[int, int]]]:
    """The (guest, user) pairs of the signal, as they come; each guest is already inactive then."""
    heard: list[tuple[int, int]] = []

    def hear(sender: Any, guest: User, user: User, **kwargs: Any) -> None:
        assert not guest.is_active
        heard.append((guest.pk, user.pk))

    guest_claimed.connect(hear)
    yield heard
    guest_claimed.disconnect(hear)


def request_of(address: str = "192.0.2.1") -> Any:
    request = RequestFactory().post("/play-bots/", REMOTE_ADDR=address)
    request.session = SessionStore()
    request.player = None
    return request


def test_a_guest_has_a_number_and_nothing_else(db: None) -> None:
    request = request_of()
    guest = guests.create(request)
    assert guest.is_guest
    assert (guest.email, guest.has_usable_password(), guest.is_staff) == ("", False, False)
    assert guest.display_name.startswith("Guest ") or guest.display_name.startswith("Invité ")
    assert guests.of(request.session) == guest
    # A double click finds the same guest.
    assert guests.create(request) == guest
    assert User.objects.count() == 1


def test_a_guest_gets_a_session_key_that_nobody_can_have_planted(db: None) -> None:
    request = request_of()
    request.session.save()
    before = request.session.session_key
    guests.create(request)
    assert request.session.session_key != before


def test_ten_guests_an_hour_from_one_address(settings: Any) -> None:
    settings.RATE_LIMITS_ENABLED = True
    for _ in range(10):
        guests.create(request_of())
    with pytest.raises(limits.TooOften):
        guests.create(request_of())
    guests.create(request_of("192.0.2.2"))
    assert User.objects.count() == 11


def test_looking_around_makes_no_guest(client: Client) -> None:
    client.get("/accounts/signup/")
    client.get("/accounts/login/")
    assert User.objects.count() == 0


def test_the_guest_becomes_the_account_when_the_button_is_pressed(
    client_of: Callable[..., Client], guest: User, claims: list[tuple[int, int]]
) -> None:
    client = client_of(guest)
    assert client.get("/accounts/signup/").context["request"].player == guest
    sign_up(client)
    user = User.objects.get(username="Nadia")
    assert user.guest == guest
    assert claims == []
    # Until then he plays on as a guest.
    assert client.get("/accounts/signup/").context["request"].player == guest
    client.post(link_in(mail.outbox[0]))
    assert claims == [(guest.pk, user.pk)]
    guest.refresh_from_db()
    user.refresh_from_db()
    assert (guest.is_active, user.guest) == (False, None)
    assert client.get("/settings/").context["request"].player == user


def test_pressed_in_another_browser_it_works_as_well_and_the_first_one_is_nobodys(
    client_of: Callable[..., Client], guest: User, claims: list[tuple[int, int]]
) -> None:
    client = client_of(guest)
    sign_up(client)
    user = User.objects.get(username="Nadia")
    Client().post(link_in(mail.outbox[0]))
    assert claims == [(guest.pk, user.pk)]
    assert client.get("/accounts/login/").context["request"].player is None
    # The login there claims nothing twice.
    log_in(client, "nadia@example.org", "un-bon-mot-de-passe")
    assert claims == [(guest.pk, user.pk)]
    assert guests.claim(guest.pk, user) is False


def test_a_guest_who_logs_in_takes_his_seats_along(
    client_of: Callable[..., Client], guest: User, alice: User, claims: list[tuple[int, int]]
) -> None:
    client = client_of(guest)
    log_in(client, "alice@example.org", "faux")
    assert claims == []
    log_in(client, "alice@example.org")
    assert claims == [(guest.pk, alice.pk)]
    assert guests.SESSION_KEY not in client.session


def test_two_sign_ups_of_one_guest_claim_him_once(
    client_of: Callable[..., Client], guest: User, claims: list[tuple[int, int]]
) -> None:
    client = client_of(guest)
    sign_up(client)
    client.post("/accounts/logout/")
    sign_up(client, "Samir", "samir@example.org")
    for message in mail.outbox:
        Client().post(link_in(message))
    assert claims == [(guest.pk, User.objects.get(username="Nadia").pk)]


def test_whoever_resets_the_password_of_a_strangers_sign_up_does_not_inherit_his_guest(
    client_of: Callable[..., Client], guest: User, claims: list[tuple[int, int]]
) -> None:
    sign_up(client_of(guest), email="victim@example.org")
    owner = Client()
    owner.post("/accounts/password/reset/", {"email": "victim@example.org"})
    form = owner.get(link_in(mail.outbox[-1])).url
    new = "encore-un-mot-secret"
    owner.post(form, {"password1": new, "password2": new})
    confirmation = [m for m in mail.outbox if "/confirm-email/" in m.body][-1]
    owner.post(link_in(confirmation))
    assert claims == []
    assert not User.objects.get(email="victim@example.org").check_password("un-bon-mot-de-passe")


def test_claiming_rolls_back_with_its_receivers(guest: User, alice: User) -> None:
    def fail(**kwargs: Any) -> None:
        raise RuntimeError

    guest_claimed.connect(fail)
    try:
        with pytest.raises(RuntimeError):
            guests.claim(guest.pk, alice)
    finally:
        guest_claimed.disconnect(fail)
    guest.refresh_from_db()
    assert guest.is_active


def test_claiming_closes_the_guests_sockets(guest: User, alice: User, django_capture_on_commit_callbacks: Any) -> None:
    heard = []

    def hear(user_id: int, session_key: str, **kwargs: Any) -> None:
        heard.append((user_id, session_key))

    session_closed.connect(hear)
    with django_capture_on_commit_callbacks(execute=True):
        guests.claim(guest.pk, alice)
    session_closed.disconnect(hear)
    assert heard == [(guest.pk, "")]


def test_idle_guests_end_and_busy_ones_stay(guest: User, alice: User) -> None:
    now = timezone.now()
    busy = User.objects.create(username="guest-5555", is_guest=True, last_seen=now - timedelta(days=29))
    User.objects.filter(pk=guest.pk).update(last_seen=now - timedelta(days=31))
    User.objects.filter(pk=alice.pk).update(last_seen=now - timedelta(days=400))
    assert guests.purge(now) == 1
    assert not User.objects.filter(pk=guest.pk).exists()
    assert User.objects.filter(pk__in=[busy.pk, alice.pk]).count() == 2


def test_an_idle_guest_with_a_seat_ends_but_stays_at_the_table(guest: User, alice: User) -> None:
    table = open_for(alice, guest)
    User.objects.filter(pk=guest.pk).update(last_seen=timezone.now() - timedelta(days=31), language="es")
    assert guests.purge() == 1
    guest.refresh_from_db()
    assert (guest.is_active, guest.language) == (False, "")
    assert table.seats.filter(user=guest).exists()
    assert guests.purge() == 0


def test_a_guest_without_an_account_cannot_open_the_pages_of_one(client_of: Callable[..., Client], guest: User) -> None:
    client = client_of(guest)
    for path in ("/settings/name/", "/accounts/email/", "/accounts/password/change/", "/accounts/2fa/", "/accounts/sessions/"):
        answer = client.get(path)
        assert answer.status_code == 302
        assert answer.url.startswith("/accounts/login/")
