"""`manage.py demo`: loaded once, on a development site without people, and really played."""

from __future__ import annotations

import io
import time

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth import authenticate, get_user_model
from django.core.management import CommandError, call_command
from django.utils import translation

from games import observe, registry
from games.management.commands import demo
from games.models import Seat, Status, Table

pytestmark = pytest.mark.django_db


def run(*arguments):
    out = io.StringIO()
    call_command("demo", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def _small(monkeypatch):
    """A shorter demonstration, for the tests of what goes round it."""
    monkeypatch.setattr(demo, "FINISHED", ())
    monkeypatch.setattr(demo, "RUNNING", demo.RUNNING[:1])


@pytest.fixture(autouse=True)
def _debug(settings):
    settings.DEBUG = True


def test_it_is_quick_and_shows_every_kind_of_table():
    begun = time.process_time()
    run()
    assert time.process_time() - begun < 12
    found = set(Table.objects.values_list("status", "competitive"))
    assert found >= {
        ("open", False),
        ("open", True),
        ("playing", False),
        ("playing", True),
        ("finished", False),
        ("finished", True),
    }
    assert Table.objects.filter(visibility="link").exists()
    for table in Table.objects.exclude(status=Status.OPEN):
        assert observe.audit(table) == []
    for table in Table.objects.filter(status=Status.PLAYING):
        assert table.pace in (None, 7 * 86400)
    games = set(registry.GAMES)
    for status in (Status.OPEN, Status.PLAYING, Status.FINISHED):
        assert set(Table.objects.filter(status=status).values_list("game", flat=True)) == games
    waiting = Table.objects.filter(seats__owes_move=True, seats__user__username=demo.NAMES[0])
    assert set(waiting.values_list("game", flat=True)) == games, "whoever signs in as the first of them may play each game"
    with translation.override("en"):
        titles = {str(table.title) for table in Table.objects.all()}
    assert titles >= {"Cinq classique", "Cinq piégeur", "Les Cinq Rois, official rules", "55", "55 in sides"}
    assert not Seat.objects.filter(table__status=Status.PLAYING, owes_move=True).exclude(bot="").exists()
    from ranking.models import XPEntry

    assert XPEntry.objects.filter(delta__gt=10).exists()


@pytest.mark.usefixtures("_small")
def test_it_is_loaded_once():
    first = run()
    before = (get_user_model().objects.count(), Table.objects.count())
    assert run() == first
    assert run("--accounts") == first
    assert (get_user_model().objects.count(), Table.objects.count()) == before


@pytest.mark.usefixtures("_small")
def test_what_it_prints_opens_the_door():
    text = run()
    assert authenticate(username="Amélie", password=demo.PASSWORD)
    admin = get_user_model().objects.get(is_superuser=True)
    assert admin.is_staff
    assert demo.PASSWORD in text
    assert admin.email in text
    assert Authenticator.objects.get(user=admin).type == Authenticator.Type.TOTP
    people = get_user_model().objects.all()
    assert all(person.emailaddress_set.filter(verified=True, primary=True).exists() for person in people)


def test_it_never_mixes_with_people(alice):
    with pytest.raises(CommandError, match="people here"):
        run()
    assert get_user_model().objects.count() == 1


def test_it_is_refused_in_service(settings):
    settings.DEBUG = False
    with pytest.raises(CommandError, match="DEBUG"):
        run()
    with pytest.raises(CommandError, match="DEBUG"):
        run("--accounts")
    assert not get_user_model().objects.exists()


def test_no_accounts_without_a_demonstration():
    with pytest.raises(CommandError, match="no demonstration"):
        run("--accounts")
