"""Moves of every registered game, table events and ledgers: once written, nobody changes or deletes them, raw SQL included."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

from accounts import insert_only
from games import registry
from games.models import TableEvent
from ranking.models import XPEntry

MOVE_MODELS = [apps.get_model(game.move_model) for game in registry.all_games()]
GUARDED = [*MOVE_MODELS, TableEvent, XPEntry]

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("model", GUARDED, ids=lambda model: model.__name__)
def test_triggers_are_there(model):
    assert model in insert_only.guarded()
    assert insert_only.names(model, connection) <= insert_only.existing()


@pytest.mark.parametrize("model", GUARDED, ids=lambda model: model.__name__)
@pytest.mark.parametrize("statement", ["UPDATE {table} SET id = id + 1", "DELETE FROM {table}"])
def test_rows_cannot_be_changed_by_raw_sql(model, statement, row_of):
    pk = row_of(model).pk
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement.format(table=connection.ops.quote_name(model._meta.db_table)))
    assert model._default_manager.filter(pk=pk).exists()


@pytest.mark.django_db(transaction=True)
def test_triggers_come_back_after_a_flush_and_a_migration():
    for model in GUARDED:
        insert_only.remove([model])
        assert not insert_only.names(model, connection) & insert_only.existing()
    call_command("migrate", verbosity=0)
    for model in GUARDED:
        assert insert_only.names(model, connection) <= insert_only.existing()


@pytest.fixture
def row_of(alice):
    """Makes one row of a guarded model."""
    from django.utils import timezone

    from games.models import Move, Table

    now = timezone.now()

    def make(model):
        table = Table.objects.create(game=registry.GAMES[0], rules_version=1, options={}, seats_wanted=2, created_at=now)
        if issubclass(model, Move):
            required = {
                field.attname: 0
                for field in model._meta.local_fields
                if field.model is model and not field.has_default() and not field.null and not field.is_relation
            }
            values = required | {
                "table": table,
                "ply": 1,
                "seat": 0,
                "by": "player",
                "notation": "x",
                "events": [],
                "played_at": now,
            }
            values.pop("id", None)
            return model.objects.create(**values)
        if model is TableEvent:
            return TableEvent.objects.create(table=table, ply=0, version=1, event=["started"], at=now)
        return XPEntry.objects.create(user=alice, table=table, game=table.game, delta=20, reason="win", at=now)

    return make
