"""Leaving the site (PC-67, PC-68): a week to come back, nobody else's match or result is harmed, nothing personal stays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.core import mail
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.utils import timezone, translation

from accounts import departures, registration
from accounts.models import Departure, Notice, User
from games.models import Seat, Status, Table
from games.services import tables
from ranking.models import XPEntry
from tests.accounts.test_exports import recently
from tests.playing import OPTIONS, open_for, play_one, play_out

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _in_french() -> Iterator[None]:
    with translation.override("fr"):
        yield


DAY8 = timedelta(days=8)


def open_alone(user: User) -> Table:
    return tables.open_table(user=user, game="cinq", options=OPTIONS, seats=2, pace=86400)


def test_asking_frees_lobby_seats_and_lets_the_site_play_the_running_ones(alice: User, bob: User, carla: User) -> None:
    mine = open_alone(alice)
    theirs = tables.open_table(user=bob, game="cinq", options=OPTIONS, seats=3, pace=86400)
    tables.sit(theirs.code, user=alice)
    running = open_for(alice, bob, carla)
    departures.ask(alice)
    assert Table.objects.get(pk=mine.pk).status == Status.CANCELLED
    assert not Seat.objects.filter(table=theirs, user=alice).exists()
    assert Seat.objects.get(table=running, user=alice).automatic
    assert Table.objects.get(pk=running.pk).status == Status.PLAYING


def test_the_last_person_who_plays_himself_leaves_a_cancelled_match(alice: User) -> None:
    running = open_for(alice, bots=1)
    departures.ask(alice)
    assert Table.objects.get(pk=running.pk).end == "absent"


def test_coming_back_takes_back_the_hands(alice: User, bob: User) -> None:
    running = open_for(alice, bob)
    departures.ask(alice)
    alice.refresh_from_db()
    assert departures.keep(alice)
    assert not Seat.objects.get(table=running, user=alice).automatic
    assert departures.pending(alice) is None
    assert departures.complete_due(timezone.now() + DAY8) == 0
    assert not departures.keep(alice), "once"


def test_after_a_week_nothing_personal_is_left_and_results_stay(alice: User, bob: User, client_of: Callable[..., Client]) -> None:
    client_of(alice).get("/")
    Notice.objects.create(user=alice, kind="turn", send_after=timezone.now())
    SocialAccount.objects.create(user=alice, provider="google", uid="1234", extra_data={"email": "alice@example.org"})
    over = play_out(open_for(alice, bob, competitive=True))
    points = list(XPEntry.objects.order_by("pk").values_list("user", "delta"))
    departures.ask(alice)
    assert departures.complete_due(timezone.now() + DAY8) == 1
    assert departures.complete_due(timezone.now() + DAY8) == 0
    gone = User.objects.get(pk=alice.pk)
    assert (gone.display_name, gone.email, gone.is_active) == ("Joueur supprimé", "", False)
    assert not gone.has_usable_password()
    for model in (EmailAddress, SocialAccount, UserSession, Notice):
        assert not model._default_manager.filter(user=alice).exists()
    assert list(XPEntry.objects.order_by("pk").values_list("user", "delta")) == points
    page = client_of(bob).get(f"/t/{over.code}/").content.decode()
    assert "Joueur supprimé" in page
    assert "Alice" not in page


def test_no_row_of_the_database_tells_the_name_or_the_address_any_more(alice: User, bob: User) -> None:
    play_out(open_for(alice, bob, competitive=True))
    departures.ask(alice)
    departures.complete_due(timezone.now() + DAY8)
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(model._meta.db_table)}")
            for row in cursor.fetchall():
                assert "alice@example.org" not in str(row), model
                assert "'Alice'" not in str(row), model


def test_the_name_stays_reserved_and_the_address_is_free(alice: User, db: None) -> None:
    departures.ask(alice)
    departures.complete_due(timezone.now() + DAY8)
    with pytest.raises(ValidationError):
        registration.free_name("Alice")
    assert registration.create_person("Nouvelle", "alice@example.org", "quatre-cartes-5").pk != alice.pk


def test_erasing_again_after_a_restored_backup_changes_nothing_more(alice: User) -> None:
    departures.ask(alice)
    departures.complete_due(timezone.now() + DAY8)
    before = User.objects.values().get(pk=alice.pk)
    User.objects.filter(pk=alice.pk).update(email="alice@example.org", language="fr")
    departures.erase(alice)
    after = User.objects.values().get(pk=alice.pk)
    assert {**after, "password": ""} == {**before, "password": ""}


def test_what_was_interrupted_is_finished_by_the_task(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    running = open_for(alice, bob)
    with monkeypatch.context() as crash:
        crash.setattr(departures, "_tell", lambda row: None)
        departures.ask(alice)
    assert not Seat.objects.get(table=running, user=alice).automatic
    departures.complete_due()
    assert Seat.objects.get(table=running, user=alice).automatic


def test_the_staff_closes_an_account_the_same_way_but_its_owner_cannot_keep_it(alice: User, bob: User) -> None:
    running = open_for(alice, bob)
    departures.ask(alice, by_staff=True)
    departures.complete_due()
    assert Seat.objects.get(table=running, user=alice).automatic
    alice.refresh_from_db()
    assert not departures.keep(alice)
    assert departures.complete_due(timezone.now() + DAY8) == 1


def test_the_pages(
    alice: User, bob: User, client_of: Callable[..., Client], django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    running = open_for(alice, bob)
    client = client_of(alice)
    assert client.get("/settings/delete/").status_code == 302, "who has not signed in just now does it again"
    recently(client)
    assert client.get("/settings/delete/").status_code == 200
    assert client.post("/settings/delete/", {"do": "delete"}).status_code == 422, "the box must be ticked"
    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post("/settings/delete/", {"do": "delete", "sure": "yes"})
    assert answer.status_code == 200
    assert "_auth_user_id" not in client.session
    assert len(mail.outbox) == 1
    assert mail.outbox[0].to == ["alice@example.org"]
    assert "/accounts/login/" in mail.outbox[0].body
    alice.refresh_from_db()
    again = client_of(alice)
    recently(again)
    for path in ("/", f"/t/{running.code}/", f"/t/{running.code}/live/?v=0", "/settings/", "/new/"):
        assert again.get(path).headers["Location"] == "/settings/delete/", path
    assert again.get("/settings/data/").status_code == 200
    assert again.post("/settings/delete/", {"do": "keep"}).headers["Location"] == "/"
    assert again.get(f"/t/{running.code}/").status_code == 200
    assert Departure.objects.get().kept_at is not None


def test_only_what_is_his_own_goes_with_a_user_row() -> None:
    """A user row is never deleted by cascade: other people's history refers to it and protects it."""
    own = {"Friendship", "Block", "EmailAddress", "Authenticator", "UserSession", "Notice", "Export", "SocialAccount", "LogEntry",
           "User_groups", "User_user_permissions", "ChatMute", "Invitation"}  # fmt: skip
    for relation in User._meta.related_objects:
        if relation.on_delete is not None and relation.on_delete.__name__ == "CASCADE":
            assert relation.related_model.__name__ in own, relation


def test_after_a_week_running_matches_are_abandoned_and_played_to_the_end(alice: User, bob: User, carla: User) -> None:
    of_three, of_two = open_for(alice, bob, carla, competitive=True), open_for(alice, bob, competitive=True)
    departures.ask(alice)
    departures.complete_due(timezone.now() + DAY8)
    of_two.refresh_from_db()
    assert of_two.status == Status.FINISHED, "the last one left wins at once"
    assert Seat.objects.get(table=of_two, user=bob).place == 1
    assert Seat.objects.get(table=of_three, user=alice).abandoned
    over = play_out(of_three)
    assert over.status == Status.FINISHED
    assert Seat.objects.get(table=over, user=alice).place != 1
    assert not XPEntry.objects.filter(user=alice, delta__gt=0).exists()
    assert not Seat.objects.filter(user=alice).exclude(origin="").exists()


def test_play_goes_on_for_the_others(alice: User, bob: User) -> None:
    running = open_for(alice, bob)
    departures.ask(alice)
    for _turn in range(3):
        seat = Seat.objects.filter(table=running, owes_move=True).select_related("user").first()
        if seat is None or seat.user != bob:
            break
        play_one(running)
    assert Table.objects.get(pk=running.pk).plies > 0
