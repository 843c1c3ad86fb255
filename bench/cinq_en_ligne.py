"""Speed of 5inq en Ligne: `python -m bench.cinq_en_ligne`, one JSON line a figure; CPU times of this process.

How well its bots play is measured by `python -m bench.bots cinq_en_ligne`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

from games.cinq_en_ligne import bots
from games.cinq_en_ligne.rules import RULEBOOK, LineMove, LineOptions, LineState
from games.engine.chance import Chance, deal_key
from games.engine.record import read, replay

RULES = RULEBOOK[1]
VARIANTS = ((2, "sinueux"), (6, "sinueux"), (9, "aleatoire"))
RECORDS = Path(__file__).parent.parent / "tests" / "games" / "cinq_en_ligne" / "records"
RUNS = 3
PLIES = 10_000


def states(seats: int, plateau: str, run: int) -> Iterator[LineState]:
    """The positions of random matches, one after another without end."""
    pick, match = Random(run).random, 0
    while True:
        match += 1
        chance = Chance(sha256(f"{run}/{match}".encode()).digest())
        state = RULES.deal(LineOptions(plateau=plateau), seats, chance)
        while state.turn is not None:
            yield state
            moves = RULES.legal_moves(state, state.turn)
            state = RULES.apply(state, state.turn, moves[int(pick() * len(moves))], chance).state


def random_play(seats: int, plateau: str, run: int) -> float:
    """Plies a second of uniformly random whole matches, deals included."""
    start = process_time()
    for ply, _state in enumerate(states(seats, plateau, run)):
        if ply == PLIES:
            break
    return PLIES / (process_time() - start)


def replay_ms(name: str, run: int) -> float:
    """Milliseconds to read a golden record and play it again."""
    text = (RECORDS / f"{name}.txt").read_text(encoding="utf-8")
    start = process_time()
    record = read(text)
    chance = Chance(deal_key(record.seed or b"", record.client_seeds))
    options = RULES.read_options(json.loads(record.options))
    for _step in replay(RULES, options, record.seats, chance, ((ply.seat, ply.notation or "") for ply in record.plies)):
        pass
    return 1000 * (process_time() - start)


def observation_us(seats: int, plateau: str, run: int) -> float:
    """Microseconds to tell the seat on turn what it may know."""
    sample = [state for state, _ in zip(states(seats, plateau, run), range(1000), strict=False)]
    start = process_time()
    for state in sample:
        RULES.observation(state, state.turn)
    return 1_000_000 * (process_time() - start) / len(sample)


def thoughts(level: str) -> list[float]:
    """Milliseconds of every decision of that level in some matches for two."""
    times = []
    for match in range(10):
        chance = Chance(sha256(b"thoughts/%d" % match).digest())
        state = RULES.deal(LineOptions(), 2, chance)
        while state.turn is not None:
            seen = RULES.observation(state, state.turn)
            start = process_time()
            text = bots.choose(seen, len(state.plays), level)
            times.append(1000 * (process_time() - start))
            state = RULES.apply(state, state.turn, LineMove.parse(text), chance).state
    return times


def report(bench: str, variant: str, unit: str, value: float, **more: object) -> None:
    """Print one figure."""
    figure = {"bench": bench, "game": "cinq_en_ligne", "variant": variant, "value": round(value, 2), "unit": unit}
    print(json.dumps({**figure, **more}), flush=True)


def middle(measure: Callable[[int], float]) -> float:
    """The median of some runs."""
    return median(measure(run) for run in range(RUNS))


def main() -> None:
    """Print every figure."""
    for seats, plateau in VARIANTS:
        variant = f"{seats} seats, {plateau}"
        report("engine.random_play", variant, "plies/s", middle(partial(random_play, seats, plateau)), runs=RUNS)
        report("engine.observation", variant, "us", middle(partial(observation_us, seats, plateau)), runs=RUNS)
    for name in ("plein_3", "ligne_2_sinueux"):
        report("engine.replay", f"{name}, read + parse + apply", "ms", middle(partial(replay_ms, name)), runs=RUNS)
    for level in bots.LEVELS:
        times = thoughts(level)
        report("bots.time", level, "ms", median(times), worst=round(max(times), 1), decisions=len(times))


if __name__ == "__main__":
    main()
