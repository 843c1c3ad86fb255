"""Which games there are. A game is a folder: adding one word to GAMES switches it on.

`get(key)` loads `games.<key>.game.GAME` lazily, so the pure modules stay importable without Django.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from games.engine.rules import BadOptions

if TYPE_CHECKING:
    from types import ModuleType

    from games.engine.rules import Rules

GAMES: tuple[str, ...] = ("cinq", "six_fous", "cinq_rois", "cinquante_cinq", "cinq_en_ligne")


@dataclass(frozen=True)
class Option:
    """One table option as the new-table form offers it. The rules check it again.

    `kind` is "choice" (one of `choices`) or "number" (`low`..`high` by `step`; `choices` are the suggestions).
    `seats`: player counts for which it means something (None: all). `high_for`: seats -> the highest number that new
    tables of that count may have, where it is lower than `high`.
    """

    name: str
    label: Any
    kind: str
    default: Any
    choices: tuple[tuple[Any, Any], ...] = ()
    low: int | None = None
    high: int | None = None
    step: int = 1
    seats: tuple[int, ...] | None = None
    high_for: Mapping[int, int] = field(default_factory=dict)
    help: Any = ""


@dataclass(frozen=True)
class Game:
    """What the site needs to know of a game beside its rules.

    `title(options)` names the variant ("Cinq piégeur"); `sentence(options, seats)` tells the options in one
    plain sentence; `turns` is (low, high), the usual number of turns a player takes in a match;
    `minutes` how long a match lasts when everybody is there; `difficulty` 1..3; `leftward` tells whether
    the next seat sits at the left. `style` and `script` are static files that its table page adds ("" for none).
    `endings` names the ways a hand can end, by key; `ending(event)` tells which one a public event is, None for none.
    `keys`: what its own keys do, for the keyboard help: ("↑ ↓", sentence).
    `presets`: key -> {"name", "options"}, sets of options that the new-table form offers as one button each.
    """

    key: str
    name: Any
    pitch: Any
    seats: tuple[int, ...]
    default_seats: int
    rulebook: Mapping[int, Rules[Any, Any, Any]]
    title: Callable[[Mapping[str, Any]], Any]
    sentence: Callable[[Mapping[str, Any], int], Any]
    move_model: str
    options: tuple[Option, ...]
    turns: tuple[int, int]
    minutes: int
    difficulty: int
    leftward: bool = True
    style: str = ""
    script: str = ""
    keys: tuple[tuple[str, Any], ...] = ()
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    endings: Mapping[str, Any] = field(default_factory=dict)
    ending: Callable[[Sequence[Any]], str | None] = lambda event: None

    @property
    def version(self) -> int:
        """The rules version that new tables are opened with."""
        return max(self.rulebook)

    def rules(self, version: int) -> Rules[Any, Any, Any]:
        """The rules of one version; raises KeyError for a version that was never shipped."""
        return self.rulebook[version]

    def sides(self, options: Mapping[str, Any], seats: int) -> int:
        """How many sides people choose from when they sit; 0 where everybody plays for himself. `options` fit the rules."""
        rules = self.rules(self.version)
        sides = rules.sides(rules.read_options(options), seats)
        return sides if sides < seats else 0

    def refusal(self, options: Mapping[str, Any], seats: int) -> BadOptions | None:
        """Why no new table may have these options (plain JSON, missing ones by default) with so many seats; None: it may.

        The rules judge first, then what is offered for that count: that binds new tables only, never one that runs.
        """
        if seats not in self.seats:
            return BadOptions("seats", {"low": min(self.seats), "high": max(self.seats)})
        rules = self.rules(self.version)
        try:
            chosen = rules.read_options(options)
            rules.check(chosen, seats)
        except BadOptions as refusal:
            return refusal
        for option in self.options:
            high = option.high_for.get(seats)
            if high is not None and getattr(chosen, option.name) > high:
                return BadOptions("out_of_range", {"name": option.name, "low": option.low, "high": high, "seats": seats})
        return None

    @property
    def bots(self) -> ModuleType:
        """The pure module of automatic players: `choose(observation, seed, level) -> move text`; `level` is "prudent"
        (plays for absent people) or "malin" (the bot one plays against)."""
        return import_module(f"games.{self.key}.bots")

    @property
    def display(self) -> ModuleType:
        """The module that turns observations and events into what people read."""
        return import_module(f"games.{self.key}.display")


@cache
def get(key: str) -> Game:
    """The game of that key; raises KeyError for an unknown one."""
    if key not in GAMES:
        raise KeyError(key)
    game: Game = import_module(f"games.{key}.game").GAME
    return game


def all_games() -> tuple[Game, ...]:
    """Every registered game, in the order of GAMES."""
    return tuple(get(key) for key in GAMES)


def choices() -> list[tuple[str, Any]]:
    """Field choices; a callable, so that a new game writes no migration of the core."""
    return [(game.key, game.name) for game in all_games()]
