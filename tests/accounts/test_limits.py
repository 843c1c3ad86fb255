"""Limits: exact under concurrency, with Redis, without it and while it hangs."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from accounts import limits, origin
from accounts.models import RateBucket


@pytest.fixture(autouse=True)
def _limited(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.RATE_LIMITS_ENABLED = True
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "probe": (3, 60)}
    settings.CACHE_URL = ""
    monkeypatch.setattr(limits, "_sick_until", 0.0)


@pytest.fixture
def hung() -> Iterator[str]:
    """The URL of a server that accepts connections and never answers."""
    import socket

    server = socket.create_server(("127.0.0.1", 0))
    kept: list[Any] = []

    def accept() -> None:
        while True:
            try:
                kept.append(server.accept()[0])
            except OSError:
                return

    threading.Thread(target=accept, daemon=True).start()
    yield f"redis://127.0.0.1:{server.getsockname()[1]}/0"
    server.close()
    for connected in kept:
        connected.close()


def test_the_fourth_of_three_is_refused_with_the_time_to_wait(db: None) -> None:
    for _ in range(3):
        limits.check("probe", "a")
    with pytest.raises(limits.TooOften) as refusal:
        limits.check("probe", "a")
    assert 0 < refusal.value.retry_after <= 60
    limits.check("probe", "b")


def test_a_window_ends_and_refused_hits_do_not_lengthen_it(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    start = time.time()
    monkeypatch.setattr(limits.time, "time", lambda: start)
    for _ in range(3):
        limits.check("probe", "a")
    monkeypatch.setattr(limits.time, "time", lambda: start + 59)
    with pytest.raises(limits.TooOften) as refusal:
        limits.check("probe", "a")
    assert refusal.value.retry_after <= 2
    monkeypatch.setattr(limits.time, "time", lambda: start + 61)
    limits.check("probe", "a")
    assert RateBucket.objects.get(key="probe:a").hits == 1


def test_a_refund_gives_one_back(db: None) -> None:
    for _ in range(10):
        limits.check("probe", "a")
        limits.refund("probe", "a")
    for _ in range(3):
        limits.check("probe", "a")
    with pytest.raises(limits.TooOften):
        limits.check("probe", "a")
    limits.forget("probe", "a")
    limits.check("probe", "a")


def test_switched_off_nothing_is_counted(db: None, settings: Any) -> None:
    settings.RATE_LIMITS_ENABLED = False
    for _ in range(10):
        limits.check("probe", "a")
    assert not RateBucket.objects.exists()


def test_once_is_once(db: None) -> None:
    assert limits.once("link", 60)
    assert not limits.once("link", 60)
    assert limits.once("other link", 60)


@pytest.mark.django_db(transaction=True)
def test_forty_hits_in_the_same_instant_pass_three_times() -> None:
    def hit(_: int) -> bool:
        try:
            limits.check("probe", "same")
            return True
        except limits.TooOften:
            return False
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(hit, range(40))) == 3


def test_a_hung_redis_costs_one_second_once_and_opens_nothing(db: None, settings: Any, hung: str) -> None:
    settings.CACHE_URL = hung
    started = time.monotonic()
    limits.check("probe", "a")
    assert time.monotonic() - started < 2
    started = time.monotonic()
    for _ in range(2):
        limits.check("probe", "a")
    with pytest.raises(limits.TooOften):
        limits.check("probe", "a")
    assert time.monotonic() - started < 0.5


def test_a_dead_redis_opens_nothing(db: None, settings: Any) -> None:
    settings.CACHE_URL = "redis://127.0.0.1:1/0"
    for _ in range(3):
        limits.check("probe", "a")
    with pytest.raises(limits.TooOften):
        limits.check("probe", "a")


def test_with_redis_the_counting_is_the_same(db: None, redis_url: str, settings: Any) -> None:
    settings.CACHE_URL = redis_url
    key = str(time.time_ns())

    def hit(_: int) -> bool:
        try:
            limits.check("probe", key)
            return True
        except limits.TooOften:
            return False

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(hit, range(40))) == 3
    with pytest.raises(limits.TooOften) as refusal:
        limits.check("probe", key)
    assert 0 < refusal.value.retry_after <= 60
    limits.refund("probe", key)
    assert not RateBucket.objects.exists()


def test_purging_keeps_what_still_counts(db: None) -> None:
    RateBucket.objects.create(key="old", hits=3, expires=int(time.time()) - 10)
    limits.check("probe", "a")
    assert limits.purge() == 1
    assert RateBucket.objects.get().key == "probe:a"


def test_an_origin_is_a_keyed_hash_of_the_household(settings: Any) -> None:
    assert origin.of_address("192.0.2.1") != origin.of_address("192.0.2.2")
    assert origin.of_address("192.0.2.1") == origin.of_address("::ffff:192.0.2.1")
    assert origin.of_address("2001:db8:1:2::1") == origin.of_address("2001:db8:1:2:ffff::9")
    assert origin.of_address("2001:db8:1:2::1") != origin.of_address("2001:db8:1:3::1")
    before = origin.of_address("192.0.2.1")
    settings.ORIGIN_KEY = b"another key"
    assert origin.of_address("192.0.2.1") != before
    assert len(before) == 32
