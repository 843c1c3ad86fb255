"""The client's address: from right to left through trusted proxies, never what the client wrote himself."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from cinqsite import asgi, wsgi
from cinqsite.addresses import Proxies, parse

NGINX = "10.0.0.1"


@pytest.mark.parametrize(
    ("trusted", "count", "remote", "header", "client"),
    [
        ([], 0, "1.2.3.4", "6.6.6.6", "1.2.3.4"),
        ([NGINX], 0, "1.2.3.4", "6.6.6.6", "1.2.3.4"),
        ([NGINX], 0, NGINX, "1.2.3.4", "1.2.3.4"),
        ([NGINX], 0, NGINX, "6.6.6.6, 1.2.3.4", "1.2.3.4"),
        (["10.0.0.0/8"], 0, NGINX, "6.6.6.6, 1.2.3.4, 10.0.0.2", "1.2.3.4"),
        ([NGINX], 0, NGINX, "6.6.6.6, rubbish", NGINX),
        ([NGINX], 0, NGINX, "", NGINX),
        ([NGINX], 0, NGINX, "[2001:db8::1]:443", "2001:db8::1"),
        ([NGINX], 0, "::ffff:10.0.0.1", "1.2.3.4:5678", "1.2.3.4"),
        (["unix"], 0, "", "6.6.6.6, 1.2.3.4", "1.2.3.4"),
        ([NGINX], 0, "", "1.2.3.4", ""),
        ([], 1, "172.16.0.9", "6.6.6.6, 1.2.3.4", "1.2.3.4"),
        ([], 2, "172.16.0.9", "6.6.6.6, 1.2.3.4, 172.16.0.8", "1.2.3.4"),
    ],
)
def test_the_client_behind_proxies(trusted: list[str], count: int, remote: str, header: str, client: str) -> None:
    assert Proxies(trusted, count).client(remote, header) == client


@pytest.mark.parametrize("text", ["", "x", "1.2.3", "1.2.3.4.5", "[::1", "::1]x", "999.1.1.1"])
def test_what_is_no_address(text: str) -> None:
    assert parse(text) is None or text == "[::1"


def test_asgi_rewrites_http_and_websocket_alike(settings: Any) -> None:
    settings.TRUSTED_PROXIES = [NGINX]
    middleware = asgi.ClientAddress(None)
    headers = [
        (b"host", b"x"),
        (b"x-forwarded-for", b"6.6.6.6"),
        (b"x-forwarded-for", b"1.2.3.4"),
        (b"x-forwarded-proto", b"https"),
    ]
    for kind, scheme in (("http", "https"), ("websocket", "wss")):
        scope = middleware.rewritten({"type": kind, "client": (NGINX, 9), "headers": headers, "scheme": "http"})
        assert scope["client"][0] == "1.2.3.4"
        assert scope["scheme"] == scheme
        assert scope["headers"] == [(b"host", b"x")]


def test_wsgi_does_the_same(settings: Any) -> None:
    settings.TRUSTED_PROXIES = [NGINX]
    seen: dict[str, Any] = {}
    middleware = wsgi.ClientAddress(lambda environ, start: seen.update(environ) or [])  # type: ignore[func-returns-value]
    middleware({"REMOTE_ADDR": NGINX, "HTTP_X_FORWARDED_FOR": "6.6.6.6,1.2.3.4", "HTTP_X_FORWARDED_PROTO": "https"}, None)
    assert seen == {"REMOTE_ADDR": "1.2.3.4", "wsgi.url_scheme": "https"}
    middleware({"REMOTE_ADDR": "5.5.5.5", "HTTP_X_FORWARDED_FOR": "1.2.3.4", "HTTP_X_FORWARDED_PROTO": "https"}, None)
    assert seen["REMOTE_ADDR"] == "5.5.5.5"
    assert seen["wsgi.url_scheme"] == "http"


@pytest.mark.django_db
def test_a_forwarded_host_never_reaches_a_page(client: Client) -> None:
    page = client.get("/accounts/password/reset/", HTTP_X_FORWARDED_HOST="evil.example")
    assert b"evil.example" not in page.content
