"""A socket client on the site's own ASGI application, with the cookies of a person."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.testing import WebsocketCommunicator
from django.conf import settings


class Socket(WebsocketCommunicator):
    """A socket whose application gives database connections back, as in service (channels' own keeps them for TestCase)."""

    async def send_input(self, message: Any) -> None:
        return await ApplicationCommunicator.send_input(self, message)

    async def receive_output(self, timeout: float = 1) -> Any:
        return await ApplicationCommunicator.receive_output(self, timeout)


@pytest.fixture(autouse=True)
def _needs_redis() -> None:
    """Pushes cross threads and event loops: only a real Redis carries them."""
    if not settings.LAYER_URLS:
        message = "Redis is missing: these tests need REDIS_URL, as `make test` sets it"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(message)


@pytest.fixture
async def socket() -> AsyncIterator[Callable[..., Any]]:
    """`await socket(path, client)`: an accepted socket with the client's cookies, else the code it was refused with."""
    from cinqsite.asgi import application

    opened: list[Socket] = []

    async def connect(path: str, client: Any = None, origin: str | None = None) -> Any:
        cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items()) if client else ""
        headers = [(b"cookie", cookies.encode()), (b"host", b"127.0.0.1")]
        if origin != "":
            headers.append((b"origin", (origin or settings.WEBSOCKET_ORIGINS[0]).encode()))
        communicator = Socket(application, path, headers=headers)
        accepted, code = await communicator.connect(timeout=5)
        if not accepted:
            return code
        opened.append(communicator)
        return communicator

    yield connect
    for communicator in opened:
        await communicator.disconnect()
