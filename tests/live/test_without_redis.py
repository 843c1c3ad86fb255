"""With Redis dead, moves still go in, at once; bots are played by the web process itself (reliability P14)."""

from __future__ import annotations

import time
from typing import Any

import pytest
from celery import current_app
from channels.db import database_sync_to_async

from accounts.models import User
from cinqsite.processes import free_port
from games import live
from games.models import Table
from games.services import hints
from tests.playing import open_for, play_one, seat_to_act

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def dead_redis(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"redis://127.0.0.1:{free_port()}/0"
    settings.CHANNEL_LAYERS = {
        "default": {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": {"hosts": [address]}}
    }
    settings.BROKER_URL = address
    monkeypatch.setattr(live, "_publisher", None)
    monkeypatch.setattr(hints, "_sick_until", 0.0)

    def refuse(*args: Any, **kwargs: Any) -> None:
        raise hints.OperationalError("connection refused")

    monkeypatch.setattr(current_app, "send_task", refuse)


@pytest.mark.usefixtures("dead_redis")
def test_moves_go_in_and_bots_answer(alice: User) -> None:
    table = open_for(alice, bots=3, options={"mode": "classique", "limite": 50})
    begun = time.monotonic()
    for _ in range(5):
        assert seat_to_act(table).user == alice, "the bots have played without any worker"
        play_one(table)
    assert time.monotonic() - begun < 10
    assert Table.objects.get(pk=table.pk).plies > 15
    assert hints.send("games.tasks.play_waiting", table.code) is False


@pytest.mark.usefixtures("dead_redis")
async def test_a_socket_is_refused_and_the_page_polls(alice: User, socket: Any) -> None:
    table = await database_sync_to_async(lambda: open_for(alice, bots=1, options={"mode": "classique", "limite": 50}))()
    assert await socket(f"/ws/t/{table.code}/?v=0") == 1013
