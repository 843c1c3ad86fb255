"""How often an action may be done: atomic counters in Redis, or in the database while Redis is away. Never open.

The table is `settings.RATE_LIMITS`: action -> (times, seconds). A window starts with its first hit and nothing makes it
longer, so nobody is shut out for more than its length.
"""

from __future__ import annotations

import functools
import logging
import time

import redis
from django.conf import settings
from django.db import connection
from django.db.models import F
from django.http import HttpRequest
from redis.backoff import NoBackoff
from redis.retry import Retry

from accounts import origin
from accounts.models import RateBucket

log = logging.getLogger(__name__)

# After an error Redis is left alone for this long (seconds): a hung server costs one request one second, once.
SICK_FOR = 30.0
_sick_until = 0.0

# One statement, so that parallel hits count one by one, on PostgreSQL and on SQLite.
COUNT_HIT = """
    INSERT INTO accounts_ratebucket AS bucket (key, hits, expires) VALUES (%s, 1, %s)
    ON CONFLICT (key) DO UPDATE SET
        hits = CASE WHEN bucket.expires <= %s THEN 1 ELSE bucket.hits + 1 END,
        expires = CASE WHEN bucket.expires <= %s THEN excluded.expires ELSE bucket.expires END
    RETURNING hits, expires
"""


class TooOften(Exception):
    """The action was done too often. `retry_after`: whole seconds until it may be tried again."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(f"retry after {retry_after} s")
        self.retry_after = retry_after


def by_address(request: HttpRequest) -> str:
    """The key of the client's address: its keyed hash, so that no store holds an address."""
    return origin.of(request)


def check(action: str, key: str | int) -> None:
    """Count one hit of `action` for `key`; raise TooOften when the window's number is used up."""
    if not settings.RATE_LIMITS_ENABLED:
        return
    times, seconds = settings.RATE_LIMITS[action]
    hits, left = _hit(f"{action}:{key}", seconds)
    if hits > times:
        raise TooOften(max(1, left))


def refund(action: str, key: str | int) -> None:
    """Take one hit back, after a success that should not count."""
    if not settings.RATE_LIMITS_ENABLED:
        return
    name = f"{action}:{key}"
    server = _server()
    if server is not None:
        try:
            # The window may be over by now: a counter must never be left without an end.
            with server.pipeline(transaction=True) as pipe:
                pipe.set(f"cinqsite:limit:{name}", 0, ex=settings.RATE_LIMITS[action][1], nx=True)
                pipe.decr(f"cinqsite:limit:{name}")
                pipe.execute()
        except (redis.RedisError, OSError):
            _mark_sick()
        else:
            return
    RateBucket.objects.filter(key=name, hits__gt=0, expires__gt=int(time.time())).update(hits=F("hits") - 1)


def forget(action: str, key: str | int) -> None:
    """Start the window anew, after the person has proved who he is by another way."""
    name = f"{action}:{key}"
    server = _server()
    if server is not None:
        try:
            server.delete(f"cinqsite:limit:{name}")
        except (redis.RedisError, OSError):
            _mark_sick()
    RateBucket.objects.filter(key=name).delete()


def once(key: str, seconds: int) -> bool:
    """True for the first caller with this key within `seconds`, False for all others, also for those in the same instant.

    Always in the database: what is single use must stay so when Redis is emptied.
    """
    return _hit_in_database(f"once:{key}", seconds)[0] == 1


def purge() -> int:
    """Delete the counters whose window is over; returns how many."""
    return RateBucket.objects.filter(expires__lt=int(time.time())).delete()[0]


def _hit(name: str, seconds: int) -> tuple[int, int]:
    """Count a hit; returns the hits of the window and the seconds left in it."""
    server = _server()
    if server is not None:
        try:
            key = f"cinqsite:limit:{name}"
            with server.pipeline(transaction=True) as pipe:
                pipe.set(key, 0, ex=seconds, nx=True)
                pipe.incr(key)
                pipe.ttl(key)
                _, hits, left = pipe.execute()
            return int(hits), int(left)
        except (redis.RedisError, OSError):
            _mark_sick()
    return _hit_in_database(name, seconds)


def _hit_in_database(name: str, seconds: int) -> tuple[int, int]:
    now = int(time.time())
    with connection.cursor() as cursor:
        cursor.execute(COUNT_HIT, [name, now + seconds, now, now])
        hits, expires = cursor.fetchone()
    return hits, expires - now


def _mark_sick() -> None:
    global _sick_until
    _sick_until = time.monotonic() + SICK_FOR
    log.warning("Redis does not answer: limits are counted in the database for %d s", SICK_FOR)


def _server() -> redis.Redis | None:
    """The Redis to ask, or None when there is none or it did not answer lately."""
    if not settings.CACHE_URL or time.monotonic() < _sick_until:
        return None
    return _client(settings.CACHE_URL)


@functools.lru_cache(maxsize=4)
def _client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=1, socket_connect_timeout=1, retry=Retry(NoBackoff(), 0))
