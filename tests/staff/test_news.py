"""Announcements and maintenance: shown on every page, closed by a browser; clocks stand still and deadlines move."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import clocktime
from games.models import ClockState, Seat, Table, TableEvent
from games.services import clocks, moves
from staff import news
from staff.models import Announcement, StaffLog
from tests import playing

pytestmark = pytest.mark.django_db
TEXTS = {"fr": "Coupure dimanche.", "es": "Corte el domingo.", "en": "Down on Sunday."}


@pytest.fixture(autouse=True)
def ask_each_time(monkeypatch):
    monkeypatch.setattr(news, "EVERY", -1.0)
    monkeypatch.setattr(news, "_memory", news._Memory())


def announce(by, **fields):
    return Announcement.objects.create(**{**TEXTS, "starts_at": timezone.now(), "by": by, **fields})


def test_everybody_reads_it_in_his_language(anim, alice, client_of, act):
    assert act(anim, "announce", level="warning", start=0, hours=24, **TEXTS).status_code == 303
    for language, text in TEXTS.items():
        for user in (None, alice, anim):
            assert text in client_of(user).get("/", headers={"accept-language": language}).content.decode()
    assert "Coupure" in client_of(anim).get("/admin/", headers={"accept-language": "fr"}).content.decode()
    assert StaffLog.objects.get().after["fr"] == TEXTS["fr"]


def test_before_its_time_and_after_it_nobody_reads_it(anim, client):
    announce(anim, starts_at=timezone.now() + timedelta(hours=1))
    announce(anim, starts_at=timezone.now() - timedelta(hours=2), ends_at=timezone.now() - timedelta(hours=1))
    assert "Coupure" not in client.get("/", headers={"accept-language": "fr"}).content.decode()


def test_a_browser_closes_it_for_itself(anim, alice, client_of):
    row = announce(anim)
    client = client_of(alice)
    response = client.post(f"/news/{row.pk}/close/", {"next": "/lobby/"})
    assert (response.status_code, response["Location"]) == (303, "/lobby/")
    assert "Coupure" not in client.get("/", headers={"accept-language": "fr"}).content.decode()
    assert "Coupure" in client_of(alice).get("/", headers={"accept-language": "fr"}).content.decode()
    announce(anim)
    assert "Coupure" in client.get("/", headers={"accept-language": "fr"}).content.decode()
    assert client.post(f"/news/{row.pk}/close/", {"next": "//evil.example/"})["Location"] == "/"
    assert client.get(f"/news/{row.pk}/close/").status_code == 405


@pytest.mark.parametrize("cookie", ["x", "1..2", "9" * 400, "1." * 300 + "1", "-1"])
def test_a_broken_cookie_closes_nothing(cookie, anim, client):
    announce(anim)
    client.cookies[news.COOKIE] = cookie
    assert "Coupure" in client.get("/", headers={"accept-language": "fr"}).content.decode()


def test_an_announcement_is_ended_once(anim, act, client):
    row = announce(anim)
    assert act(anim, "end-announcement", row).status_code == 303
    assert "Coupure" not in client.get("/", headers={"accept-language": "fr"}).content.decode()
    assert act(anim, "end-announcement", row).status_code == 409


def test_pages_ask_at_most_every_ten_seconds(anim, client, monkeypatch):
    monkeypatch.setattr(news, "EVERY", 10.0)
    announce(anim)
    client.get("/lobby/")
    with CaptureQueriesContext(connection) as seen:
        assert "news-item" in client.get("/lobby/").content.decode()
    assert not [query for query in seen if "announcement" in query["sql"] or "clockstate" in query["sql"]]


# --- maintenance --------------------------------------------------------------------------------------------------------


def test_while_the_clocks_stand_still_nobody_loses_a_turn(anim, act, alice, bob, client_of):
    table = playing.open_for(alice, bob, pace=3600)
    seat = playing.seat_to_act(table)
    assert act(anim, "pause-clocks").status_code == 303
    assert act(anim, "pause-clocks").status_code == 409
    try:
        clocktime.travel(timedelta(hours=3))
        assert clocks.sweep() == 0
        assert not moves.play_for_absent(table.code, seat.number)
        html = client_of(alice).get(f"/t/{table.code}/", headers={"accept-language": "en"}).content.decode()
        assert "Maintenance" in html
        assert act(anim, "start-clocks").status_code == 303
        later = Seat.objects.get(pk=seat.pk)
        assert timedelta(hours=3) <= later.deadline - seat.deadline < timedelta(hours=3, minutes=1)
        assert clocks.sweep() == 0
        clocktime.travel(timedelta(minutes=61))
        ClockState.objects.update(beat_at=clocktime.now())
        assert clocks.sweep() >= 1
    finally:
        clocktime.travel(None)
    (event,) = [row.event for row in TableEvent.objects.filter(table=table) if row.event[0] == "paused"]
    assert 10800 <= event[1] < 10860
    assert act(anim, "start-clocks").status_code == 409
    assert [row.action for row in StaffLog.objects.order_by("pk")] == ["pause-clocks", "start-clocks"]


def test_a_turn_that_begins_in_the_pause_begins_at_its_end(alice, bob):
    table = playing.open_for(alice, bob, pace=3600)
    clocks.pause()
    try:
        clocktime.travel(timedelta(hours=2))
        playing.play_one(table)
        clocktime.travel(timedelta(hours=2))
        clocks.unpause()
        seat = playing.seat_to_act(table)
        assert timedelta(minutes=59) < seat.deadline - clocktime.now() <= timedelta(hours=1)
        clocks.sweep()
        assert Table.objects.get(pk=table.pk).version and not Seat.objects.filter(table=table, strikes__gt=0).exists()
    finally:
        clocktime.travel(None)


def test_an_outage_inside_the_pause_gives_nothing_twice(alice, bob):
    table = playing.open_for(alice, bob, pace=3600)
    seat = playing.seat_to_act(table)
    clocks.sweep()
    clocks.pause()
    ClockState.objects.update(beat_at=clocktime.now() - timedelta(minutes=30))
    clocks.sweep()
    assert Seat.objects.get(pk=seat.pk).deadline == seat.deadline
    clocks.unpause()
    assert Seat.objects.get(pk=seat.pk).deadline - seat.deadline < timedelta(minutes=1)


def test_a_halted_clock_is_released(anim, act):
    assert act(anim, "release-clock").status_code == 409
    now = clocktime.now()
    ClockState.objects.create(pk=1, beat_at=now, halted_at=now, reason="51 unforeseen")
    assert act(anim, "release-clock").status_code == 303
    assert not clocks.halted()
