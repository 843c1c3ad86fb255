"""The staff's panel: read-only, second factor compulsory, blind to running hands, fast by construction."""

from __future__ import annotations

import re
from datetime import timedelta
from urllib.parse import quote

import pytest
from django.apps import apps
from django.contrib import admin
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.staff_lists import ReadOnlyAdmin, key_before
from games import registry
from games.models import Seat, Table, TableEvent
from ranking import ledger
from ranking.models import Standing, XPEntry

from .conftest import CANARY

pytestmark = pytest.mark.django_db

OURS = sorted(
    (model for model in admin.site._registry if model.__module__.split(".")[0] in {"games", "ranking", "accounts", "staff"}),
    key=lambda model: model._meta.label,
)


def list_of(model) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def page_of(row) -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])


def every_page(row_limit=3):
    """The panel's home, every list, and pages of some rows of each."""
    yield reverse("admin:index")
    for model in OURS:
        yield list_of(model)
        for row in model._default_manager.order_by("pk")[:row_limit]:
            yield page_of(row)
            yield page_of(row).replace("/change/", "/history/")


@pytest.fixture
def ended(alice, bob):
    """A finished match that paid: its entries and standings."""
    now = timezone.now()
    table = Table.objects.create(
        game="cinq",
        rules_version=1,
        options={"mode": "piegeur"},
        seats_wanted=2,
        status="finished",
        competitive=True,
        counts=True,
        created_at=now,
        started_at=now,
        ended_at=now,
    )
    from games.services.endings import Result

    results = []
    for number, user in enumerate((alice, bob)):
        Seat.objects.create(
            table=table, joined=number, number=number, user=user, sat_at=now, place=number + 1, client_seed=f"open-{number}"
        )
        results.append(Result(number, user.pk, True, number + 1, 10, 5, 0))
    ledger.record(table, results)
    return table


def test_what_is_in_the_panel_and_what_is_not():
    assert {model.__name__ for model in OURS} >= {"Table", "Seat", "TableEvent", "ClockState", "XPEntry", "Standing", "User"}
    for game in registry.all_games():
        assert apps.get_model(game.move_model) in OURS
    assert "Vault" not in {model.__name__ for model in admin.site._registry}
    assert all(isinstance(admin.site._registry[model], ReadOnlyAdmin) for model in OURS)


def test_every_page_opens_for_an_administrator(staff, secrets, ended):
    for path in every_page():
        assert staff.get(path).status_code == 200, path


@pytest.mark.parametrize("who", ["stranger", "guest", "player", "staff without a second factor"])
def test_nobody_else_opens_any_page(who, request, client_of, user_named, secrets, ended):
    makers = {
        "stranger": lambda: None,
        "guest": lambda: request.getfixturevalue("guest"),
        "player": lambda: user_named("Diane"),
        "staff without a second factor": lambda: user_named("Denis", is_staff=True, is_superuser=True),
    }
    client = client_of(makers[who]())
    for path in every_page(1):
        response = client.get(path)
        assert response.status_code == 302, path
        assert "/admin/" not in response["Location"].split("?")[0] or response["Location"].startswith("/admin/login/")


def test_no_row_can_be_added_changed_or_deleted(staff, secrets, ended):
    for model in OURS:
        row = model._default_manager.order_by("pk").first()
        assert staff.get(list_of(model) + "add/").status_code == 403
        assert staff.post(list_of(model) + "add/", {}).status_code == 403
        form = staff.get(list_of(model)).context.get("action_form")
        assert form is None or not {"delete_selected"} & {name for name, _label in form.fields["action"].choices}
        if row is None:
            continue
        before = model._default_manager.filter(pk=row.pk).values().get()
        assert staff.post(page_of(row), {"plies": 99, "xp": 99, "username": "Autre"}).status_code == 403
        assert staff.post(page_of(row).replace("/change/", "/delete/"), {"post": "yes"}).status_code == 403
        staff.post(list_of(model), {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"})
        assert model._default_manager.filter(pk=row.pk).values().get() == before


# --- running hands ----------------------------------------------------------------------------------------------------


def test_no_page_shows_a_secret_of_a_running_table(staff, secrets):
    paths = [
        *every_page(),
        *(list_of(model) + f"?q={secrets.code}" for model in OURS),
        *(list_of(model) + "?q=Alice" for model in OURS),
    ]
    for path in paths:
        response = staff.get(path)
        assert response.status_code == 200, path
        assert CANARY not in response.content.decode(), path


def test_public_facts_of_a_running_table_are_shown(staff, secrets):
    move = apps.get_model(registry.get("cinq").move_model).objects.get(table=secrets)
    html = staff.get(page_of(move)).content.decode()
    assert "&quot;played&quot;, 0, &quot;5O&quot;" in html
    assert "&quot;started&quot;" in staff.get(page_of(TableEvent.objects.get(table=secrets))).content.decode()


def test_typed_columns_of_a_running_table_are_shown_only_where_the_game_says_they_are_public(staff, secrets, monkeypatch):
    model = apps.get_model(registry.get("cinq").move_model)
    page = page_of(model.objects.get(table=secrets))
    assert "field-suit" in staff.get(page).content.decode()
    monkeypatch.setattr(admin.site._registry[model], "public_columns", ("kind",))
    html = staff.get(page).content.decode()
    assert "field-suit" not in html and "field-kind" in html


def test_everything_is_shown_once_the_table_is_over(staff, secrets):
    Table.objects.filter(pk=secrets.pk).update(status="finished")
    move = apps.get_model(registry.get("cinq").move_model).objects.get(table=secrets)
    html = staff.get(page_of(move)).content.decode()
    assert f"notation-{CANARY}" in html and "CANARY5-hash" in html
    assert f"client-{CANARY}" in staff.get(page_of(Seat.objects.filter(table=secrets).first())).content.decode()


@pytest.mark.parametrize(
    ("model", "lookup"),
    [
        ("cinq.CinqMove", "notation__startswith"),
        ("cinq.CinqMove", "state_hash__gt"),
        ("cinq.CinqMove", "table__vault__seed__startswith"),
        ("cinq.CinqMove", "suit"),
        ("games.Seat", "client_seed__startswith"),
        ("games.Seat", "origin"),
        ("games.Seat", "table__token__startswith"),
        ("games.Table", "token__startswith"),
        ("games.Table", "vault__snapshot__contains"),
        ("games.Table", "opener__password__startswith"),
        ("games.Table", "server_seed__isnull"),
        ("accounts.User", "password__startswith"),
        ("ranking.XPEntry", "user__email__startswith"),
        ("ranking.Standing", "_connector"),
    ],
)
def test_an_address_cannot_ask_about_hidden_columns(staff, secrets, ended, model, lookup):
    response = staff.get(list_of(apps.get_model(model)), {lookup: "C"})
    assert response.status_code == 400


def test_order_cannot_be_chosen(staff, secrets):
    with CaptureQueriesContext(connection) as seen:
        assert staff.get(list_of(Seat) + "?o=2.-3").status_code == 200
    assert any('ORDER BY "games_seat"."id" DESC' in query["sql"] for query in seen.captured_queries)


# --- large tables -----------------------------------------------------------------------------------------------------


def test_no_list_counts_sorts_or_skips_and_few_queries(staff, secrets, ended):
    staff.get(reverse("admin:index"))  # the first visit of the day refills tokens
    for model in OURS:
        for query in ("", "?q=Alice", f"?q={secrets.code}", "?before=100000", "?since=7"):
            if "since" in query and not admin.site._registry[model].list_filter:
                continue
            with CaptureQueriesContext(connection) as seen:
                assert staff.get(list_of(model) + query).status_code == 200
            sql = [item["sql"] for item in seen.captured_queries]
            assert not [text for text in sql if "COUNT(" in text or "OFFSET" in text], (model, query)
            assert len(sql) <= 14 + 2 * ("since" in query) * 10, (model, query, len(sql))


def test_queries_do_not_grow_with_the_rows(staff, alice, bob, ended):
    def queries(model):
        with CaptureQueriesContext(connection) as seen:
            assert staff.get(list_of(model)).status_code == 200
        return len(seen.captured_queries)

    staff.get(reverse("admin:index"))
    before = {model: queries(model) for model in (XPEntry, Seat, Table)}
    now = timezone.now()
    for _ in range(20):
        table = Table.objects.create(game="cinq", rules_version=1, options={}, seats_wanted=2, opener=bob, created_at=now)
        Seat.objects.create(table=table, joined=0, user=alice, sat_at=now)
        XPEntry.objects.create(user=bob, table=table, game="cinq", delta=10, reason="finish", at=now)
    assert {model: queries(model) for model in (XPEntry, Seat, Table)} == before


def test_pages_by_key_cover_everything_once(staff):
    now = timezone.now()
    Table.objects.bulk_create(
        Table(game="cinq", rules_version=1, options={}, seats_wanted=2, created_at=now, code=f"{n:010}") for n in range(120)
    )
    path, seen, sizes = list_of(Table) + "?status__exact=open", [], []
    while path:
        changes = staff.get(path).context["cl"]
        seen += [table.code for table in changes.result_list]
        sizes.append(len(changes.result_list))
        path = list_of(Table) + changes.older if changes.older else ""
    assert sizes == [50, 50, 20]
    assert seen == [f"{n:010}" for n in reversed(range(120))]
    html = staff.get(list_of(Table) + "?before=5&status__exact=open").content.decode()
    assert "before=5" not in re.sub(r'name="before"[^>]*', "", html), "links of filters start at the first page"


@pytest.mark.parametrize("before", ["x", "-1", "9" * 30, "%00", "1e3"])
def test_malformed_page_key_is_answered(staff, before):
    assert staff.get(list_of(Table) + f"?before={before}", follow=True).status_code == 200


def test_filter_by_age_finds_the_same_rows_as_a_scan(alice):
    now = timezone.now()
    table = Table.objects.create(game="cinq", rules_version=1, options={}, seats_wanted=2, created_at=now)
    TableEvent.objects.bulk_create(
        TableEvent(table=table, ply=n, version=1, event=["started"], at=now - timedelta(hours=200 - n)) for n in range(150)
    )
    for hours in (-1, 50.5, 51, 99.5, 120, 199.5, 200, 300):
        moment = now - timedelta(hours=hours)
        with CaptureQueriesContext(connection) as seen:
            key = key_before(TableEvent, "at", moment)
        assert set(TableEvent.objects.filter(pk__gt=key)) == set(TableEvent.objects.filter(at__gte=moment))
        assert len(seen.captured_queries) <= 12
    assert key_before(Seat, "sat_at", now) == 0


# --- search -----------------------------------------------------------------------------------------------------------


def found(client, model, term):
    return list(client.get(list_of(model) + f"?q={quote(term)}").context["cl"].result_list)


def test_search_by_code_and_by_name_however_they_are_spelt(staff, secrets, ended, user_named):
    elodie = user_named("Élodie")
    Seat.objects.create(table=ended, joined=7, number=7, user=elodie, sat_at=timezone.now())
    assert found(staff, Table, secrets.code.lower()) == [secrets]
    assert found(staff, Table, "elodie") == [ended]
    assert set(found(staff, Table, " ALICE ")) == {secrets, ended}
    assert {seat.table for seat in found(staff, Seat, "alice")} == {secrets, ended}
    assert {seat.user_id for seat in found(staff, Seat, ended.code)} == {*ended.seats.values_list("user", flat=True)}
    assert [entry.user.username for entry in found(staff, XPEntry, "bob")] == ["Bob"]
    assert len(found(staff, XPEntry, ended.code)) == 2
    assert {standing.user.username for standing in found(staff, Standing, "Alice")} == {"Alice"}
    assert [row.table for row in found(staff, TableEvent, secrets.code)] == [secrets]
    for model in OURS:
        assert found(staff, model, "nobody at all") == [] or model.__name__ == "ClockState"


# --- under a strict policy --------------------------------------------------------------------------------------------


def test_no_inline_script_or_style_on_any_page(staff, secrets, ended):
    for path in every_page(1):
        response = staff.get(path)
        html = response.content.decode()
        assert "'unsafe" not in response["Content-Security-Policy"]
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=\"|<script(?![^>]*\bsrc=)(?![^>]*application/json)", html), path


def test_cells_carry_the_name_of_their_column(staff, ended):
    html = staff.get(list_of(XPEntry)).content.decode()
    assert re.search(r'<td data-label="XP" class="field-delta"[^>]*>20<', html)


def test_the_box_that_ticks_a_row_has_no_name_beside_it(staff, alice):
    html = staff.get(list_of(User)).content.decode()
    assert '<td data-label="" class="action-checkbox"><input type="checkbox"' in html
