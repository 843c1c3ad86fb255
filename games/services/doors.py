"""How every door into the write path is opened: one transaction, the table's row locked first, a few retries.

Two moves for one turn are impossible five times over: the row lock, the judge on the locked state, UNIQUE(table, ply),
UNIQUE(table, request) and the stale check (architecture, section 4).
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.db import IntegrityError, OperationalError, connection, models, transaction

from games import clocktime
from games.errors import NotFound
from games.models import Table

P = ParamSpec("P")
R = TypeVar("R")
TRIES = 3


def door(function: Callable[P, R]) -> Callable[P, R]:
    """Run `function` in one transaction, durable unless it is part of a larger one (a guest's claim).

    Deadlocks, lost races and busy databases are tried again, three times.
    """

    @wraps(function)
    def through(*args: P.args, **kwargs: P.kwargs) -> R:
        for attempt in range(1, TRIES + 1):
            try:
                with transaction.atomic(durable=not connection.in_atomic_block):
                    return function(*args, **kwargs)
            except (IntegrityError, OperationalError):
                if attempt == TRIES or connection.in_atomic_block:
                    raise
                # Jitter, so that those who met do not meet again.
                time.sleep((10 + secrets.randbelow(40)) / 1000 * attempt)
        raise AssertionError("unreachable")

    return through


def lock(code: str, *, skip_locked: bool = False) -> Table:
    """The table, its row locked till the end of the transaction, with `now` (aware datetime, the database's clock).

    Raises NotFound when there is none, or when `skip_locked` and somebody else holds it.
    """
    rows = Table.objects.select_for_update(no_key=True, skip_locked=skip_locked).annotate(now=clocktime.Now())
    try:
        table = rows.get(code=code)
    except Table.DoesNotExist:
        raise NotFound("no_table") from None
    table.now += clocktime.offset()
    return table


def update(row: models.Model, **values: Any) -> None:
    """Write just these columns of one row (never `save()`: it would write back stale ones)."""
    for name, value in values.items():
        setattr(row, name, value)
    type(row)._default_manager.filter(pk=row.pk).update(**values)
