"""HTTP and WebSocket entry point: true client address, bounded requests, exact origins."""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from typing import Any

import django
from asgiref.sync import sync_to_async

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cinqsite.settings")
django.setup(set_prefix=False)

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import OriginValidator  # noqa: E402
from channels.sessions import CookieMiddleware  # noqa: E402
from django.conf import settings  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.core.handlers.asgi import ASGIHandler  # noqa: E402
from django.db import connections  # noqa: E402

from accounts.origin import network  # noqa: E402
from cinqsite.addresses import FORWARDED, Proxies  # noqa: E402
from cinqsite.middleware import SECURITY_HEADERS  # noqa: E402
from games.routing import websocket_urlpatterns  # noqa: E402

# The server runs every request in a thread of its own, so threads bound nothing: this does.
# Fewer than the pool has connections: nobody inside waits for one, and the sockets keep two.
AT_ONCE = max(settings.DATABASE_POOL - 2, 4) if settings.DATABASE_POOL else 16
WAITING = 1000
# Of one address: a household with its tabs stays far below; one who leafs through forty tables opens one a page.
SOCKETS_AT_ONCE = 40
SOCKETS_A_MINUTE = 120
TOO_MANY = 4008


class ClientAddress:
    """Writes the client's address (and the scheme the proxy saw) into the scope and drops the forwarding headers."""

    def __init__(self, application: Any) -> None:
        self.application = application
        self.proxies = Proxies(settings.TRUSTED_PROXIES, settings.TRUSTED_PROXY_COUNT)
        self.names = {name.encode() for name in FORWARDED}

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] in {"http", "websocket"}:
            scope = self.rewritten(scope)
        await self.application(scope, receive, send)

    def rewritten(self, scope: dict[str, Any]) -> dict[str, Any]:
        """The scope as the client's own connection would have given it."""
        remote, port = scope.get("client") or ("", 0)
        sent: dict[bytes, bytes] = {}
        kept = []
        for name, value in scope["headers"]:
            if name in self.names:
                sent[name] = b",".join(filter(None, (sent.get(name), value)))
            else:
                kept.append((name, value))
        scope = {**scope, "headers": kept}
        if self.proxies.trusts(remote):
            scope["client"] = (self.proxies.client(remote, sent.get(b"x-forwarded-for", b"").decode("latin1")), port)
            if sent.get(b"x-forwarded-proto") == b"https":
                scope["scheme"] = "https" if scope["type"] == "http" else "wss"
        return scope


class ReadOnlySession:
    """Gives a socket its session, unread: the consumer looks again whenever it matters. Sockets never write one."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        session = SessionStore(scope["cookies"].get(settings.SESSION_COOKIE_NAME))
        await self.application({**scope, "session": session}, receive, send)


class ReleasingHandler(ASGIHandler):
    """Django, giving the connection back whatever ends a request: its answer, an error, or a client that went away."""

    async def handle(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await super().handle(scope, receive, send)
        finally:
            await asyncio.shield(sync_to_async(connections.close_all, thread_sensitive=True)())


class BoundedRequests:
    """At most AT_ONCE requests inside Django; the others queue; 503 only when WAITING wait already."""

    def __init__(self, application: Any) -> None:
        self.application = application
        self.slots = asyncio.Semaphore(AT_ONCE)
        self.waiting = 0

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if self.waiting >= WAITING:
            await refuse(send)
            return
        self.waiting += 1
        try:
            await self.slots.acquire()
        finally:
            self.waiting -= 1
        try:
            await self.application(scope, receive, send)
        finally:
            self.slots.release()


class BoundedSockets:
    """At most SOCKETS_AT_ONCE open sockets from one address, and SOCKETS_A_MINUTE new ones; the page of a refused one polls.

    Counted in this process: with several of them each allows as much. Off where rate limits are off.
    """

    def __init__(self, application: Any) -> None:
        self.application = application
        self.open: Counter[str] = Counter()
        self.begun: Counter[str] = Counter()
        self.minute = 0

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if not settings.RATE_LIMITS_ENABLED:
            await self.application(scope, receive, send)
            return
        address = network((scope.get("client") or ("", 0))[0])
        if not self.admits(address):
            await receive()  # the handshake; an answer before it is an error
            await send({"type": "websocket.close", "code": TOO_MANY})
            return
        self.open[address] += 1
        try:
            await self.application(scope, receive, send)
        finally:
            self.open[address] -= 1
            if not self.open[address]:
                del self.open[address]

    def admits(self, address: str) -> bool:
        """Count one handshake of the address in this minute; False when it is one too many."""
        minute = int(time.monotonic() // 60)
        if minute != self.minute:
            self.minute = minute
            self.begun.clear()
        self.begun[address] += 1
        return self.begun[address] <= SOCKETS_A_MINUTE and self.open[address] < SOCKETS_AT_ONCE


async def refuse(send: Any) -> None:
    """Answer 503 with Retry-After, without Django."""
    headers = [(name.lower().encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]
    headers += [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store"), (b"retry-after", b"5")]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": b"Too many requests at once. Please try again in a moment.\n"})


application = ClientAddress(
    ProtocolTypeRouter(
        {
            "http": BoundedRequests(ReleasingHandler()),
            # Refused before accept: another scheme, port or host than the site's own.
            "websocket": BoundedSockets(
                OriginValidator(CookieMiddleware(ReadOnlySession(URLRouter(websocket_urlpatterns))), settings.WEBSOCKET_ORIGINS)
            ),
        }
    )
)
