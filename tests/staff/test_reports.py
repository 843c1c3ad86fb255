"""Reports: from a turn or a profile, gathered by suspect, taken by one, their outcome told; nothing hidden in the context."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.core import mail
from django.urls import reverse

from accounts import limits, notices
from games.services import chat, tables
from staff import reports
from staff.models import Case, Report
from tests import playing

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(alice, bob):
    table = playing.open_for(alice, bob)
    for _ in range(3):
        playing.play_one(table)
    table.refresh_from_db()
    return table


def report(client, table, **data):
    return client.post(f"/report/?table={table.code}", {"kind": "slow", "text": "He sleeps.", **data})


def test_a_turn_is_reported_with_what_everybody_saw(table, alice, bob, client_of):
    client = client_of(alice)
    html = client.get(f"/report/?table={table.code}").content.decode()
    assert "Bob" in html and 'value="2"' in html
    response = report(client, table, whom=bob.pk, ply=2)
    assert (response.status_code, response["Location"]) == (303, "/reports/")
    row = Report.objects.get()
    assert (row.case.suspect, row.reporter, row.table, row.ply) == (bob, alice, table.code, 2)
    assert row.context["rows"] and max(ply for ply, *_rest in row.context["rows"]) <= 2
    assert "He sleeps." in client.get("/reports/").content.decode()
    assert "He sleeps." not in client_of(bob).get("/reports/").content.decode()


def test_a_profile_is_reported(alice, bob, client_of):
    client = client_of(alice)
    assert client.get(f"/report/?person={bob.pk}").status_code == 200
    assert client.post(f"/report/?person={bob.pk}", {"kind": "name", "whom": bob.pk, "ply": 0}).status_code == 303
    assert Report.objects.get().context == {}


def test_the_page_of_a_profile_or_message_names_whom_by_itself(table, alice, bob, client_of):
    """What the page holds is all that its form needs: nobody is asked whom, since there is one."""
    message = chat.say(table.code, user=bob, text="Vaurien.", request=uuid4())
    client = client_of(alice)
    for address in (f"/report/?person={bob.pk}", f"/report/?table={table.code}&message={message.pk}"):
        html = client.get(address).content.decode()
        hidden = re.search(r'<input type="hidden" name="whom" value="(\d+)"', html)
        assert hidden is not None, address
        assert client.post(address, {"whom": hidden[1], "kind": "insult"}).status_code == 303


def test_the_link_to_report_somebody_stands_where_there_is_somebody(table, alice, client_of):
    alone = playing.open_for(alice, bots=2)
    client = client_of(alice)
    assert f"/report/?table={alone.code}" not in client.get(alone.get_absolute_url()).content.decode()
    assert f"/report/?table={table.code}" in client.get(table.get_absolute_url()).content.decode()
    assert client.get(f"/report/?table={alone.code}").status_code == 404


def test_who_may_not_know_a_table_reports_nothing_there(alice, bob, carla, client_of):
    table = tables.open_table(user=alice, game="cinq", options={}, seats=2, pace=86400, visibility="link")
    tables.sit(table.code, user=bob, token=table.token)
    for path in (
        f"/report/?table={table.code}",
        "/report/?table=0000000000",
        "/report/?table=../x",
        "/report/",
        "/report/?person=0",
    ):
        assert client_of(carla).get(path).status_code == 404
    assert client_of(alice).get(f"/report/?person={alice.pk}").status_code == 404
    assert client_of(None).get(f"/report/?table={table.code}").status_code == 302


@pytest.mark.parametrize("change", [{"whom": 999999}, {"kind": "x"}, {"whom": ""}, {"ply": 77}, {"text": "x" * 1001}])
def test_malformed_reports_are_refused(change, table, alice, bob, client_of):
    assert report(client_of(alice), table, **{"whom": bob.pk, "ply": 1, **change}).status_code == 422
    assert not Report.objects.exists()


def test_reports_are_gathered_and_the_same_again_is_the_same(table, alice, bob, carla):
    first = reports.file(alice, bob, kind="slow", table=table.code, ply=1)
    assert reports.file(alice, bob, kind="slow", table=table.code, ply=1) == first
    reports.file(carla, bob, kind="insult")
    reports.file(bob, alice, kind="other")
    assert [case.reports.count() for case in Case.objects.order_by("pk")] == [2, 1]
    with pytest.raises(reports.Unfit):
        reports.file(alice, alice, kind="other")


def test_ten_reports_a_day(alice, bob, settings):
    settings.RATE_LIMITS_ENABLED = True
    for number in range(10):
        reports.file(alice, bob, kind="other", ply=number)
    with pytest.raises(limits.TooOften):
        reports.file(alice, bob, kind="other", ply=11)


def test_a_case_is_taken_by_one_and_closed_by_him(alice, bob, modo, with_role, act):
    other = with_role("Odette", "moderateur")
    case = reports.file(alice, bob, kind="insult").case
    assert act(modo, "close-case", case, outcome="warned").status_code == 409
    assert act(modo, "claim", case).status_code == 303
    assert act(other, "claim", case).status_code == 409
    assert act(other, "close-case", case, outcome="none").status_code == 409
    assert act(modo, "release-case", case).status_code == 303
    assert act(other, "claim", case).status_code == 303
    assert act(other, "close-case", case, outcome="warned").status_code == 303
    case.refresh_from_db()
    assert (case.claimed_by, case.outcome) == (other, "warned")
    assert reports.file(alice, bob, kind="insult").case != case


def test_nobody_works_on_the_case_against_himself(alice, modo, act, client_of):
    case = reports.file(alice, modo, kind="insult").case
    assert act(modo, "claim", case).status_code == 409
    assert client_of(modo).get(reverse("admin:staff_case_change", args=[case.pk])).status_code == 302


def test_the_outcome_is_told(alice, bob, carla, modo, act, client_of):
    case = reports.file(alice, bob, kind="insult").case
    reports.file(carla, bob, kind="spam")
    act(modo, "claim", case)
    act(modo, "close-case", case, outcome="sanctioned")
    html = client_of(alice).get("/reports/", headers={"accept-language": "en"}).content.decode()
    assert "a measure was taken" in html
    notices.send_due()
    assert {message.to[0] for message in mail.outbox} == {"alice@example.org", "carla@example.org"}


def test_the_page_of_a_case_shows_reports_in_sentences(table, alice, bob, modo, client_of):
    context = reports.context_of(table, 2)
    case = reports.file(alice, bob, kind="slow", text="<b>He</b> sleeps", table=table.code, ply=2, context=context).case
    html = client_of(modo).get(reverse("admin:staff_case_change", args=[case.pk])).content.decode()
    assert "&lt;b&gt;He&lt;/b&gt; sleeps" in html and f"/t/{table.code}/log/" in html
    assert reverse("admin:accounts_user_change", args=[bob.pk]) in html
    assert client_of(modo).get(reverse("admin:staff_case_changelist") + "?state=free").status_code == 200
