"""/livez: this process answers. /healthz: database, Redis and the clock of the games, as JSON; 503 when one is ill."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import redis
from django.conf import settings
from django.db import DatabaseError
from django.db.models import Min
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe
from redis.backoff import NoBackoff
from redis.retry import Retry

from games import clocktime
from games.models import ClockState, Seat

STALE_SWEEP = 60.0
"""Seconds without a sweep after which the clock is ill."""

_redis: redis.Redis | None = None


@require_safe
def livez(request: HttpRequest) -> HttpResponse:
    """Answer without looking at anything else."""
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Report each part; `ok` is false, and the status 503, when any is ill. Holds no secret and no name."""
    parts = {"database": _timed(_database), "redis": _timed(_redis_answers)}
    parts["clock"] = _timed(_clock) if parts["database"]["ok"] else {"ok": False}
    ok = all(part["ok"] for part in parts.values())
    return JsonResponse({"ok": ok, **parts}, status=200 if ok else 503)


def _timed(look: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    begun = time.perf_counter()
    try:
        found = look()
    except (DatabaseError, redis.RedisError, OSError) as error:
        # The kind of error only: its text may name hosts and users.
        found = {"ok": False, "error": type(error).__name__}
    return {**found, "ms": round((time.perf_counter() - begun) * 1000, 1)}


def _database() -> dict[str, Any]:
    return {"ok": clocktime.now() is not None}


def _redis_answers() -> dict[str, Any]:
    global _redis
    if not settings.REDIS_URL:
        return {"ok": True, "used": False}
    if _redis is None:
        _redis = redis.Redis.from_url(settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1, retry=Retry(NoBackoff(), 0))
    return {"ok": bool(_redis.ping())}


def _clock() -> dict[str, Any]:
    """`age_s`: seconds since the last sweep; `lag_s`: how long the oldest overdue turn waits; `halted`: breaker open."""
    now = clocktime.now()
    state = ClockState.objects.first()
    oldest = Seat.objects.filter(owes_move=True, deadline__lt=now).aggregate(oldest=Min("deadline"))["oldest"]
    lag = (now - oldest).total_seconds() if oldest else 0.0
    if state is None or state.swept_at is None:
        return {"ok": False, "last_sweep": None, "age_s": None, "lag_s": round(lag, 3), "halted": False}
    age = (now - state.swept_at).total_seconds()
    halted = state.halted_at is not None
    return {
        "ok": age <= STALE_SWEEP and not halted,
        "last_sweep": state.swept_at.isoformat(),
        "age_s": round(age, 3),
        "lag_s": round(lag, 3),
        "halted": halted,
        "paused": state.paused_at is not None,
    }
