"""Leaderboards with ten thousand, a hundred thousand and a million players, on both databases: database time of each page.

Rows are made by the database itself, in batches and within a time limit. A figure is the median time of the statements that a
page asks, run again on a bare cursor until their last row is here.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from statistics import median
from typing import Any

from bench.house import ROOT, report
from tests.postgres import PrivatePostgres

SIZES = (10_000, 100_000, 1_000_000)
BATCH = 100_000
PATIENCE = 300.0
"""Seconds that loading may take; then the figures are those of as many players as there are by then."""
ROUNDS = 31
MOST = 5.0
"""Milliseconds of database time that a page may take."""
LADDER = ("cinq", "all")
# Of n players most have few points, the best has 100,000: multiples of ten on some thousand rungs.
SHARE = "((n * 7919) % 1000003) / 1000003.0"
XP = f"10 + 10 * CAST(10000 * {' * '.join([f'({SHARE})'] * 6)} AS INTEGER)"


def main() -> None:
    """Start one process for each database, then this module again in it."""
    with tempfile.TemporaryDirectory(prefix="cinqsite-bench-") as folder:
        own = {"DEBUG": "1", "SITE_VAR": folder, "DJANGO_SETTINGS_MODULE": "cinqsite.settings", "PYTHONPATH": str(ROOT)}
        own["DATABASE_STATEMENT_TIMEOUT"] = "0"  # loading takes longer than any request may
        child = [sys.executable, "-m", "bench.ranks", "here"]
        environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"} | own
        subprocess.run(child, env=environment, cwd=ROOT, check=True)
        with PrivatePostgres(durable=True) as postgres:
            subprocess.run(child, env=environment | {"DATABASE_URL": postgres.url}, cwd=ROOT, check=True)


def here() -> None:
    """Load and measure on the database of the environment."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection

    from ranking import rungs

    settings.DEBUG = False
    call_command("migrate", verbosity=0, interactive=False)
    rungs.remove()
    limit = time.monotonic() + PATIENCE
    there = 0
    for size in SIZES:
        started = time.monotonic()
        there = load(there, size, limit)
        counted()
        report("ranks.load", f"{connection.vendor}, {there} players", time.monotonic() - started, "s", runs=1)
        measure(there)
        if there < size:
            break


def load(there: int, size: int, limit: float) -> int:
    """Add players with their standings until there are `size`, or time is over; returns how many there are."""
    from django.contrib.auth import get_user_model

    from ranking.models import Standing

    users = get_user_model()
    model = users.objects.filter(username="bench").first() or users.objects.create_user("bench", is_active=True)
    own = {"id": f"{model.pk} + n", "username": "'Player ' || n", "name_key": "'player' || n"}
    columns = [field.column for field in users._meta.concrete_fields]
    copied = ", ".join(own.get(column, f'"{column}"') for column in columns)
    names = ", ".join(f'"{column}"' for column in columns)
    people, standings = users._meta.db_table, Standing._meta.db_table
    while there < size and time.monotonic() < limit:
        low, high = there + 1, min(size, there + BATCH)
        run(f"INSERT INTO {people} ({names}) SELECT {copied} FROM {people}, ({numbers(low, high)}) AS s WHERE id = {model.pk}")
        run(
            f"INSERT INTO {standings} (user_id, ladder, period, xp, reached_at, wins, played) "
            f"SELECT {model.pk} + n, '{LADDER[0]}', '{LADDER[1]}', {XP}, {moment()}, 1, 2 FROM ({numbers(low, high)}) AS s"
        )
        there = high
    return there


def numbers(low: int, high: int) -> str:
    """A query of the whole numbers low..high, as column n."""
    from django.db import connection

    if connection.vendor == "postgresql":
        return f"SELECT generate_series({low}::bigint, {high}) AS n"
    return f"WITH RECURSIVE up(n) AS (SELECT {low} UNION ALL SELECT n + 1 FROM up WHERE n < {high}) SELECT n FROM up"


def moment() -> str:
    """Another second for each n."""
    from django.db import connection

    if connection.vendor == "postgresql":
        return "timestamptz '2026-01-01 00:00:00+00' + n * interval '1 second'"
    return "strftime('%Y-%m-%d %H:%M:%S', '2026-01-01', n || ' seconds')"


def run(sql: str) -> None:
    """Execute one statement as it stands."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(sql)


def counted() -> None:
    """Count the rungs anew and let the database look at what it holds."""
    from django.db import connection

    from ranking.models import Rung, Standing

    run(f"DELETE FROM {Rung._meta.db_table}")
    run(
        f"INSERT INTO {Rung._meta.db_table} (ladder, period, xp, people) "
        f"SELECT ladder, period, xp, COUNT(*) FROM {Standing._meta.db_table} GROUP BY 1, 2, 3"
    )
    run("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")


def measure(size: int) -> None:
    """Each page and each own place: at the top, in the middle, in the middle of the biggest tie, at the bottom."""
    from ranking.boards import PAGE_SIZE, Board, Cursor
    from ranking.models import Rung

    board = Board(*LADDER)
    crowd = Rung.objects.filter(ladder=LADDER[0], period=LADDER[1]).order_by("-people").first()
    assert crowd is not None
    places = {
        "first": 0,
        "middle": size // 2,
        "biggest tie": board.ranks([crowd.xp])[crowd.xp] + crowd.people // 2,
        "last": size - PAGE_SIZE - 1,
    }
    for name, place in places.items():
        standing = board.rows[place]
        cursor = Cursor.of(standing)
        figure(f"{name} page", size, lambda place=place, cursor=cursor: board.page(after=cursor if place else None))
        figure(f"own rank, {name}", size, lambda standing=standing: board.position(standing.user))
        figure(f"around me, {name}", size, lambda standing=standing: board.page_around(standing))
    figure("how many players", size, board.people)


def figure(name: str, size: int, ask: Callable[[], Any]) -> None:
    """Report the database time of what `ask` asks."""
    from django.db import connection

    asked: list[tuple[str, Any]] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        asked.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        ask()

    def again() -> float:
        with connection.cursor() as cursor:
            started = time.perf_counter()
            for sql, params in asked:
                cursor.execute(sql, params)
                cursor.fetchall()
            return (time.perf_counter() - started) * 1000

    times = [again() for _ in range(ROUNDS)]
    report(
        "ranks.page",
        f"{connection.vendor}, {size} players, {name}",
        median(times),
        "ms",
        runs=ROUNDS,
        best=round(min(times), 2),
        queries=len(asked),
        most=MOST,
    )


if __name__ == "__main__":
    here() if sys.argv[1:] == ["here"] else main()
