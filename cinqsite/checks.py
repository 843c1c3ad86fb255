"""System checks: versions without known holes, a database that keeps its word, a dealing code that gives its known answers.

`manage.py check --database default --deploy` runs all of them; in production the servers run them before they listen.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register, run_checks
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connections

log = logging.getLogger(__name__)

# What is older has holes that matter to this site.
MINIMUMS = {
    "Django": "5.2.19",
    "daphne": "4.2.2",
    "channels": "4.3",
    "channels-redis": "4.3",
    "django-allauth": "65.16.1",
    "celery": "5.7",
    "kombu": "5.7",
    "redis": "5.0",
}
POSTGRES_ON = ("fsync", "synchronous_commit", "full_page_writes")


def _number(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


@register(Tags.compatibility)
def minimum_versions(**options: Any) -> list[CheckMessage]:
    """Every package of MINIMUMS is there and new enough."""
    found: list[CheckMessage] = []
    for name, least in MINIMUMS.items():
        try:
            have = version(name)
        except PackageNotFoundError:
            found.append(Error(f"{name} is not installed; at least {least} is needed.", id="cinqsite.E001"))
            continue
        if _number(have) < _number(least):
            found.append(Error(f"{name} {have} has known holes; at least {least} is needed.", id="cinqsite.E001"))
    return found


@register(Tags.security)
def dealing_self_test(**options: Any) -> list[CheckMessage]:
    """The dealing code gives its known answers; else no table may be dealt."""
    from games.engine.chance import self_test

    try:
        self_test()
    except RuntimeError as error:
        return [Error(str(error), id="cinqsite.E002")]
    return []


@register(Tags.database)
def database_keeps_its_word(databases: Sequence[str] | None = None, **options: Any) -> list[CheckMessage]:
    """A committed move survives a crash: PostgreSQL's durability is on; SQLite writes ahead and waits for the disk."""
    looks = {"postgresql": _postgresql_durable, "sqlite": _sqlite_durable}
    found: list[CheckMessage] = []
    for alias in databases or ():
        connection = connections[alias]
        try:
            with connection.cursor() as cursor:
                found += looks[connection.vendor](cursor)
        except OperationalError:
            log.warning("database %s cannot be asked whether it is durable", alias)
    return found


def _postgresql_durable(cursor: Any) -> list[CheckMessage]:
    found: list[CheckMessage] = []
    for name in POSTGRES_ON:
        cursor.execute(f"SHOW {name}")
        if cursor.fetchone()[0] == "off":
            found.append(Error(f"PostgreSQL has {name}=off: acknowledged moves can be lost.", id="cinqsite.E003"))
    return found


def _sqlite_durable(cursor: Any) -> list[CheckMessage]:
    cursor.execute("PRAGMA journal_mode")
    (journal,) = cursor.fetchone()
    cursor.execute("PRAGMA synchronous")
    (synchronous,) = cursor.fetchone()
    if journal in {"wal", "memory"} and synchronous >= 2:
        return []
    return [Error("SQLite must run with journal_mode=wal and synchronous=FULL.", id="cinqsite.E004")]


def loopback(host: str) -> bool:
    """Whether a host name or address is this machine's own, for nobody else to reach."""
    try:
        return host == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def debug_bind(host: str) -> list[CheckMessage]:
    """The refusal to let a debug site listen on `host`, if others could reach it there: its error pages tell everything."""
    if not settings.DEBUG or loopback(host):
        return []
    return [Error(f"DEBUG=1 is for this machine alone: it must not listen on {host}.", id="cinqsite.E005")]


@register(Tags.security)
def where_it_lives(**options: Any) -> list[CheckMessage]:
    """A debug site is on loopback, and only there does a site without debug do without https."""
    host = urlsplit(settings.SITE_URL).hostname or ""
    if settings.DEBUG:
        arguments = [word for word in sys.argv[2:] if not word.startswith("-")] if sys.argv[1:2] == ["runserver"] else []
        bound = [word.rpartition(":")[0] for word in arguments if ":" in word or "." in word]
        return [message for name in [host, *bound] for message in debug_bind(name)]
    if settings.HTTPS or loopback(host):
        return []
    return [Error("SITE_URL must begin with https://: passwords and sessions would travel in clear.", id="cinqsite.E006")]


@register(Tags.security, deploy=True)
def deployment(**options: Any) -> list[CheckMessage]:
    """What a deployment needs beside Django's own list."""
    found: list[CheckMessage] = []
    if not settings.HTTPS:
        found.append(Warning("SITE_URL does not begin with https://.", id="cinqsite.W001"))
    if unnamed := [
        name for name in ("OPERATOR_NAME", "OPERATOR_ADDRESS", "OPERATOR_EMAIL", "HOSTING") if not getattr(settings, name)
    ]:
        found.append(Warning(f"The legal pages have gaps: {', '.join(unnamed)} not set.", id="cinqsite.W005"))
    if not settings.REDIS_URL:
        found.append(Warning("REDIS_URL is not set: no push between processes, no background work.", id="cinqsite.W002"))
    if not settings.DATABASE_URL:
        found.append(Warning("DATABASE_URL is not set: SQLite serves one machine only.", id="cinqsite.W003"))
    if not settings.EMAIL_HOST:
        found.append(Warning("EMAIL_HOST is not set: nobody can confirm an address or learn of a turn.", id="cinqsite.W004"))
    return found


def refuse_to_start_unsafe() -> None:
    """Run the checks (of a debug site only where it lives); raise ImproperlyConfigured with all errors, if there are any."""
    found = where_it_lives() if settings.DEBUG else run_checks(databases=["default"])
    errors = [message for message in found if message.is_serious()]
    if errors:
        raise ImproperlyConfigured("; ".join(message.msg for message in errors))
