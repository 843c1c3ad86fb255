"""What one client may cost: floods, bodies, slowness, origins; and what every answer carries."""

from __future__ import annotations

import json
import time

import pytest

from cinqsite.processes import fetch
from tests.ops.wire import WebSocket, connect, hung_up, read_head, resident
from tests.real_site import Site

MIB = 1024 * 1024


def get(server: Site, path: str, *lines: str) -> tuple[int, dict[str, str]]:
    with connect(server.port) as link:
        head = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{server.port}", "Connection: close", *lines, "", ""]
        link.sendall("\r\n".join(head).encode())
        status, headers, _ = read_head(link)
    return status, headers


def session_cookie(server: Site) -> str:
    return f"sessionid={server.session('alice')}"


def test_a_flood_of_messages_is_cut_and_costs_no_memory(server: Site) -> None:
    cookie, pid = session_cookie(server), server.children["web"].pid
    before = resident(pid)
    cuts = 0
    for _ in range(15):
        with WebSocket(server.port, "/ws/me/", origin=server.url, cookie=cookie) as flood:
            assert flood.status == 101
            try:
                for _ in range(3000):
                    flood.send('{"v": 1, "x": "' + "x" * 1000 + '"}')
            except OSError:
                cuts += 1
    assert cuts == 15
    assert resident(pid) - before < 40 * 1024
    assert fetch(f"{server.url}/livez")[0] == 200


def test_a_flood_of_pings_is_cut(server: Site) -> None:
    with WebSocket(server.port, "/ws/me/", origin=server.url, cookie=session_cookie(server)) as flood:
        assert flood.status == 101
        with pytest.raises(OSError, match=r"(?i)reset|pipe|abort"):
            for _ in range(5000):
                flood.send("ping", opcode=9)


def test_a_message_over_four_kilobytes_closes_the_socket(server: Site) -> None:
    with WebSocket(server.port, "/ws/me/", origin=server.url, cookie=session_cookie(server)) as socket:
        socket.send("x" * 4097)
        assert hung_up(socket.link, 5)


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "null",
        "http://evil.example",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1:9999",
        "http://127.0.0.1",
        "http://a.127.0.0.1:{port}",
    ],
)
def test_a_socket_from_another_origin_is_refused_before_it_opens(server: Site, origin: str | None) -> None:
    said = origin.format(port=server.port) if origin else None
    with WebSocket(server.port, "/ws/me/", origin=said, cookie=session_cookie(server)) as socket:
        assert socket.status == 403


@pytest.mark.parametrize("path", ["/", "/livez", "/nothing/", "/accounts/login/"])
def test_a_big_body_is_refused_while_it_comes(server: Site, path: str) -> None:
    pid = server.children["web"].pid
    before = resident(pid)
    with connect(server.port) as link:
        link.sendall(f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {300 * MIB}\r\n\r\n".encode())
        status, _, _ = read_head(link)
    assert status == 413
    assert resident(pid) - before < 5 * 1024


def test_a_big_body_in_chunks_is_refused_after_the_first_megabyte(server: Site) -> None:
    pid = server.children["web"].pid
    before, sent = resident(pid), 0
    with connect(server.port) as link:
        link.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        piece = b"10000\r\n" + b"x" * 65536 + b"\r\n"
        try:
            while sent < 64 * MIB:
                link.sendall(piece)
                sent += 65536
        except OSError:
            pass
    assert sent < 32 * MIB
    assert resident(pid) - before < 8 * 1024


@pytest.mark.slow
def test_a_trickled_body_and_a_trickled_header_are_cut(server: Site) -> None:
    heads = [
        f"POST /accounts/login/ HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 1000\r\n\r\n",
        f"GET /livez HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nX-Slow: ",
        "G",
    ]
    links = [connect(server.port) for _ in heads]
    for link, head in zip(links, heads, strict=True):
        link.sendall(head.encode())
    begun, open_links = time.monotonic(), dict(enumerate(links))
    while open_links and time.monotonic() - begun < 25:
        time.sleep(0.5)
        for number, link in list(open_links.items()):
            try:
                link.sendall(b"x")
            except OSError:
                del open_links[number]
    for link in links:
        link.close()
    assert open_links == {}
    assert 13 < time.monotonic() - begun < 20


def test_every_answer_carries_the_security_headers(server: Site) -> None:
    for path in ("/livez", "/", "/nothing/", "/static/site.css", "/static/nothing.css", "/t/0000000000/"):
        _, headers = get(server, path)
        assert "server" not in headers, path
        assert headers["referrer-policy"] == "same-origin", path
        assert headers["x-content-type-options"] == "nosniff", path
        assert headers["cross-origin-opener-policy"] == "same-origin", path
        assert headers["cross-origin-resource-policy"] == "same-origin", path
        assert "camera=()" in headers["permissions-policy"], path


def test_pages_carry_the_content_security_policy_and_are_not_kept(server: Site) -> None:
    status, headers = get(server, "/accounts/login/")
    assert status == 200
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "font-src": "'self'",
        "img-src": "'self' data:",
        "connect-src": "'self'",
        "manifest-src": "'self'",
        "worker-src": "'self'",
        "base-uri": "'none'",
        "object-src": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    assert headers["cache-control"] == "private, no-store" or "no-store" in headers["cache-control"]


def test_a_foreign_host_is_refused(server: Site) -> None:
    with connect(server.port) as link:
        link.sendall(b"GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
        assert read_head(link)[0] == 400
    assert get(server, "/", "X-Forwarded-Host: evil.example")[0] == 200


def test_control_bytes_in_a_header_are_refused(server: Site) -> None:
    assert get(server, "/livez", "X-A: a\x0bX-Forwarded-For: 1.2.3.4")[0] == 400


def test_health_is_red_without_a_sweep_and_life_is_not(server: Site) -> None:
    status, body = fetch(f"{server.url}/healthz")
    report = json.loads(body)
    assert status == 503
    assert report["database"]["ok"]
    assert report["redis"]["ok"]
    assert not report["clock"]["ok"]
    assert fetch(f"{server.url}/livez") == (200, b"ok\n")
