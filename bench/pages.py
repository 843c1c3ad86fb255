"""What a request asks of the database, and what a visit costs on the line."""

from __future__ import annotations

import asyncio
import gzip
import re
from urllib.parse import urljoin

from django.conf import settings
from django.db import connection
from django.test import Client as TestClient
from django.test.utils import CaptureQueriesContext

from bench.house import House, report
from bench.load import Client
from bench.matches import Match, open_matches

# What the design allows.
MOST = {"table page": 10, "fragment": 5, "move, form": 15}
PACKED = (".woff2", ".png", ".webp", ".jpg", ".avif")


def run(house: House) -> None:
    """Queries a request, then bytes of a first visit and of a fragment."""
    (match,) = open_matches(1)
    queries(match)
    web = house.gunicorn()
    asyncio.run(visits(house, match))
    house.end(web)


def queries(match: Match) -> None:
    """Count the statements of the requests that a match is made of, BEGIN and COMMIT not among them."""
    settings.ALLOWED_HOSTS.append("testserver")
    clients = []
    for session in match.sessions:
        client = TestClient()
        client.cookies[settings.SESSION_COOKIE_NAME] = session
        # The first request of a session also notes that its person is here, at most once in five minutes.
        client.get(f"/t/{match.code}/")
        clients.append(client)
    session, form = match.form()
    mover = clients[match.sessions.index(session)]
    address = f"/t/{match.code}/"
    version = mover.get(f"{address}live/?v=0").headers["X-Version"]
    asked = {
        "table page": lambda: mover.get(address),
        "fragment": lambda: mover.get(f"{address}live/?v=0"),
        "fragment, unchanged": lambda: mover.get(f"{address}live/?v={version}"),
        "move, form": lambda: mover.post(f"{address}move/", form),
        "home, stranger": lambda: TestClient().get("/"),
        "lobby": lambda: mover.get("/lobby/"),
        "my tables": lambda: mover.get("/tables/"),
    }
    for name, ask in asked.items():
        with CaptureQueriesContext(connection) as seen:
            status = ask().status_code
        counted = [query for query in seen if query["sql"].split()[0] not in {"BEGIN", "COMMIT", "SAVEPOINT", "RELEASE"}]
        more = {"most": MOST[name]} if name in MOST else {}
        report("pages.queries", name, len(counted), "queries", runs=1, status=status, **more)


async def visits(house: House, match: Match) -> None:
    """Bytes over the line, with gzip, for a stranger's home page and a player's table, each with all it loads."""
    client = Client(house.port)
    for name, path, session in (("home, stranger", "/", ""), ("table, player", f"/t/{match.code}/", match.sessions[0])):
        page = (await client.get(path, session)).body
        parts = {"page": packed(path, page)}
        loaded = set(re.findall(rb'(?:href|src)="(/static/[^"#?]+)', page))
        for asset in sorted(loaded):
            answer = await client.get(asset.decode())
            parts[asset.decode().rpartition("/")[2]] = packed(asset.decode(), answer.body)
            if asset.endswith(b".css"):
                for url in re.findall(rb"url\(\"?([^\")]+)\"?\)", answer.body):
                    inner = urljoin(asset.decode(), url.decode()).partition("#")[0]
                    if inner.startswith("/static/"):
                        parts[inner.rpartition("/")[2]] = packed(inner, (await client.get(inner)).body)
        report("pages.first_visit", name, sum(parts.values()), "bytes gzip", runs=1, requests=len(parts), parts=parts)
    fragment = (await client.get(f"/t/{match.code}/live/?v=0", match.sessions[0])).body
    report("pages.fragment", "two players", packed("", fragment), "bytes gzip", runs=1, plain=len(fragment))
    client.close()


def packed(path: str, body: bytes) -> int:
    """Size on the line: gzip as nginx does it (level 5), fonts and pictures as they are."""
    return len(body) if path.endswith(PACKED) else len(gzip.compress(body, 5))
