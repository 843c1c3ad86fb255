"""The database has the last word: each constraint of the write path refuses what buggy code might write (D.1, 2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction

from accounts.models import User
from games.cinq.models import CinqMove
from games.models import Seat, Table
from tests.playing import open_for, play_one, seat_to_act

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(alice: User, bob: User) -> Table:
    running = open_for(alice, bob)
    play_one(running, request=uuid4())
    return Table.objects.get(pk=running.pk)


def sql(statement: str, *values: Any) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)


def copy_of(row: CinqMove, **changed: Any) -> Callable[[], None]:
    """An insert of the same row again, in raw SQL, with some columns changed."""
    fields = [field for field in CinqMove._meta.concrete_fields if field.attname != "id"]
    values = {field.column: field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields}
    values |= changed
    columns = ", ".join(f'"{name}"' for name in values)
    marks = ", ".join("%s" for _ in values)
    return lambda: sql(f"INSERT INTO {CinqMove._meta.db_table} ({columns}) VALUES ({marks})", *values.values())


def test_one_row_a_ply(table: Table) -> None:
    row = CinqMove.objects.filter(table=table).latest("ply")
    with pytest.raises(IntegrityError):
        copy_of(row, request=None)()
    copy_of(row, ply=row.ply + 1, request=None)()


def test_one_move_a_request(table: Table) -> None:
    row = CinqMove.objects.filter(table=table, request__isnull=False).get()
    with pytest.raises(IntegrityError):
        copy_of(row, ply=row.ply + 50)()


def test_moves_are_never_changed_nor_deleted(table: Table) -> None:
    with pytest.raises(IntegrityError):
        sql(f"UPDATE {CinqMove._meta.db_table} SET seat = 1 WHERE table_id = %s", table.pk)
    with pytest.raises(IntegrityError):
        sql(f"DELETE FROM {CinqMove._meta.db_table} WHERE table_id = %s", table.pk)


@pytest.mark.parametrize(
    "change",
    [
        "deadline = CURRENT_TIMESTAMP, owes_move = false",
        "owes_move = true, deadline = NULL",
        "owes_move = true, deadline = CURRENT_TIMESTAMP, owes_since = NULL",
        "bot = 'Ada'",
        "user_id = NULL",
    ],
)
def test_a_seat_owes_by_a_time_and_has_one_player(table: Table, change: str) -> None:
    seat = seat_to_act(table)
    with pytest.raises(IntegrityError):
        sql(f"UPDATE {Seat._meta.db_table} SET {change} WHERE id = %s", seat.pk)


@pytest.mark.parametrize("column", ["number", "joined", "user_id"])
def test_places_and_players_are_unique_at_a_table(table: Table, column: str) -> None:
    one, other = Seat.objects.filter(table=table)
    with pytest.raises(IntegrityError):
        sql(f"UPDATE {Seat._meta.db_table} SET {column} = %s WHERE id = %s", getattr(one, column), other.pk)


def test_codes_are_unique(table: Table, alice: User, bob: User) -> None:
    other = open_for(alice, bob)
    with pytest.raises(IntegrityError):
        sql(f"UPDATE {Table._meta.db_table} SET code = %s WHERE id = %s", table.code, other.pk)
