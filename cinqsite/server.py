"""Our daphne: `python -m cinqsite.server -b 127.0.0.1 -p 8000`. Bounds what one client may cost before Django sees it.

Daphne alone reads a body of any size into memory, waits for a trickled one for ever, and puts every WebSocket message
into an unbounded queue. Proxy headers are never read here; see addresses.py.
"""

from __future__ import annotations

import argparse
import os
import sys
import time

# First: it installs Twisted's asyncio reactor.
import daphne.server  # isort: skip
from daphne.http_protocol import HTTPFactory, WebRequest
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from twisted.internet import reactor
from twisted.web.http import HTTPChannel

BODY_LIMIT = 1024 * 1024  # bytes
REQUEST_SECONDS = 15  # from the first byte of a request to its last one
IDLE_SECONDS = 30  # a kept connection without a request
LINGER_SECONDS = 1.0  # an answer to a refused request may be read so long
MESSAGE_BURST = 20  # WebSocket messages, pings among them, that may come at once ...
MESSAGE_RATE = 2.0  # ... and then this many a second


class Channel(HTTPChannel):
    """An HTTP connection whose requests have a deadline that no trickle of bytes puts off."""

    deadline = None
    refused = False
    discarded = 0

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 (Twisted's name)
        if self.refused:
            self.discarded += len(data)
            if self.discarded > BODY_LIMIT:
                self.transport.abortConnection()
            return
        if self.deadline is None and not self._handlingRequest:
            self.deadline = reactor.callLater(REQUEST_SECONDS, self.refuse, b"408 Request Timeout")
        super().dataReceived(data)

    def allContentReceived(self) -> None:  # noqa: N802
        self.end_deadline()
        if not self.refused:
            super().allContentReceived()

    def connectionLost(self, reason: object) -> None:  # noqa: N802
        self.end_deadline()
        super().connectionLost(reason)

    def end_deadline(self) -> None:
        if self.deadline is not None and self.deadline.active():
            self.deadline.cancel()
        self.deadline = None

    def refuse(self, status: bytes) -> None:
        """Answer with a bare status, throw away what still comes, and hang up soon."""
        self.end_deadline()
        self.refused = True
        self.transport.write(b"HTTP/1.1 " + status + b"\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        self.transport.loseWriteConnection()
        reactor.callLater(LINGER_SECONDS, self.transport.abortConnection)


class Request(WebRequest):
    """A request with a bounded body, whether its length is announced or it comes in chunks; plain error pages."""

    error_template = "%(title)s\n%(body)s\n"
    received = 0

    def gotLength(self, length: int | None) -> None:  # noqa: N802
        if length is not None and length > BODY_LIMIT:
            self.channel.refuse(b"413 Content Too Large")
            length = 0
        super().gotLength(length)

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802
        if self.channel.refused:
            return
        self.received += len(data)
        if self.received > BODY_LIMIT:
            self.channel.refuse(b"413 Content Too Large")
            return
        super().handleContentChunk(data)

    def basic_error(self, status: int, status_text: bytes, body: str) -> None:
        from cinqsite.middleware import SECURITY_HEADERS

        headers = [(name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]
        headers += [(b"Content-Type", b"text/plain; charset=utf-8"), (b"Cache-Control", b"no-store")]
        if status == 503:
            headers.append((b"Retry-After", b"5"))
        self.handle_reply({"type": "http.response.start", "status": status, "headers": headers})
        self.handle_reply({"type": "http.response.body", "body": f"{status} {status_text.decode()}\n{body}\n".encode()})


class Socket(WebSocketProtocol):
    """A WebSocket whose client may send a few small messages. Over that it is cut, before anything is queued."""

    tokens = float(MESSAGE_BURST)
    counted_at = 0.0

    def allowed(self) -> bool:
        """Take a token; without one, drop the connection."""
        now = time.monotonic()
        if self.counted_at:
            self.tokens = min(MESSAGE_BURST, self.tokens + (now - self.counted_at) * MESSAGE_RATE)
        self.counted_at = now
        self.tokens -= 1
        if self.tokens < 0:
            self.dropConnection(abort=True)
            return False
        return True

    def onMessageFrameBegin(self, length: int) -> None:  # noqa: N802
        """Each frame costs, so that a message of a thousand empty ones does too."""
        if self.allowed():
            super().onMessageFrameBegin(length)

    def onPing(self, payload: bytes) -> None:  # noqa: N802
        if self.allowed():
            super().onPing(payload)

    def onPong(self, payload: bytes) -> None:  # noqa: N802
        if self.allowed():
            super().onPong(payload)


class OurHTTPFactory(HTTPFactory):
    """Builds our channels and requests."""

    protocol = Channel

    def buildProtocol(self, addr: object) -> Channel:  # noqa: N802
        channel: Channel = super().buildProtocol(addr)
        channel.requestFactory = Request
        channel.timeOut = IDLE_SECONDS
        return channel


class OurWebSocketFactory(WebSocketFactory):
    """Builds our sockets."""

    protocol = Socket


class Server(daphne.server.Server):
    """Daphne with our protocols (it looks both factories up in its module) and the limits of a receive-only socket."""

    def __init__(self, application: object, endpoints: list[str]) -> None:
        super().__init__(
            application=application,
            endpoints=endpoints,
            http_timeout=30,
            websocket_timeout=12 * 3600,
            websocket_connect_timeout=5,
            websocket_handshake_timeout=5,
            websocket_max_message_size=4096,
            websocket_max_frame_size=4096,
            ping_interval=20,
            ping_timeout=20,
            application_close_timeout=5,
            verbosity=0,
            server_name=None,
        )

    def run(self) -> None:
        daphne.server.HTTPFactory = OurHTTPFactory
        daphne.server.WebSocketFactory = OurWebSocketFactory
        super().run()

    def listen_error(self, failure: object) -> None:
        """End at once: `main` says why in one line."""
        self.abort_start = True
        self.stop()

    def log_action(self, protocol: str, action: str, details: dict[str, object]) -> None:
        """No access log: it would keep addresses."""


def main(arguments: list[str] | None = None) -> int:
    """Serve until SIGTERM or Ctrl-C. 1 when the address is taken or production is not safe to start."""
    parser = argparse.ArgumentParser(prog="python -m cinqsite.server", description=__doc__)
    parser.add_argument("-b", "--bind", default="127.0.0.1", help="address to listen on")
    parser.add_argument("-p", "--port", type=int, default=8000)
    parser.add_argument("-u", "--unix", help="Unix socket to listen on instead")
    options = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cinqsite.settings")

    from cinqsite.asgi import application
    from cinqsite.checks import debug_bind, refuse_to_start_unsafe

    refuse_to_start_unsafe()
    for refusal in [] if options.unix else debug_bind(options.bind):
        sys.stderr.write(f"{refusal.msg}\n")
        return 1
    server = Server(application, [endpoint(options.bind, options.port, options.unix)])
    server.run()
    if server.abort_start:
        sys.stderr.write(f"cannot listen on {options.unix or f'{options.bind}:{options.port}'}\n")
        return 1
    return 0


def endpoint(bind: str, port: int, unix: str | None) -> str:
    """Twisted's words for where to listen. A few hundred pages may reconnect in the same second, hence the backlog."""
    if unix:
        return f"unix:{unix}:mode=660"
    address = bind.replace(":", r"\:")
    return f"tcp:{port}:interface={address}:backlog=1024"


if __name__ == "__main__":
    sys.exit(main())
