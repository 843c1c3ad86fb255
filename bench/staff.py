"""The staff's panel on a large site: 5,000,000 moves, 200,000 people. Every list, page, search, filter and export, on SQLite and
PostgreSQL: `python -m bench.staff [MOVES]`.

The database makes the rows itself, within a time limit. A figure is the slowest of three answers of the whole request, as an
administrator gets it; none may take a second.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

from bench.house import ROOT, report
from bench.ranks import numbers, run
from tests.postgres import PrivatePostgres

MOVES = 5_000_000
PER_TABLE = 50
PEOPLE_SHARE = 25
"""One person for so many moves: 200,000 for five million."""
BATCH = 100_000
PATIENCE = 420.0
"""Seconds that loading may take on each database; then the figures are those of what is there by then."""
MOST = 1000.0
ROUNDS = 3


def main() -> None:
    """Start one process for each database, then this module again in it."""
    size = sys.argv[1] if len(sys.argv) > 1 else str(MOVES)
    with tempfile.TemporaryDirectory(prefix="cinqsite-bench-") as folder:
        own = {"DEBUG": "1", "SITE_VAR": folder, "DJANGO_SETTINGS_MODULE": "cinqsite.settings", "PYTHONPATH": str(ROOT)}
        own |= {"DATABASE_STATEMENT_TIMEOUT": "0", "RATE_LIMITS_ENABLED": "0", "LOG_LEVEL": "CRITICAL"}
        child = [sys.executable, "-m", "bench.staff", size, "here"]
        environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"} | own
        subprocess.run(child, env=environment, cwd=ROOT, check=True)
        with PrivatePostgres(durable=True) as postgres:
            subprocess.run(child, env=environment | {"DATABASE_URL": postgres.url}, cwd=ROOT, check=True)


def here(size: int) -> None:
    """Load and measure on the database of the environment."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection

    settings.DEBUG = False
    settings.ALLOWED_HOSTS.append("testserver")
    call_command("migrate", verbosity=0, interactive=False)
    started = time.monotonic()
    made = load(size, started + PATIENCE)
    run("ANALYZE")
    vendor = connection.vendor
    report("staff.load", f"{vendor}, {made} moves", time.monotonic() - started, "s", runs=1)
    worst = ("", 0.0)
    for name, ask in pages():
        took = max(timed(ask) for _ in range(ROUNDS))
        worst = max(worst, (name, took), key=lambda each: each[1])
        report("staff.page", f"{vendor}, {name}", took, "ms", runs=ROUNDS)
    report("staff.slowest", f"{vendor}, {made} moves: {worst[0]}", worst[1], "ms", runs=ROUNDS, most=MOST)


def timed(ask: Callable[[], Any]) -> float:
    """Milliseconds of one request with its whole answer; it must be a page."""
    begun = time.perf_counter()
    response = ask()
    length = len(b"".join(response.streaming_content)) if response.streaming else len(response.content)
    took = (time.perf_counter() - begun) * 1000
    if response.status_code != 200 or not length:
        raise RuntimeError(f"{response.request['PATH_INFO']}: {response.status_code}")
    return took


# --- rows -----------------------------------------------------------------------------------------------------------------


def load(size: int, limit: float) -> int:
    """Make the rows of a site with `size` moves, as far as time allows; returns how many moves there are."""
    model = samples()
    people, tables = size // PEOPLE_SHARE, size // PER_TABLE
    fill(model["user"], people, limit, username="'Player ' || n", name_key="'player' || n", date_joined=moment("n", people))
    fill(model["table"], tables, limit, code=code("n"), created_at=moment("n", tables), started_at=moment("n", tables))
    first_person, first_table = model["user"].pk + 1, model["table"].pk + 1
    of_table = {"table_id": f"{first_table} + (n - 1) / 2"}
    someone = {"user_id": f"{first_person} + (n * 7919) % {people}"}
    fill(model["seat"], 2 * tables, limit, joined="(n - 1) % 2", number="(n - 1) % 2", **of_table, **someone)
    fill(model["event"], 2 * tables, limit, **of_table)
    fill(model["entry"], 2 * tables, limit, **of_table, **someone)
    fill(model["message"], 2 * tables, limit, **of_table, **someone, request=uuid("n"))
    fill(model["log"], tables, limit, request=uuid("n"), target_id=f"{first_table} + n - 1")
    fill(model["sanction"], people // 20, limit, user_id=f"{first_person} + n")
    fill(model["case"], people // 20, limit, suspect_id=f"{first_person} + n")
    ply = {"ply": f"1 + n % {PER_TABLE}", "table_id": f"{first_table} + n / {PER_TABLE}"}
    return fill(model["move"], tables * PER_TABLE - 1, limit, **ply)


def samples() -> dict[str, Any]:
    """One row of each model, made by the services where there are some; the others are copies of it."""
    from games.cinq.models import CinqMove
    from games.models import ChatMessage, Seat, Table, TableEvent
    from games.services import chat
    from ranking.models import XPEntry
    from staff import reports
    from staff.actions import Change, write
    from tests.conftest import make_user
    from tests.playing import open_for, play_out

    alice, bob, chef = make_user("Alice"), make_user("Bob"), make_user("Chef", is_staff=True, is_superuser=True)
    from accounts import sanctions
    from games import clocktime

    table = open_for(alice, bob, competitive=True)
    message = chat.say(table.code, user=alice, text="Good luck", request=uuid4())
    play_out(table)
    entry = XPEntry.objects.filter(table=table).first() or XPEntry.objects.create(
        user=alice, table=table, game="cinq", delta=10, reason="finish", at=clocktime.now()
    )
    sanction = sanctions.impose(alice, kind="warning", ground="spam", by=chef)
    case = reports.file(bob, alice, kind="spam").case
    log = write(chef, "extend", "staff.extend_deadlines", table, "power cut", Change({}, {"hours": 6}), uuid4())
    move = CinqMove.objects.filter(table=table).order_by("pk").last()
    fresh_table = Table.objects.create(
        game="cinq", rules_version=1, options=table.options, seats_wanted=2, created_at=clocktime.now(), status="finished",
        started_at=clocktime.now(), plies=PER_TABLE,
    )  # fmt: skip
    person = make_user("Model")
    # Copies of seats, entries and messages belong to the copies of `fresh_table`; its own rows would be in their way.
    return {
        "user": person,
        "table": fresh_table,
        "seat": Seat.objects.filter(table=table, user=alice).get(),
        "event": TableEvent.objects.filter(table=table).first(),
        "entry": entry,
        "message": ChatMessage.objects.get(pk=message.pk),
        "log": log,
        "sanction": sanction,
        "case": case,
        "move": move,
    }


def fill(sample: Any, count: int, limit: float, **own: str) -> int:
    """Insert `count` copies of a row, the columns in `own` computed by SQL from n = 1, 2 …; returns how many there are."""
    from django.db import connection

    model = type(sample)
    table = connection.ops.quote_name(model._meta.db_table)
    columns = [field.column for field in model._meta.concrete_fields]
    last = model._default_manager.order_by("-pk").values_list("pk", flat=True)[0]
    own = {"id": f"{last} + n", **own}
    names = ", ".join(f'"{column}"' for column in columns)
    copied = ", ".join(own.get(column, f'"{column}"') for column in columns)
    done = 0
    while done < count and time.monotonic() < limit:
        high = min(count, done + BATCH)
        run(
            f"INSERT INTO {table} ({names}) SELECT {copied} FROM {table}, ({numbers(done + 1, high)}) AS s WHERE id = {sample.pk}"
        )
        done = high
    if connection.vendor == "postgresql":
        run(f"SELECT setval(pg_get_serial_sequence('{model._meta.db_table}', 'id'), {last + done + 1})")
    return done


def moment(n: str, count: int) -> str:
    """A time in the last three years, growing with n, up to now."""
    from django.db import connection

    seconds = f"(({n} - {count}) * {int(timedelta(days=1000).total_seconds())} / {count})"
    if connection.vendor == "postgresql":
        return f"now() + {seconds.replace('(' + n, '(' + n + '::bigint')} * interval '1 second'"
    return f"strftime('%Y-%m-%d %H:%M:%S', 'now', {seconds} || ' seconds')"


def code(n: str) -> str:
    """A code of ten digits."""
    from django.db import connection

    return f"lpad(({n})::text, 10, '0')" if connection.vendor == "postgresql" else f"printf('%010d', {n})"


def uuid(n: str) -> str:
    """Another UUID for each n."""
    from django.db import connection

    return f"lpad(to_hex({n}), 32, '0')::uuid" if connection.vendor == "postgresql" else f"printf('%032x', {n})"


# --- pages ----------------------------------------------------------------------------------------------------------------


def pages() -> Iterator[tuple[str, Callable[[], Any]]]:
    """(name, request) of everything an administrator may open."""
    from django.contrib import admin
    from django.urls import reverse

    from accounts.staff_lists import ReadOnlyAdmin

    client = administrator()
    yield "home", lambda: client.get("/admin/")
    yield "proposals", lambda: client.get("/admin/find/?in=people tables&q=play")
    yield "proposals of codes", lambda: client.get("/admin/find/?in=people tables&q=0000")
    for model, found in sorted(admin.site._registry.items(), key=lambda pair: pair[0]._meta.label):
        if not isinstance(found, ReadOnlyAdmin):
            continue
        label = model._meta.label_lower
        path = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        newest = model._default_manager.order_by("-pk").values_list("pk", flat=True).first()
        queries = {"": "", "deep": f"?before={(newest or 2) // 2}", "a name": "?q=Player 4711", "a code": "?q=0000000042"}
        if any(isinstance(item, type) and getattr(item, "parameter_name", "") == "since" for item in found.list_filter):
            queries["seven days"] = "?since=7"
        for name, query in queries.items():
            yield f"{label} {name}".strip(), lambda to=path + query: client.get(to)
        for item in found.list_filter:
            if isinstance(item, str):
                for value, _label in model._meta.get_field(item).flatchoices or [(1, ""), (0, "")]:
                    yield f"{label} {item}={value}", lambda to=f"{path}?{item}__exact={value}": client.get(to)
        if newest:
            yield f"{label} a row", lambda to=path + f"{newest}/change/": client.get(to)
    yield "accounts.user an address", lambda: client.get("/admin/accounts/user/?q=model@example.org")
    yield from actions(client)


def actions(client: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Pages of actions on many rows, and an export of one page of what is found."""
    from games.models import Table

    ids = "&".join(f"id={pk}" for pk in Table.objects.order_by("-pk").values_list("pk", flat=True)[:50])
    yield "cancel fifty tables, page", lambda: client.get(f"/admin/act/cancel/?{ids}")
    form = {"reason": "bench of exports"}
    yield (
        "export of a search",
        lambda: client.post("/admin/act/export/?list=games.table&q=0000000042", {**form, "request": str(uuid4())}),
    )


def administrator() -> Any:
    """A client in the session of the administrator, second factor included."""
    from allauth.mfa.models import Authenticator
    from django.contrib.auth import get_user_model
    from django.test import Client

    chef = get_user_model().objects.get(username="Chef")
    Authenticator.objects.create(user=chef, type=Authenticator.Type.TOTP, data={"secret": "JBSWY3DPEHPK3PXP"})
    client = Client()
    client.force_login(chef, backend="django.contrib.auth.backends.ModelBackend")
    client.get("/admin/")
    return client


if __name__ == "__main__":
    here(int(sys.argv[1])) if sys.argv[2:] == ["here"] else main()
