"""Speed of Les Cinq Rois: the exact solver, random play, replay and an observation: `python -m bench.cinq_rois`.

One JSON line a figure. Times are CPU times of this process. The crowded hands are the solver's hard ones: few suits, many
copies, up to six wild cards.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

from games.cinq_rois import melds
from games.cinq_rois.cards import DECK, JOKER, JOKERS, WIDTH, Hand, rank
from games.cinq_rois.melds import Law, Solver
from games.cinq_rois.rules import ROUNDS, RULEBOOK, RoisOptions
from games.engine.chance import Chance, deal_key
from games.engine.record import read, replay

RULES = RULEBOOK[1]
LONGEST = 14
HANDS = 3000
PLIES = 20_000
RECORD = Path(__file__).parents[1] / "tests/games/cinq_rois/records/maison_4.txt"


def any_hand(rng: Random) -> tuple[Hand, Law]:
    """Fourteen cards of the whole deck, in the round of the kings."""
    return tuple(sorted(rng.sample(DECK, LONGEST))), Law(13, rng.random() < 0.5)


def crowded_hand(rng: Random) -> tuple[Hand, Law]:
    """Fourteen cards of one to three suits with some wild ones."""
    wild, suits = rng.randint(0, JOKERS), rng.sample(range(5), rng.randint(1, 3))
    naturals = [card for card in DECK if card != JOKER and card // WIDTH in suits and rank(card) != 13]
    return tuple(sorted([*rng.sample(naturals, LONGEST - wild), *[JOKER] * wild])), Law(13, rng.random() < 0.5)


def solver(name: str, deal: Callable[[Random], tuple[Hand, Law]], ask: Callable[[Hand, Law], Any]) -> None:
    """Milliseconds of one question about hands of fourteen cards: median and worst."""
    rng, spent = Random(name), []
    for _ in range(HANDS):
        hand, law = deal(rng)
        start = process_time()
        ask(hand, law)
        spent.append(1000 * (process_time() - start))
    report(f"solver {name}, median", median(spent), "ms")
    report(f"solver {name}, worst of {HANDS}", max(spent), "ms")


def random_play(seats: int) -> float:
    """Plies a second of uniformly random matches, deals included."""
    rng, plies, match, start = Random(seats), 0, 0, process_time()
    while plies < PLIES:
        match += 1
        chance = Chance(sha256(f"{seats}/{match}".encode()).digest())
        state = RULES.deal(RoisOptions(), seats, chance)
        while to_act := RULES.to_act(state):
            moves = RULES.legal_moves(state, to_act[0])
            state = RULES.apply(state, to_act[0], rng.choice(moves), chance).state
            plies += 1
    return plies / (process_time() - start)


def golden_states() -> list[Any]:
    """Every state of a golden record, read and played again."""
    record = read(RECORD.read_text(encoding="utf-8"))
    chance = Chance(deal_key(record.seed or b"", record.client_seeds))
    moves = [(ply.seat, ply.notation or "") for ply in record.plies]
    options = RULES.read_options(json.loads(record.options))
    return [step.state for step in replay(RULES, options, record.seats, chance, moves)]


def replay_ms() -> float:
    """Milliseconds to read a golden record and play it again."""
    start = process_time()
    golden_states()
    return 1000 * (process_time() - start)


def observation_ms() -> float:
    """Milliseconds of the observation of whoever is on turn, and its JSON, in the last round."""
    states = [state for state in golden_states() if state.turn is not None and state.hand_no == ROUNDS]
    start = process_time()
    for state in states:
        json.dumps(RULES.observation(state, state.turn))
    return 1000 * (process_time() - start) / len(states)


def report(variant: str, value: float, unit: str) -> None:
    """Print one figure."""
    line = {"bench": "cinq_rois", "game": "cinq_rois", "variant": variant, "value": round(value, 3), "unit": unit}
    print(json.dumps(line), flush=True)


def main() -> None:
    """Print every figure."""
    for name, deal in (("any hand", any_hand), ("crowded hand", crowded_hand)):
        solver(f"least points, {name}", deal, melds.least)
        solver(f"partition, {name}", deal, lambda hand, law: Solver(hand, law).partition())
        solver(f"going out, {name}", deal, lambda hand, law: Solver(hand, law).going_out())
    for seats in (2, 4, 6):
        report(f"random play, {seats} seats", random_play(seats), "plies/s")
    report("replay of a golden record, 4 seats", replay_ms(), "ms")
    report("observation and its JSON", observation_ms(), "ms")


if __name__ == "__main__":
    main()
