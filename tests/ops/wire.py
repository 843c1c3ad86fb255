"""Bytes on the wire: a WebSocket client and an HTTP client that may misbehave, and a look at a process's memory."""

from __future__ import annotations

import base64
import os
import socket
import struct
from pathlib import Path
from typing import Self


def connect(port: int, timeout: float = 10.0) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout)


def read_head(link: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """(status, headers with small names, bytes after the head); status 0 when the other end hung up."""
    data = b""
    while b"\r\n\r\n" not in data:
        try:
            piece = link.recv(65536)
        except ConnectionResetError:
            piece = b""
        if not piece:
            return 0, {}, data
        data += piece
    head, _, rest = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return int(first.split()[1]), headers, rest


def hung_up(link: socket.socket, seconds: float) -> bool:
    """Whether the other end closes within `seconds`; what it still sends is thrown away."""
    link.settimeout(seconds)
    try:
        while link.recv(65536):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


class WebSocket:
    """A client that sends what it likes. `status` is the answer to the handshake (101: open)."""

    def __init__(self, port: int, path: str, *, origin: str | None, cookie: str = "") -> None:
        self.link = connect(port)
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
            "Sec-WebSocket-Version: 13",
        ]
        lines += [f"Origin: {origin}"] if origin is not None else []
        lines += [f"Cookie: {cookie}"] if cookie else []
        self.link.sendall("\r\n".join([*lines, "", ""]).encode())
        self.status, self.headers, self.rest = read_head(self.link)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.link.close()

    def send(self, text: str | bytes, opcode: int = 1) -> None:
        """Send one masked frame (1 text, 2 binary, 9 ping); OSError when the other end is gone."""
        body = text.encode() if isinstance(text, str) else text
        size = len(body)
        if size < 126:
            head = struct.pack("!BB", 0x80 | opcode, 0x80 | size)
        elif size < 65536:
            head = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, size)
        else:
            head = struct.pack("!BBQ", 0x80 | opcode, 0x80 | 127, size)
        # A mask of zeros leaves the body as it is.
        self.link.sendall(head + b"\0\0\0\0" + body)

    def receive(self, seconds: float = 5.0) -> tuple[int, bytes]:
        """The next frame: (opcode, body); (-1, b"") when the other end hung up. TimeoutError when nothing comes."""
        self.link.settimeout(seconds)
        head = self._exactly(2)
        if head is None:
            return -1, b""
        size = head[1] & 127
        if size >= 126:
            more = self._exactly(2 if size == 126 else 8)
            size = int.from_bytes(more or b"", "big")
        return head[0] & 15, self._exactly(size) or b""

    def _exactly(self, count: int) -> bytes | None:
        while len(self.rest) < count:
            try:
                piece = self.link.recv(65536)
            except ConnectionResetError:
                return None
            if not piece:
                return None
            self.rest += piece
        data, self.rest = self.rest[:count], self.rest[count:]
        return data


def resident(pid: int) -> int:
    """Resident memory of a process in KiB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


def processes_of(folder: Path) -> list[tuple[int, str]]:
    """(pid, command line) of the processes that work for the site in `folder`: by SITE_VAR, or by where they work."""
    found = []
    mark = f"SITE_VAR={folder}".encode()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            command = (entry / "cmdline").read_bytes()
            # The broker rewrites its command line and environment.
            known = mark in (entry / "environ").read_bytes().split(b"\0") or (entry / "cwd").resolve().is_relative_to(folder)
        except OSError:
            continue
        if known and command:
            found.append((int(entry.name), command.replace(b"\0", b" ").decode(errors="replace")))
    return found
