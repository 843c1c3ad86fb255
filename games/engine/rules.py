"""What a game is to the rest of the site: the `Rules` base class, the values it hands out and the errors it raises.

A state is immutable: `apply` judges a move and returns a new one. Chance is passed in, so the same moves and the same
`Chance` always give the same states.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, Self, TypeVar

from games.engine.chance import Chance

Event = tuple[Any, ...]
"""A public fact: a word, then str, int, None or lists of them. `("played", 2, "7O")`."""


class RuleError(Exception):
    """A refusal with a stable `code` and JSON-able `params`; the display turns both into a sentence."""

    def __init__(self, code: str, params: Mapping[str, Any] | None = None) -> None:
        super().__init__(code, dict(params or {}))
        self.code = code
        self.params: dict[str, Any] = dict(params or {})


class Malformed(RuleError):
    """A text that is no move at all."""


class Illegal(RuleError):
    """A move that may not be played now; also the answer to "why not?"."""


class BadOptions(RuleError):
    """Options that do not fit the game or the number of seats."""


class Notation(Protocol):
    """What a move type must offer: `str(move)` is its one canonical text and `parse` the way back."""

    @classmethod
    def parse(cls, text: str) -> Self: ...


S = TypeVar("S")
M = TypeVar("M", bound=Notation)
O = TypeVar("O")  # noqa: E741 - the interface's own letter for options


class Step(NamedTuple, Generic[S]):
    """What a move leads to: the new state, its public events, and whether the mover's turn goes on (after a draw)."""

    state: S
    events: tuple[Event, ...]
    same_turn: bool = False


class Place(NamedTuple):
    """Where a seat stands: its side, its rank (1 = winner, ties share a rank) and its score."""

    side: int
    rank: int
    score: int


class Rules(ABC, Generic[S, M, O]):
    """One version of the rules of one game, for any table of it.

    `choices` names every option with the values it may take; the defaults stand on the fields of `Options`, a dataclass.
    """

    key: ClassVar[str]
    version: ClassVar[int]
    seats: ClassVar[range]
    choices: ClassVar[Mapping[str, Sequence[int] | Sequence[str]]]
    by_total: ClassVar[bool] = True
    """Whether the best of those who stay wins when others have left; False where one has to reach a goal to win."""
    State: type[S]
    Move: type[M]
    Options: type[O]

    @abstractmethod
    def check(self, options: O, seats: int) -> None:
        """Raise BadOptions unless a table with these options can have this many seats."""

    def sides(self, options: O, seats: int) -> int:
        """How many sides play; seat s plays for side s mod sides. Everybody for himself unless the game says otherwise."""
        return seats

    @abstractmethod
    def deal(self, options: O, seats: int, chance: Chance) -> S:
        """The state before the first ply. Raises BadOptions."""

    @abstractmethod
    def opening(self, state: S) -> tuple[Event, ...]:
        """The public events of the very first deal, from the state `deal` returned: ply 0 of the log."""

    @abstractmethod
    def to_act(self, state: S) -> tuple[int, ...]:
        """The seats that owe a move; empty when the match is over."""

    @abstractmethod
    def legal_moves(self, state: S, seat: int) -> tuple[M, ...]:
        """What this seat may play now, in canonical order; empty when it is not its turn."""

    @abstractmethod
    def apply(self, state: S, seat: int, move: M, chance: Chance) -> Step[S]:
        """Judge a move and play it. Raises Illegal; the state given is left as it was."""

    @abstractmethod
    def outcome(self, state: S) -> tuple[Place, ...]:
        """One place per seat, in seat order: final when nobody is to act, the present standing before."""

    @abstractmethod
    def observation(self, state: S, seat: int | None) -> dict[str, Any]:
        """Everything this seat (None: a spectator) may know, JSON-able."""

    @abstractmethod
    def forced(self, state: S) -> tuple[int, M] | None:
        """The seat and the move the site plays at once because the whole table can deduce it, else None (rules 5)."""

    @abstractmethod
    def why_not(self, observation: Mapping[str, Any], text: str) -> Illegal | None:
        """Why the observer cannot play this text now, None if he can. Raises Malformed."""

    def read_options(self, data: Mapping[str, Any]) -> O:
        """Plain JSON to options, defaults filled in. Raises BadOptions: unknown_option, wrong_type, out_of_range."""
        defaults = {field.name: field.default for field in fields(self.Options)}  # type: ignore[arg-type]
        if any(default is MISSING for default in defaults.values()) or defaults.keys() != self.choices.keys():
            raise TypeError(f"{self.key}: every option needs a default and its choices")
        for name, value in data.items():
            if name not in defaults:
                raise BadOptions("unknown_option", {"name": str(name)[:32]})
            if type(value) is not type(defaults[name]):
                raise BadOptions("wrong_type", {"name": name, "expected": type(defaults[name]).__name__})
            allowed = self.choices[name]
            if value not in allowed:
                raise BadOptions("out_of_range", {"name": name, **_span(allowed)})
        return self.Options(**{**defaults, **data})

    def options_json(self, options: O) -> dict[str, Any]:
        """Options as plain JSON, every name always there."""
        return {name: getattr(options, name) for name in self.choices}


def _span(allowed: Sequence[int] | Sequence[str]) -> dict[str, Any]:
    if isinstance(allowed, range):
        span = {"low": allowed[0], "high": allowed[-1]}
        return span if allowed.step == 1 else {**span, "step": allowed.step}
    return {"choices": list(allowed)}
