"""The archive of one's own data (PC-98): one a day, for its owner only, with nobody else's secrets in it."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts import exports
from accounts.limits import TooOften
from accounts.models import Export, User
from tests.conftest import PASSWORD
from tests.playing import open_for, play_one, play_out

pytestmark = pytest.mark.django_db


def files(user: User) -> dict[str, str]:
    """The texts of an archive made now."""
    with zipfile.ZipFile(io.BytesIO(exports.archive(user))) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_an_archive_holds_what_the_site_keeps_about_me(alice: User, bob: User) -> None:
    over = play_out(open_for(alice, bob, competitive=True))
    running = open_for(alice, bob, game="cinquante_cinq", options={})
    play_one(running)
    found = files(alice)
    profile = json.loads(found["profile.json"])
    assert profile["username"] == "Alice"
    assert profile["addresses"] == [{"email": "alice@example.org", "verified": True, "primary": True}]
    assert "password" not in profile
    assert {row["table"] for row in json.loads(found["tables.json"])} == {over.code, running.code}
    assert over.server_seed in found[f"records/{over.code}.txt"]
    assert [row["table__code"] for row in json.loads(found["points.json"])] == [over.code]
    assert [row["table__code"] for row in json.loads(found["ratings.json"])] == [over.code]
    assert {"statistics.json", "badges.json"} <= found.keys()


def test_it_holds_nothing_of_others_that_is_private_and_no_secret_of_a_running_table(alice: User, bob: User) -> None:
    running = open_for(alice, bob, game="cinquante_cinq", options={})
    play_one(running)
    text = "\n".join(files(alice).values())
    assert "bob@example.org" not in text
    assert f"records/{running.code}.txt" in files(alice)
    record = files(alice)[f"records/{running.code}.txt"]
    assert "[ServerSeed" not in record
    assert "127.0.0.1" not in text


def test_one_a_day_and_the_same_one_while_it_waits(alice: User) -> None:
    first = exports.ask(alice)
    assert exports.ask(alice).pk == first.pk
    assert exports.build_due() == 1
    with pytest.raises(TooOften) as refusal:
        exports.ask(alice)
    assert 86300 < refusal.value.retry_after <= 86401
    assert exports.ask(alice, timezone.now() + timedelta(days=1, minutes=1)).pk != first.pk


def test_it_is_cleared_after_48_hours(alice: User, client_of: Callable[..., Client]) -> None:
    row = exports.ask(alice)
    exports.build_due()
    assert exports.content(alice, row.pk) is not None
    later = timezone.now() + timedelta(hours=49)
    assert exports.content(alice, row.pk, later) is None
    exports.build_due(later)
    assert Export.objects.get(pk=row.pk).content is None
    assert client_of(alice).get(f"/settings/data/{row.pk}/").status_code in {302, 404}


def test_a_dead_worker_leaves_the_job_to_the_next_one_three_times_at_most(
    alice: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    row = exports.ask(alice)
    now = timezone.now()
    Export.objects.filter(pk=row.pk).update(started_at=now, attempts=1)
    assert exports.build_due(now) == 0, "somebody is at it"
    with monkeypatch.context() as broken:
        broken.setattr(exports, "archive", lambda user: 1 / 0)
        assert exports.build_due(now + timedelta(minutes=16)) == 0
    assert exports.build_due(now + timedelta(minutes=32)) == 1
    assert exports.latest(alice).attempts == 3  # type: ignore[union-attr]
    Export.objects.filter(pk=row.pk).update(built_at=None, started_at=now)
    exports.build_due(now + timedelta(minutes=16))
    assert exports.latest(alice).failed_at is not None  # type: ignore[union-attr]
    assert exports.ask(alice).pk != row.pk, "a failed one does not count"


def test_the_page_asks_waits_and_hands_out_to_its_owner_alone(alice: User, bob: User, client_of: Callable[..., Client]) -> None:
    mine, theirs = client_of(alice), client_of(bob)
    recently(mine), recently(theirs)
    assert Client().get("/settings/data/").status_code == 302
    assert mine.get("/settings/data/").status_code == 200
    assert mine.post("/settings/data/").status_code == 302
    exports.build_due()
    row = exports.latest(alice)
    assert row is not None
    assert f"/settings/data/{row.pk}/" in mine.get("/settings/data/").content.decode()
    answer = mine.get(f"/settings/data/{row.pk}/")
    assert answer.headers["Content-Type"] == "application/zip"
    assert "no-store" in answer.headers["Cache-Control"]
    assert theirs.get(f"/settings/data/{row.pk}/").status_code == 404
    assert theirs.get("/settings/data/999999/").status_code == 404
    assert mine.post("/settings/data/").status_code == 429


def recently(client: Client) -> None:
    """Have the client prove once more who he is, as the page asks him to."""
    assert client.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": "/"}).status_code == 302
