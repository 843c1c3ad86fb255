"""Speed of the pure engine and strength of its bots: `python -m bench.engine [--hands N]`, one JSON line a figure.

Random play counts deals, legal moves and plies of whole matches; "bare" is the yardstick, a mutable toy of the same game
without interface, states, scores or provable deals. Times are CPU times of this process, so that a busy machine disturbs them
less. Bot figures are shares of hands won against random players.
"""

import argparse
import json
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from random import Random
from statistics import median
from time import process_time
from typing import Any

from games.cinq import bots
from games.cinq.rules import RULEBOOK, CinqOptions, hand_winners
from games.engine.chance import Chance
from games.engine.record import Ply, Record, read, replay, write

RULES = RULEBOOK[1]
VARIANTS = (("classique", 2), ("classique", 3), ("classique", 4), ("piegeur", 3), ("piegeur", 4))
RUNS = 3
PLIES = 40_000


def key(name: str) -> bytes:
    """A fixed deal key for a name."""
    return sha256(name.encode()).digest()


def random_match(mode: str, seats: int, name: str) -> list[tuple[int, str]]:
    """The (seat, text) of a whole random match."""
    rng, chance = Random(name), Chance(key(name))
    state, plies = RULES.deal(CinqOptions(mode), seats, chance), []
    while to_act := RULES.to_act(state):
        move = rng.choice(RULES.legal_moves(state, to_act[0]))
        plies.append((to_act[0], str(move)))
        state = RULES.apply(state, to_act[0], move, chance).state
    return plies


def random_play(mode: str, seats: int, run: int) -> float:
    """Plies a second of uniformly random whole matches, deals included."""
    pick, options, plies, match = Random(run).random, CinqOptions(mode), 0, 0
    deal, to_act, legal_moves, apply = RULES.deal, RULES.to_act, RULES.legal_moves, RULES.apply
    start = process_time()
    while plies < PLIES:
        match += 1
        chance = Chance(key(f"{run}/{match}"))
        state = deal(options, seats, chance)
        while seat := to_act(state):
            moves = legal_moves(state, seat[0])
            move = moves[int(pick() * len(moves))]
            state = apply(state, seat[0], move, chance).state
            plies += 1
    return plies / (process_time() - start)


def bare_play(run: int) -> float:
    """Plies a second of the yardstick: classique, four seats, single hands."""
    rng, plies = Random(run), 0
    pick = rng.random
    start = process_time()
    while plies < PLIES:
        deck = list(range(40))
        rng.shuffle(deck)
        hands = [set(deck[seat::4]) for seat in range(4)]
        low, high = [5] * 4, [3] * 4
        seat = next(s for s in range(4) if 4 in hands[s])
        legal = [4]
        while True:
            plies += 1
            if legal:
                card = legal[int(pick() * len(legal))]
                hands[seat].remove(card)
                suit, rank = divmod(card, 10)
                low[suit], high[suit] = min(low[suit], rank), max(high[suit], rank)
                if not hands[seat]:
                    break
            seat = (seat + 1) & 3
            legal = [c for c in hands[seat] if c % 10 == 4 or c % 10 + 1 == low[c // 10] < 5 or c % 10 - 1 == high[c // 10] > 3]
    return plies / (process_time() - start)


def replay_ms(run: int) -> float:
    """Milliseconds to read the record of a match of 400 plies or a little more and play it again."""
    name, plies = next(
        (name, plies)
        for i in range(1000)
        for name in [f"replay/{run}/{i}"]
        if 400 <= len(plies := random_match("classique", 2, name)) <= 420
    )
    options = CinqOptions("classique")
    text = write(Record("BENCH", "cinq", 1, "{}", 2, (0, 1), ("", ""), "", plies=tuple(Ply(s, "player", t) for s, t in plies)))
    start = process_time()
    moves = [(ply.seat, ply.notation or "") for ply in read(text).plies]
    for step in replay(RULES, options, 2, Chance(key(name)), moves):
        state = step.state
    elapsed = 1000 * (process_time() - start)
    if RULES.to_act(state):
        raise RuntimeError("the replay did not reach the end")
    return elapsed


def bot_share(mode: str, seats: int, hands: int, run: int) -> float:
    """Percent of hands that one bot wins against random players; it takes each seat in turn and k winners get 1/k each."""
    won, options = 0.0, CinqOptions(mode, limite=5)
    for hand in range(hands):
        bot, rng, chance = hand % seats, Random(f"{run}/{hand}"), Chance(key(f"{mode}/{seats}/{run}/{hand}"))
        state: Any = RULES.deal(options, seats, chance)
        while state.last_hand is None:
            seat = state.turn
            if seat == bot:
                text = bots.choose(RULES.observation(state, seat), sha256(f"{run}/{hand}/{len(state.plays)}".encode()).digest())
                move = RULES.Move.parse(text)
            else:
                move = rng.choice(RULES.legal_moves(state, seat))
            state = RULES.apply(state, seat, move, chance).state
        winners = hand_winners(tuple(cards.bit_count() for cards in state.last_hand.left))
        won += (bot in winners) / len(winners)
    return 100 * won / hands


def report(bench: str, variant: str, unit: str, measure: Callable[[int], float]) -> None:
    """Print one figure, the median of its runs."""
    value = median(measure(run) for run in range(RUNS))
    print(
        json.dumps({"bench": bench, "game": "cinq", "variant": variant, "value": round(value, 2), "unit": unit, "runs": RUNS}),
        flush=True,
    )


def main() -> None:
    """Print every figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=3000, help="hands per bot figure")
    hands = parser.parse_args().hands
    for mode, seats in VARIANTS:
        report("engine.random_play", f"{mode} {seats}p", "plies/s", partial(random_play, mode, seats))
    report("engine.random_play", "bare toy, classique 4p", "plies/s", bare_play)
    report("engine.replay", "classique 2p, 400-420 plies, read + parse + apply", "ms", replay_ms)
    for mode, seats in VARIANTS:
        report("engine.bot_share", f"{mode} {seats}p, {hands} hands", "% of hands", partial(bot_share, mode, seats, hands))


if __name__ == "__main__":
    main()
