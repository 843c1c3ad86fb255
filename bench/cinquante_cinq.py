"""Figures of 55: `python -m bench.cinquante_cinq`, one JSON line each. How strong its players are, `bench.bots` tells.

Random play counts deals, legal moves and plies; a replay is read, parsed and played again; an observation is made as JSON. The
worst decision of *malin* is looked for where it thinks longest. Times are CPU times of this process.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

from games.cinquante_cinq import bots
from games.cinquante_cinq.rules import RULEBOOK, FiftyFiveOptions
from games.engine.chance import Chance, deal_key
from games.engine.record import read, replay

RULES = RULEBOOK[1]
RECORD = Path(__file__).resolve().parent.parent / "tests/games/cinquante_cinq/records/alone_4.txt"
RUNS = 3
PLIES = 20_000


def chance(name: str) -> Chance:
    """A fixed chance for a name."""
    return Chance(sha256(name.encode()).digest())


def random_play(seats: int, run: int) -> float:
    """Plies a second of uniformly random matches of 500 plies, deals included."""
    pick, plies = Random(run).random, 0
    start = process_time()
    while plies < PLIES:
        deals = chance(f"{run}/{plies}")
        state: Any = RULES.deal(FiftyFiveOptions(), seats, deals)
        for _ in range(500):
            if state.turn is None:
                break
            moves = RULES.legal_moves(state, state.turn)
            state = RULES.apply(state, state.turn, moves[int(pick() * len(moves))], deals).state
            plies += 1
    return plies / (process_time() - start)


def replay_ms(shuffles: dict[str, list[int]]) -> float:
    """Milliseconds to read a golden record and to play it again."""
    text = RECORD.read_text(encoding="utf-8")
    start = process_time()
    record = read(text)
    moves = [(ply.seat, ply.notation or "") for ply in record.plies]
    options = RULES.read_options(json.loads(record.options))
    deals = Chance(bytes(32), shuffles)
    for step in replay(RULES, options, record.seats, deals, moves):
        state = step.state
    if state.turn is not None:
        raise RuntimeError("the replay did not reach the end")
    return 1000 * (process_time() - start)


def dealt() -> dict[str, list[int]]:
    """The shuffles of the golden record."""
    record = read(RECORD.read_text(encoding="utf-8"))
    deals = Chance(deal_key(record.seed or b"", record.client_seeds))
    options = RULES.read_options(json.loads(record.options))
    list(replay(RULES, options, record.seats, deals, [(ply.seat, ply.notation or "") for ply in record.plies]))
    return deals.results


def observation_us(seats: int, run: int) -> float:
    """Microseconds for an observation of a seat as JSON, over one random deal."""
    rng, deals, spent, count = Random(run), chance(f"seen/{run}"), 0.0, 0
    state: Any = RULES.deal(FiftyFiveOptions(), seats, deals)
    for _ in range(6 * seats):
        start = process_time()
        json.dumps(RULES.observation(state, state.turn))
        spent += process_time() - start
        count += 1
        state = RULES.apply(state, state.turn, rng.choice(RULES.legal_moves(state, state.turn)), deals).state
    return 1e6 * spent / count


def thinking(seats: int, level: str) -> list[float]:
    """Milliseconds of each decision of a few matches that players of one level play among themselves."""
    times = []
    for match in range(2):
        deals = chance(f"{level}/{seats}/{match}")
        state: Any = RULES.deal(FiftyFiveOptions(), seats, deals)
        for ply in range(160):
            if state.turn is None:
                break
            forced = RULES.forced(state)
            if forced is not None:
                state = RULES.apply(state, forced[0], forced[1], deals).state
                continue
            seen = RULES.observation(state, state.turn)
            start = process_time()
            text = bots.choose(seen, sha256(f"{match}/{ply}".encode()).digest(), level)
            times.append(1000 * (process_time() - start))
            state = RULES.apply(state, state.turn, RULES.Move.parse(text), deals).state
    return times


def report(bench: str, variant: str, value: float, unit: str, **more: Any) -> None:
    """Print one figure."""
    figure = {"bench": bench, "game": "cinquante_cinq", "variant": variant, "value": round(value, 2), "unit": unit}
    print(json.dumps({**figure, **more}), flush=True)


def main() -> None:
    """Print every figure."""
    for seats in (2, 4, 9):
        report("engine.random_play", f"{seats} seats", median(random_play(seats, run) for run in range(RUNS)), "plies/s")
    plies, shuffles = len(read(RECORD.read_text(encoding="utf-8")).plies), dealt()
    report("engine.replay", f"golden record of {plies} plies", median(replay_ms(shuffles) for _ in range(RUNS)), "ms")
    for seats in (4, 9):
        report("engine.observation", f"{seats} seats, JSON", median(observation_us(seats, run) for run in range(RUNS)), "us")
    for level in bots.LEVELS:
        for seats in (2, 4, 9):
            times = thinking(seats, level)
            report("bots.time", f"{level}, {seats} seats", median(times), "ms", worst=round(max(times), 1), decisions=len(times))


if __name__ == "__main__":
    main()
