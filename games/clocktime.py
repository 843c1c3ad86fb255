"""The one clock of the site: the database's. Python's clock never decides anything about turns."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import DateTimeField, Func

_offset = timedelta(0)


class Now(Func):
    """The moment itself, not the start of the statement: a statement may have waited for a lock."""

    template = "clock_timestamp()"
    output_field = DateTimeField()

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        return self.as_sql(compiler, connection, template="STRFTIME('%%%%Y-%%%%m-%%%%d %%%%H:%%%%M:%%%%f', 'NOW')", **extra)


def now() -> datetime:
    """The database's time, aware (plus the offset of tests)."""
    query = "SELECT clock_timestamp()"
    if connection.vendor == "sqlite":
        query = "SELECT STRFTIME('%Y-%m-%d %H:%M:%f+00:00', 'NOW')"
    with connection.cursor() as cursor:
        cursor.execute(query)
        (moment,) = cursor.fetchone()
    if isinstance(moment, str):
        moment = datetime.fromisoformat(moment)
    return moment + _offset


def offset() -> timedelta:
    """How far tests and demo data have moved the clock; zero in service."""
    return _offset


def travel(by: timedelta | None) -> None:
    """Tests and demo data only: move this process's clock by so much more, or back to the real time (None)."""
    global _offset
    _offset = timedelta(0) if by is None else _offset + by
