"""Triggers that keep rows as they were inserted: moves, table events and ledgers are never changed nor deleted.

An app names its models with `guard` when it is ready; the one receiver below makes their triggers after each migration, on
SQLite and PostgreSQL. A statement that would change such a row raises IntegrityError.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.signals import post_migrate

MESSAGE = "rows of this table are never changed"

_guarded: list[type[models.Model]] = []

_SQLITE = {
    "no_update": "CREATE TRIGGER IF NOT EXISTS {name} BEFORE UPDATE ON {table} BEGIN SELECT RAISE(ABORT, '" + MESSAGE + "'); END",
    "no_delete": "CREATE TRIGGER IF NOT EXISTS {name} BEFORE DELETE ON {table} BEGIN SELECT RAISE(ABORT, '" + MESSAGE + "'); END",
}
_POSTGRESQL = {
    "no_change": (
        "CREATE OR REPLACE TRIGGER {name} BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION refuse_change()"
    ),
    "no_truncate": (
        "CREATE OR REPLACE TRIGGER {name} BEFORE TRUNCATE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
    ),
}
# SQLSTATE 23001, restrict_violation: Django raises it as IntegrityError, as it does SQLite's ABORT.
_FUNCTION = (
    "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN RAISE EXCEPTION '%: {MESSAGE}', TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; END $$"
)


def guard(*guarded: type[models.Model]) -> None:
    """Have these models guarded from the next migration on. For `AppConfig.ready`."""
    _guarded.extend(model for model in guarded if model not in _guarded)
    post_migrate.connect(_after_migration, dispatch_uid="accounts.insert_only")


def guarded() -> tuple[type[models.Model], ...]:
    """Every guarded model."""
    return tuple(_guarded)


def _after_migration(*, using: str, **kwargs: Any) -> None:
    """post_migrate comes once for each app: cheap, since the triggers that are there are left alone."""
    connection = connections[using]
    made = existing(using)
    missing = [model for model in _guarded if not names(model, connection) <= made]
    if missing:
        tables = set(connection.introspection.table_names())
        install([model for model in missing if model._meta.db_table in tables], using)


def install(guarded_models: Iterable[type[models.Model]], using: str = DEFAULT_DB_ALIAS) -> None:
    """Make the triggers of the models; those that are there already stay."""
    connection = connections[using]
    with transaction.atomic(using=using), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_FUNCTION)
        for model in guarded_models:
            table = model._meta.db_table
            for suffix, statement in _triggers(connection).items():
                name = connection.ops.quote_name(f"{table}_{suffix}")
                cursor.execute(statement.format(name=name, table=connection.ops.quote_name(table)))


def remove(guarded_models: Iterable[type[models.Model]], using: str = DEFAULT_DB_ALIAS) -> None:
    """Drop the triggers of the models: for a migration that must rewrite such rows, and for emptying a test database."""
    connection = connections[using]
    made = existing(using)
    with transaction.atomic(using=using), connection.cursor() as cursor:
        for model in guarded_models:
            table = connection.ops.quote_name(model._meta.db_table)
            for name in sorted(names(model, connection) & made):
                on = f" ON {table}" if connection.vendor == "postgresql" else ""
                cursor.execute(f"DROP TRIGGER {connection.ops.quote_name(name)}{on}")


def names(model: type[models.Model], connection: BaseDatabaseWrapper) -> set[str]:
    """The names of the triggers that guard a model."""
    return {f"{model._meta.db_table}_{suffix}" for suffix in _triggers(connection)}


def existing(using: str = DEFAULT_DB_ALIAS) -> set[str]:
    """The names of all triggers of the database."""
    connection = connections[using]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal")
        else:
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        return {row[0] for row in cursor.fetchall()}


def _triggers(connection: BaseDatabaseWrapper) -> dict[str, str]:
    return _POSTGRESQL if connection.vendor == "postgresql" else _SQLITE
