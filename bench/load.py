"""Clients that cost little: HTTP/1.1 with kept connections and WebSocket, on asyncio streams."""

from __future__ import annotations

import asyncio
import base64
import os
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple
from urllib.parse import urlencode

CSRF = "b" * 32


class Answer(NamedTuple):
    """Status, headers (small names) and body of an answer, and how long it took in ms."""

    status: int
    headers: dict[str, str]
    body: bytes
    ms: float


class Client:
    """One kept connection. Not for two requests at a time."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def post(self, path: str, session: str = "", live: bool = False, **fields: object) -> Answer:
        """POST a form as the person of that session."""
        body = urlencode({**fields, "csrfmiddlewaretoken": CSRF}).encode()
        more = "X-Requested-With: live\r\n" if live else ""
        return await self.send("POST", path, session, body, f"{more}Content-Type: application/x-www-form-urlencoded\r\n")

    async def get(self, path: str, session: str = "", more: str = "") -> Answer:
        """GET as the person of that session."""
        return await self.send("GET", path, session, b"", more)

    async def send(self, method: str, path: str, session: str, body: bytes, more: str) -> Answer:
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        assert self.reader is not None
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: sessionid={session}; csrftoken={CSRF}\r\n"
            f"{more}Content-Length: {len(body)}\r\n\r\n"
        )
        begun = time.perf_counter()
        self.writer.write(head.encode() + body)
        text = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin1")
        first, *lines = text.rstrip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        status = int(first.split()[1])
        content = await self._body(headers) if status not in {204, 304} else b""
        ms = (time.perf_counter() - begun) * 1000
        if headers.get("connection", "").lower() == "close":
            self.close()
        return Answer(status, headers, content, ms)

    async def _body(self, headers: dict[str, str]) -> bytes:
        assert self.reader is not None
        if "content-length" in headers:
            return await self.reader.readexactly(int(headers["content-length"]))
        content = b""
        while size := int(await self.reader.readline(), 16):
            content += await self.reader.readexactly(size)
            await self.reader.readexactly(2)
        await self.reader.readexactly(2)
        return content

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None


async def closed_loop(clients: int, seconds: float, step: Callable[[int], Awaitable[float]]) -> tuple[float, list[float]]:
    """Each of `clients` calls `step(number)` over and over; (calls a second, the ms that each call returned)."""
    times: list[float] = []
    begun = time.perf_counter()

    async def loop(number: int) -> None:
        while time.perf_counter() - begun < seconds:
            times.append(await step(number))

    await asyncio.gather(*(loop(number) for number in range(clients)))
    return len(times) / (time.perf_counter() - begun), times


class Socket:
    """A WebSocket that only listens. `arrived` is called with the text and the moment of each frame."""

    def __init__(self, arrived: Callable[[str, float], None]) -> None:
        self.arrived = arrived
        self.task: asyncio.Task[None] | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def open(self, port: int, path: str, origin: str, session: str) -> None:
        """Connect; ConnectionError when the handshake is refused."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        key = base64.b64encode(os.urandom(16)).decode()
        writer.write(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nOrigin: {origin}\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nCookie: sessionid={session}\r\n\r\n".encode()
        )
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise ConnectionError(head.decode("latin1").splitlines()[0])
        self.writer = writer
        self.task = asyncio.create_task(self._listen(reader))

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        assert self.writer is not None
        while True:
            try:
                first, size = await reader.readexactly(2)
                if size & 127 == 126:
                    size = int.from_bytes(await reader.readexactly(2), "big")
                body = await reader.readexactly(size & 0xFFFF)
            except asyncio.IncompleteReadError:
                return
            if first & 15 == 9:
                self.writer.write(bytes([0x8A, 0x80 | len(body)]) + b"\0\0\0\0" + body)
            elif first & 15 == 1:
                self.arrived(body.decode(), time.perf_counter())

    def close(self) -> None:
        if self.task is not None:
            self.task.cancel()
        if self.writer is not None:
            self.writer.close()
