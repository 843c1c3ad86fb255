"""The panel's home: what needs attention, for each role; daily figures; few queries, none that counts a table."""

from __future__ import annotations

from datetime import timedelta

import pytest
from celery.signals import task_failure
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import sanctions
from games import clocktime
from games.models import ClockState, Seat
from staff import home, reports
from staff.models import FailedTask
from tests import playing

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


def labels(user):
    return {point.label: point for point in home.points(user)}


@pytest.fixture(autouse=True)
def in_english():
    from django.utils import translation

    with translation.override("en"):
        yield


def test_each_role_sees_what_it_deals_with(modo, anim, boss, alice, bob):
    reports.file(alice, bob, kind="spam")
    assert labels(modo)["Reports that nobody has taken"].alarm
    assert "Last sweep of the clock" not in labels(modo)
    assert "Last sweep of the clock" in labels(anim)
    assert "Reports that nobody has taken" not in labels(anim)
    assert {"Last sweep of the clock", "Reports that nobody has taken", "Tasks that failed within a day"} <= labels(boss).keys()


def test_the_clock_is_told_of(anim, alice, bob):
    assert labels(anim)["Last sweep of the clock"].alarm
    now = clocktime.now()
    ClockState.objects.create(pk=1, beat_at=now, swept_at=now, halted_at=now, reason="99 unforeseen", paused_at=now)
    found = labels(anim)
    assert not found["Last sweep of the clock"].alarm
    assert found["The clock has halted itself"].value == "99 unforeseen"
    assert found["The clocks stand still for maintenance"].url == "/admin/act/start-clocks/"
    table = playing.open_for(alice, bob)
    Seat.objects.filter(owes_move=True).update(deadline=now - timedelta(minutes=5))
    assert found["Oldest overdue turn"].value == "none"
    assert labels(anim)["Oldest overdue turn"].value == f"{table.code}, 5 min ago"


def test_appeals_are_shown_to_who_can_answer_them(modo, with_role, alice):
    made = sanctions.impose(alice, kind="mute", ground="spam", by=modo)
    sanctions.appeal(alice, made.pk, "No.")
    assert labels(modo)["Appeals that you can answer"].value == 0
    assert labels(with_role("Odette", "moderateur"))["Appeals that you can answer"].value == 1


def test_failed_tasks_are_kept_without_their_text(boss):
    task_failure.send(sender=None, exception=ValueError("secret of a@b.example"))
    row = FailedTask.objects.get()
    assert row.error == "ValueError"
    assert labels(boss)["Tasks that failed within a day"].value == 1


def test_daily_figures(alice, bob):
    playing.open_for(alice, bob)
    people, matches = home.sparks()
    assert (people.today, people.total, matches.today) == (2, 2, 1)
    assert people.line.count(",") == home.DAYS


def test_the_page_opens_for_every_role_with_few_queries(modo, anim, boss, chef, alice, bob, client_of):
    playing.open_for(alice, bob)
    for user in (modo, anim, boss, chef):
        client = client_of(user)
        client.get("/admin/")
        with CaptureQueriesContext(connection) as seen:
            response = client.get("/admin/", headers=ENGLISH)
        assert response.status_code == 200
        html = response.content.decode()
        assert "What needs attention" in html and "<polyline" in html and " style=" not in html
        assert len(seen) <= 20, [query["sql"] for query in seen]
        assert not [query for query in seen if "COUNT(*)" in query["sql"]]
    assert "/admin/act/announce/" in client_of(anim).get("/admin/").content.decode()
    assert "/admin/act/announce/" not in client_of(modo).get("/admin/").content.decode()
