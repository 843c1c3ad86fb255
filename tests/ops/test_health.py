"""/healthz says what is ill: the clock's last sweep, the breaker, Redis."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from cinqsite import health
from games import clocktime
from games.models import ClockState

pytestmark = pytest.mark.django_db


def swept(seconds_ago: float, **fields: Any) -> None:
    at = clocktime.now() - timedelta(seconds=seconds_ago)
    ClockState.objects.create(pk=1, beat_at=at, swept_at=at, **fields)


def test_green_after_a_sweep(client: Client) -> None:
    swept(5)
    answer = client.get("/healthz")
    assert answer.status_code == 200
    assert answer.json()["clock"]["lag_s"] == 0
    assert 4 < answer.json()["clock"]["age_s"] < 10


def test_red_when_the_last_sweep_is_old(client: Client) -> None:
    swept(61)
    assert client.get("/healthz").status_code == 503


def test_red_before_the_first_sweep(client: Client) -> None:
    assert client.get("/healthz").json()["clock"] | {"ms": 0} == {
        "ok": False, "last_sweep": None, "age_s": None, "lag_s": 0, "halted": False, "ms": 0,
    }  # fmt: skip


def test_red_while_the_breaker_is_open(client: Client) -> None:
    swept(1, halted_at=clocktime.now(), reason="too many")
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["clock"]["halted"] is True


def test_red_when_redis_is_away_and_its_address_is_not_told(client: Client, settings: Any, monkeypatch: Any) -> None:
    swept(1)
    settings.REDIS_URL = "redis://:secret@127.0.0.1:1/0"
    monkeypatch.setattr(health, "_redis", None)
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["redis"]["error"] == "ConnectionError"
    assert b"secret" not in answer.content


def test_life_asks_nothing(client: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert client.get("/livez").content == b"ok\n"
