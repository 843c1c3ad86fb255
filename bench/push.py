"""Push: from the POST of a move to the frame on the other player's socket, at 100 moves a second over 100 tables."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable

from bench.house import House, medians, percentile, report, resident
from bench.load import Client, Socket
from bench.matches import Match, open_matches

TABLES = 100
RATE = 100  # moves a second
SECONDS = 8.0
CONNECTIONS = 32


def run(house: House) -> None:
    """With one server for everything (`make run`), and with the deployment's two."""
    for variant in ("daphne for all", "gunicorn + daphne"):
        web = house.daphne() if variant.startswith("daphne") else house.gunicorn()
        sockets = web if variant.startswith("daphne") else house.daphne(house.sockets_port)
        port = house.port if sockets is web else house.sockets_port
        matches = open_matches(TABLES)
        figures = medians(lambda port=port, matches=matches: asyncio.run(Pace(house, port, matches).go()))
        report(
            "push.latency",
            f"{variant}, {RATE} moves/s, {TABLES} tables, {2 * TABLES} sockets",
            figures["p50"],
            "ms p50",
            p95_ms=round(figures["p95"], 1),
            p99_ms=round(figures["p99"], 1),
            answer_p50_ms=round(figures["answer_p50"], 1),
            lost=int(figures["lost"]),
            moves=int(figures["moves"]),
        )
        report("push.memory", variant, max(resident(sockets)), "MiB", runs=1)
        house.end(*{web, sockets})


class Pace:
    """One paced run: sockets of both players open, moves posted at an even rate, frames waited for."""

    def __init__(self, house: House, port: int, matches: list[Match]) -> None:
        self.house, self.port, self.matches = house, port, matches
        self.posted: dict[str, float] = {}
        self.latencies: list[float] = []
        self.answers: list[float] = []

    async def go(self) -> dict[str, float]:
        sockets = await self.open_sockets()
        free: asyncio.Queue[Client] = asyncio.Queue()
        clients = [Client(self.house.port) for _ in range(CONNECTIONS)]
        for client in clients:
            free.put_nowait(client)
        running = []
        begun = time.perf_counter()
        for number in range(int(RATE * SECONDS)):
            await asyncio.sleep(max(0.0, begun + number / RATE - time.perf_counter()))
            running.append(asyncio.create_task(self.move(self.matches[number % TABLES], free)))
        await asyncio.gather(*running)
        await asyncio.sleep(1.0)
        for one in [*sockets, *clients]:
            one.close()
        return {
            "p50": percentile(self.latencies, 0.5),
            "p95": percentile(self.latencies, 0.95),
            "p99": percentile(self.latencies, 0.99),
            "answer_p50": percentile(self.answers, 0.5),
            "lost": len(running) - len(self.latencies),
            "moves": len(running),
        }

    async def open_sockets(self) -> list[Socket]:
        """Both players' sockets of every table, opened in groups of 20."""
        sockets = []
        wanted = [(match, seat) for match in self.matches for seat in (0, 1)]
        for first in range(0, len(wanted), 20):
            group = [(Socket(self.hearer(match, seat)), match, seat) for match, seat in wanted[first : first + 20]]
            await asyncio.gather(
                *(
                    socket.open(self.port, f"/ws/t/{match.code}/?v=0", self.house.url, match.sessions[seat])
                    for socket, match, seat in group
                )
            )
            sockets += [socket for socket, _, _ in group]
        # The version that a page without one is sent at once is not a push.
        await asyncio.sleep(1.0)
        return sockets

    def hearer(self, match: Match, seat: int) -> Callable[[str, float], None]:
        """What the socket of that seat does with a frame: note the time when the other seat has just moved."""
        session = match.sessions[seat]

        def arrived(text: str, moment: float) -> None:
            if "version" in json.loads(text) and f"{match.code}:{session}" in self.posted:
                self.latencies.append((moment - self.posted.pop(f"{match.code}:{session}")) * 1000)

        return arrived

    async def move(self, match: Match, free: asyncio.Queue[Client]) -> None:
        client = await free.get()
        session, form = match.form()
        (other,) = [key for key in match.sessions if key != session]
        self.posted[f"{match.code}:{other}"] = time.perf_counter()
        answer = await client.post(f"/t/{match.code}/move/", session, **form)
        free.put_nowait(client)
        if answer.status != 303:
            raise RuntimeError(f"a move was answered {answer.status}")
        self.answers.append(answer.ms)
