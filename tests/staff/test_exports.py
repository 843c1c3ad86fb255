"""CSV of the staff's lists: streamed, filtered like the list, and nothing in it runs in a spreadsheet."""

from __future__ import annotations

import csv
import io

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.models import ChatMessage
from staff import exports
from staff.models import StaffLog
from tests import playing

pytestmark = pytest.mark.django_db

PAYLOADS = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\tx",
    "\r=1",
    "\n=1",
    " =1+1",
    "\uff1d1+1",
    "|calc",
    "%0A",
    '"=1"',
    "a\0=b",
    "a,b",
    "a\r\nb",
]


@pytest.mark.parametrize("payload", PAYLOADS)
def test_no_cell_begins_like_a_formula(payload):
    line = next(iter(csv.reader(io.StringIO(exports.csv_line([payload, "x"])))))
    cell = line[0]
    assert cell[:1] not in exports.DANGEROUS and "\0" not in cell
    assert cell.lstrip("' ").replace("\0", "") == payload.lstrip(" ").replace("\0", "")


@pytest.mark.parametrize(("value", "cell"), [(None, ""), (-5, -5), (True, True), ("Élodie", "Élodie"), ("", ""), ("5-0", "5-0")])
def test_what_is_harmless_stays(value, cell):
    assert exports.harmless(value) == cell


def rows_of(response):
    text = b"".join(response.streaming_content).decode()
    assert text.startswith("\ufeff") and "\r\n" in text
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))


@pytest.fixture
def export(client_of):
    from uuid import uuid4

    def post(user, query, reason="quarterly review"):
        return client_of(user).post(f"/admin/act/export/?{query}", {"reason": reason, "request": str(uuid4())})

    return post


def test_the_list_as_filtered(boss, export, alice, bob):
    table = playing.open_for(alice, bob)
    other = playing.open_for(alice, bob)
    from games.services import oversight

    oversight.call_off(other.code)
    rows = rows_of(export(boss, "list=games.table&status__exact=playing"))
    assert [row[0] for row in rows[1:]] == [table.code]
    assert len(rows_of(export(boss, f"list=games.table&q={other.code}"))) == 2
    assert len(rows_of(export(boss, "list=games.table"))) == 3
    assert {row.action for row in StaffLog.objects.all()} == {"export"}


def test_names_and_messages_that_are_formulas(boss, export, alice, bob):
    from uuid import uuid4

    from games import clocktime

    table = playing.open_for(alice, bob)
    User.objects.filter(pk=alice.pk).update(username="=1+1")
    ChatMessage.objects.create(table=table, user=bob, text="@SUM(1)\n=2", request=uuid4(), at=clocktime.now())
    cells = [
        cell
        for name in ("accounts.user", "games.chatmessage", "games.table")
        for row in rows_of(export(boss, f"list={name}"))
        for cell in row
    ]
    assert "'=1+1" in cells and "'@SUM(1)\n=2" in cells
    assert not [cell for cell in cells if cell[:1] in {"=", "+", "@", "\t", "\r"}]


def test_who_may_export(modo, anim, boss, export):
    assert export(modo, "list=accounts.user").status_code == 403
    assert export(anim, "list=games.table").status_code == 403
    for unknown in ("list=auth.user", "list=games.vault", "list=", "list=account.emailaddress", ""):
        assert export(boss, unknown).status_code == 404
    assert export(boss, "list=games.table", reason="").status_code == 422
    assert export(boss, "list=games.table&vault__seed__startswith=a").status_code == 400
    assert not StaffLog.objects.filter(action="export").exists()


def test_pages_of_keys_cover_everything_once_with_few_queries(boss, export):
    User.objects.bulk_create(User(username=f"p{n:05}", name_key=f"p{n:05}") for n in range(1203))
    export(boss, "list=games.table")
    with CaptureQueriesContext(connection) as seen:
        rows = rows_of(export(boss, "list=accounts.user"))
    names = [row[1] for row in rows[1:]]
    assert len(names) == len(set(names)) == User.objects.count()
    assert len(seen) < 40 and not [query for query in seen if "OFFSET" in query["sql"] or "COUNT(" in query["sql"]]
