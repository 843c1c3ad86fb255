"""The whole move by HTTP (posted, judged, committed) beside a bare view under the same server; memory afterwards."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable

from bench.house import House, medians, percentile, report, resident
from bench.load import Client, closed_loop
from bench.matches import Match, open_matches

CLIENTS = 16
SECONDS = 4.0
WARM = 1.5

Step = Callable[[], Awaitable[float]]
"""One request of one client; its time in ms."""


def run(house: House) -> None:
    """For each server: the bare view, the move as a form (303) and the move of the page's script (200 with the fragment)."""
    subprocess.run([sys.executable, "-m", "bench.bare", "prepare"], check=True)
    for server in ("daphne", "gunicorn"):
        if server == "daphne":
            bare = house.serve(["-m", "bench.bare", str(house.port)], house.port, "/ready/")
        else:
            bare = house.gunicorn("bench.bare:wsgi", "/ready/")
        base = measure(lambda clients: [bare_step(client) for client in clients], house.port)
        house.end(bare)
        tell(server, "bare view, SELECT + INSERT", base, base)
        site = house.daphne() if server == "daphne" else house.gunicorn()
        for live in (False, True):
            matches = open_matches(CLIENTS)
            figures = measure(
                lambda clients, matches=matches, live=live: [
                    move_step(client, match, live) for client, match in zip(clients, matches, strict=True)
                ],
                house.port,
            )
            tell(server, "move, page script (200 + fragment)" if live else "move, form (303)", figures, base)
        sizes = resident(site)
        report("web.memory", server, max(sizes), "MiB", runs=1, processes=sizes)
        house.end(site)


def tell(server: str, what: str, figures: dict[str, float], base: dict[str, float]) -> None:
    report(
        "web.requests",
        f"{server}, {what}, {CLIENTS} clients",
        figures["rate"],
        "requests/s",
        p50_ms=round(figures["p50"], 1),
        p95_ms=round(figures["p95"], 1),
        of_bare=round(figures["rate"] / base["rate"], 2),
    )


def measure(steps: Callable[[list[Client]], list[Step]], port: int) -> dict[str, float]:
    """Medians of rate, p50 and p95 (ms) of the steps that `steps(clients)` makes, one a client."""

    async def once(seconds: float) -> tuple[float, list[float]]:
        clients = [Client(port) for _ in range(CLIENTS)]
        ours = steps(clients)
        try:
            return await closed_loop(CLIENTS, seconds, lambda number: ours[number]())
        finally:
            for client in clients:
                client.close()

    def one() -> dict[str, float]:
        rate, times = asyncio.run(once(SECONDS))
        return {"rate": rate, "p50": percentile(times, 0.5), "p95": percentile(times, 0.95)}

    asyncio.run(once(WARM))
    return medians(one)


def bare_step(client: Client) -> Step:
    async def step() -> float:
        answer = await client.post("/write/")
        if answer.status != 200:
            raise RuntimeError(f"bare view answered {answer.status}")
        return answer.ms

    return step


def move_step(client: Client, match: Match, live: bool) -> Step:
    """The next move of a match; it must be accepted."""
    wanted = 200 if live else 303

    async def step() -> float:
        session, form = match.form()
        answer = await client.post(f"/t/{match.code}/move/", session, live, **form)
        if answer.status != wanted:
            raise RuntimeError(f"a move was answered {answer.status}: {answer.body[-300:]!r}")
        return answer.ms

    return step
