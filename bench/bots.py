"""How well the automatic players play: `python -m bench.bots [game ...]`, one JSON line a figure.

Matches are won against a weaker kind of player: one *prudent* among players who choose at random, one *malin* among
*prudents*. The one that is measured takes each seat in turn (with sides: its whole side), a match that k sides win counts 1/k
for each, one that nobody wins counts the fair share. Playing stops when the interval (three standard errors) lies on one side
of the goal, when the time is up, or when the matches are. Times are CPU times of single decisions.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from importlib import import_module
from math import sqrt
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

import games
from games.engine.chance import Chance

LEVELS = ("prudent", "malin")
WIDTH = 3.0
"""Standard errors on each side of a share: wide, because it is looked at again and again."""
BATCH = 24
MOST_PLIES = 5000
"""Random players may never end a match of 55; then the standing counts."""


@dataclass(frozen=True)
class Contest:
    """A table that bots are measured at; `gain` is how far *malin* is to be above the fair share, in points.

    Below nothing it means: not weaker by as much.
    """

    options: Mapping[str, Any]
    seats: int
    gain: float = -3.0


CONTESTS: Mapping[str, tuple[Contest, ...]] = {
    "cinq": (
        *(Contest({"mode": "classique"}, seats) for seats in (2, 3, 4)),
        *(Contest({"mode": "piegeur"}, seats) for seats in (3, 4)),
    ),
    "six_fous": (Contest({}, 3), Contest({"jeu": 48}, 3), Contest({}, 4)),
    "cinq_rois": (Contest({}, 4, 10.0),),
    "cinquante_cinq": (Contest({}, 4, 10.0),),
    "cinq_en_ligne": (Contest({}, 2, 10.0),),
}

Player = Callable[[Any, int, bytes], str]
"""Chooses a text from the state, the seat and a seed."""


@dataclass
class Share:
    """The running share of matches won, between 0 and 1, with its interval."""

    results: list[float] = field(default_factory=list)

    @property
    def value(self) -> float:
        return sum(self.results) / len(self.results)

    @property
    def margin(self) -> float:
        """Half the interval; infinite until there is something to judge from."""
        count = len(self.results)
        if count < BATCH:
            return float("inf")
        spread = sum((result - self.value) ** 2 for result in self.results) / (count - 1)
        return WIDTH * sqrt(max(spread, 0.01) / count)

    def verdict(self, goal: float) -> str:
        """Whether the interval lies above or below the goal, or leaves it open."""
        if self.value - self.margin > goal:
            return "above"
        return "below" if self.value + self.margin < goal else "open"


class Game:
    """One game's rules and automatic players, and the time that each level takes to decide."""

    def __init__(self, key: str) -> None:
        self.key = key
        rulebook = import_module(f"games.{key}.rules").RULEBOOK
        self.rules = rulebook[max(rulebook)]
        self.bots = import_module(f"games.{key}.bots")
        self.times: dict[str, list[float]] = {level: [] for level in LEVELS}

    def bot(self, level: str) -> Player:
        """An automatic player of that level."""

        def choose(state: Any, seat: int, seed: bytes) -> str:
            seen = self.rules.observation(state, seat)
            start = process_time()
            text: str = self.bots.choose(seen, seed, level)
            self.times[level].append(1000 * (process_time() - start))
            return text

        return choose

    def at_random(self, state: Any, seat: int, seed: bytes) -> str:
        """Any move that the rules offer."""
        return str(Random(seed).choice(self.rules.legal_moves(state, seat)))

    def match(self, contest: Contest, name: str, player_of: Callable[[int], Player]) -> set[int]:
        """Play a match; the sides that have won it."""
        options = self.rules.read_options(contest.options)
        chance = Chance(sha256(name.encode()).digest())
        state = self.rules.deal(options, contest.seats, chance)
        for ply in range(MOST_PLIES):
            if not (to_act := self.rules.to_act(state)):
                break
            seat, forced = to_act[0], self.rules.forced(state)
            if forced is not None:
                seat, move = forced
            else:
                seed = sha256(f"{name}/{ply}".encode()).digest()
                move = self.rules.Move.parse(player_of(seat)(state, seat, seed))
            state = self.rules.apply(state, seat, move, chance).state
        return {place.side for place in self.rules.outcome(state) if place.rank == 1}


def results(game: Game, contest: Contest, hero: Player, others: Player) -> Iterator[float]:
    """The worth of match after match to the one that is measured: 1 won, 0 lost, a part shared."""
    sides = game.rules.sides(game.rules.read_options(contest.options), contest.seats)
    number = 0
    while True:
        side = number % sides

        def player_of(seat: int, side: int = side) -> Player:
            return hero if seat % sides == side else others

        won = game.match(contest, f"{game.key}/{sorted(contest.options.items())}/{contest.seats}/{number}", player_of)
        yield (side in won) / len(won) if won else 1 / sides
        number += 1


def measure(game: Game, contest: Contest, pairing: str, goal: float, fair: float, seconds: float, most: int) -> None:
    """Play one pairing until the goal is decided, and print its figure."""
    hero, others = (
        (game.bot("prudent"), game.at_random) if pairing == "prudent among random" else map(game.bot, ("malin", "prudent"))
    )
    share, ends = Share(), process_time() + seconds
    for result in results(game, contest, hero, others):
        share.results.append(result)
        count = len(share.results)
        if count >= most or process_time() > ends or (count % BATCH == 0 and share.verdict(goal) != "open"):
            break
    figure = {
        "bench": "bots.wins",
        "game": game.key,
        "variant": f"{contest.seats} seats{''.join(f', {name} {value}' for name, value in contest.options.items())}",
        "pairing": pairing,
        "value": round(100 * share.value, 1),
        "margin": round(100 * min(share.margin, 1.0), 1),
        "unit": "% of matches",
        "fair": round(100 * fair, 1),
        "goal": round(100 * goal, 1),
        "verdict": share.verdict(goal),
        "matches": len(share.results),
    }
    print(json.dumps(figure), flush=True)


def measure_game(key: str, seconds: float, most: int) -> None:
    """Every pairing at every table of a game, then how long its levels think."""
    game = Game(key)
    for contest in CONTESTS.get(key, ()):
        fair = 1 / game.rules.sides(game.rules.read_options(contest.options), contest.seats)
        measure(game, contest, "prudent among random", fair, fair, seconds, most)
        measure(game, contest, "malin among prudents", fair + contest.gain / 100, fair, seconds, most)
    for level, times in game.times.items():
        if times:
            figure = {"bench": "bots.time", "game": key, "level": level, "value": round(median(times), 2), "unit": "ms"}
            print(json.dumps({**figure, "worst": round(max(times), 1), "decisions": len(times)}), flush=True)


def main() -> None:
    """Print the figures of the games named, or of all that have rules and bots."""
    here = sorted(path.parent.name for path in Path(games.__file__).parent.glob("*/bots.py"))
    parser = argparse.ArgumentParser(prog="python -m bench.bots", description=__doc__)
    parser.add_argument("games", nargs="*", choices=[*here, []], help="which games; none: all")
    parser.add_argument("--seconds", type=float, default=120.0, help="CPU seconds for each pairing at most")
    parser.add_argument("--matches", type=int, default=2000, help="matches for each pairing at most")
    asked = parser.parse_args()
    for key in asked.games or here:
        measure_game(key, asked.seconds, asked.matches)


if __name__ == "__main__":
    main()
