"""Sockets: they only say that something has a newer version. No move comes in here and no card goes out.

Join the group, then look: what changes in between is heard. Every 45 s the consumer compares its version with the
present one (a socket open for days goes deaf otherwise), and whether its session still lives.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections import Counter
from importlib import import_module
from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import DatabaseError
from redis import RedisError

from accounts.models import User
from accounts.players import player_of_session
from games import invitations, live, selectors
from games.errors import NotFound
from games.models import Table

CHECK_SECONDS = 45
LOGGED_OUT = 4401
BAD_MESSAGE = 4400
NO_TABLE = 4404
NO_PUSH = 1013
TOO_MANY = 4008
SOCKETS_OF_ONE = 20
"""Open sockets of one person in this process; a further page polls instead."""

log = logging.getLogger(__name__)

_open: Counter[int] = Counter()


class _Socket(AsyncWebsocketConsumer):
    """Common road of both sockets: who is it, does his session still live, look again every 45 s."""

    player_id: int | None = None
    counted: int | None = None
    checker: asyncio.Task[None] | None = None
    joined: tuple[str, ...] = ()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Without Redis there is no push: the socket is refused (or closed) in a line of log, and the page polls."""
        try:
            await super().__call__(scope, receive, send)
        except (RedisError, OSError, TimeoutError) as error:
            log.warning("no socket without Redis: %r", error)
            with contextlib.suppress(Exception):  # the client may be gone already
                await send({"type": "websocket.close", "code": NO_PUSH})
        finally:
            self.uncount()

    async def open(self, *groups: str) -> None:
        """Join the groups, accept, then look. Refuses one socket too many of a person."""
        if self.player_id is not None:
            if settings.RATE_LIMITS_ENABLED and _open[self.player_id] >= SOCKETS_OF_ONE:
                await self.close(TOO_MANY)
                return
            self.counted = self.player_id
            _open[self.counted] += 1
        for group in groups:
            await self.channel_layer.group_add(group, self.channel_name)
        self.joined = groups
        await self.accept()
        await self.say_news()
        self.checker = asyncio.create_task(self.check_for_ever())

    async def disconnect(self, code: int) -> None:
        self.uncount()
        if self.checker is not None:
            self.checker.cancel()
        with contextlib.suppress(Exception):  # a dead Redis has forgotten the groups anyway
            async with asyncio.timeout(live.TIMEOUT):
                for group in self.joined:
                    await self.channel_layer.group_discard(group, self.channel_name)

    def uncount(self) -> None:
        if self.counted is not None:
            _open[self.counted] -= 1
            if _open[self.counted] <= 0:
                del _open[self.counted]
            self.counted = None

    async def check_for_ever(self) -> None:
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            with contextlib.suppress(DatabaseError):
                await self.check()

    async def check(self) -> None:
        """Close if the session is over, else say what is new."""
        player = await database_sync_to_async(self.player_now, thread_sensitive=False)()
        if (player.pk if player else None) != self.player_id:
            await self.close(LOGGED_OUT)
            return
        await self.say_news()

    async def say_news(self) -> None:
        """Send what the page does not know yet."""

    def player_now(self) -> User | None:
        """Whose session this is, as the database says now."""
        key = self.scope["cookies"].get(settings.SESSION_COOKIE_NAME)
        return player_of_session(import_module(settings.SESSION_ENGINE).SessionStore(key)) if key else None

    async def session_closed(self, event: dict[str, Any]) -> None:
        """Somebody ended a session of this person: ours (it may still be in the database for a moment), or look."""
        key = self.scope["cookies"].get(settings.SESSION_COOKIE_NAME)
        if key and event["session"] == live.session_mark(key):
            await self.close(LOGGED_OUT)
            return
        await self.check()


class TableConsumer(_Socket):
    """`/ws/t/CODE/?v=N`: sends {"table", "version"} whenever it is newer; understands {"v": n}."""

    code = ""
    version = 0

    async def connect(self) -> None:
        self.code = self.scope["url_route"]["kwargs"]["code"]
        self.version = _number(self.scope["query_string"].decode("latin-1").removeprefix("v="))
        try:
            self.player_id, _version = await database_sync_to_async(self.admit, thread_sensitive=False)()
        except NotFound:
            await self.close(NO_TABLE)
            return
        mine = (live.user_group(self.player_id),) if self.player_id is not None else ()
        await self.open(live.table_group(self.code), *mine)

    def admit(self) -> tuple[int | None, int]:
        """Who reads here now, and the table's version. Raises NotFound where he may not (or no longer) know of it."""
        player = self.player_now()
        table: Table = selectors.get_table(self.code, player, invitations.token_of(self.scope["cookies"], self.code))
        return (player.pk if player else None), table.version

    async def say_news(self) -> None:
        try:
            player_id, version = await database_sync_to_async(self.admit, thread_sensitive=False)()
        except NotFound:
            await self.close(NO_TABLE)
            return
        if player_id != self.player_id:
            await self.close(LOGGED_OUT)
            return
        await self.say(version)

    async def say(self, version: int) -> None:
        if version > self.version:
            self.version = version
            await self.send(json.dumps({"table": self.code, "version": version}))

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        try:
            message = json.loads(text_data or "")
            known = message["v"]
            if type(known) is not int or not 0 <= known < 2**31 or set(message) != {"v"}:
                raise ValueError(known)
        except (ValueError, TypeError, KeyError, RecursionError):
            await self.close(BAD_MESSAGE)
            return
        self.version = known
        await self.say_news()

    async def table_changed(self, event: dict[str, Any]) -> None:
        await self.say(int(event["version"]))

    async def turns_changed(self, event: dict[str, Any]) -> None:
        """The page's header counts waiting tables."""
        await self.send(json.dumps({"turns": True}))


class MeConsumer(_Socket):
    """`/ws/me/`: sends {"turns": true} whenever this person's list of turns has changed."""

    async def connect(self) -> None:
        player = await database_sync_to_async(self.player_now, thread_sensitive=False)()
        if player is None:
            await self.close(LOGGED_OUT)
            return
        self.player_id = player.pk
        await self.open(live.user_group(player.pk))

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        await self.close(BAD_MESSAGE)

    async def turns_changed(self, event: dict[str, Any]) -> None:
        await self.send(json.dumps({"turns": True}))


class NoSocket(AsyncWebsocketConsumer):
    """Any other address: refused like a table that does not exist."""

    async def connect(self) -> None:
        await self.close(NO_TABLE)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
