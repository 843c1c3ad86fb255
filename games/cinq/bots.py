"""The automatic player of Cinq: a value for every legal card from the observation alone (rules 11), no search."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from games.cinq.rules import CLASSIQUE, DECK, PIVOT

TOP = DECK.width - 1
LEVELS = ("prudent", "malin")


def choose(observation: Mapping[str, Any], seed: bytes | int, level: str = "prudent") -> str:
    """A legal text for the seat that observes and is on turn; ties are broken by the seed. Raises ValueError off turn.

    Both levels play by the same value function: searching on top of it has gained nothing so far (rules 11.3).
    """
    if level not in LEVELS:
        raise ValueError(f"no such level: {level}")
    legal: list[str] = observation["legal"]
    if not legal:
        raise ValueError("this seat is not to act")
    if len(legal) == 1:
        return legal[0]
    worth = _classique if observation["mode"] == CLASSIQUE else _piegeur
    return max(legal, key=lambda text: (worth(_Suit.of(observation, text)), _lot(seed, text)))


def _lot(seed: bytes | int, text: str) -> bytes:
    return sha256(f"{seed.hex() if isinstance(seed, bytes) else seed}/{text}".encode()).digest()


class _Suit(NamedTuple):
    """A candidate card's rank index and its suit as one seat sees it, in rank indices."""

    card: int
    mine: frozenset[int]
    played: frozenset[int]

    @classmethod
    def of(cls, observation: Mapping[str, Any], text: str) -> "_Suit":
        letter = text[-1]
        played = (DECK.ranks.index(str(rank)) for rank in observation["played"][letter])
        mine = (DECK.ranks.index(held[:-1]) for held in observation["hand"] if held[-1] == letter)
        return cls(DECK.ranks.index(text[:-1]), frozenset(mine), frozenset(played))

    def ways(self) -> list[range]:
        """The rank indices beyond the card, nearest first, in each direction it opens: both for a five."""
        up, down = range(self.card + 1, TOP + 1), range(self.card - 1, -1, -1)
        return [up, down] if self.card == PIVOT else [up] if self.card > PIVOT else [down]

    def jumped(self) -> frozenset[int]:
        """The unplayed rank indices that die when the card is laid."""
        if self.card == PIVOT:
            return frozenset()
        between = range(PIVOT + 1, self.card) if self.card > PIVOT else range(self.card + 1, PIVOT)
        edge = max(self.played) if self.card > PIVOT else min(self.played)
        return frozenset(i for i in between if abs(i - PIVOT) > abs(edge - PIVOT))


def _classique(suit: _Suit) -> float:
    """Rules 11.1: open the way to one's own far cards, not to the others'."""
    value = 0.0
    for way in suit.ways():
        for distance, index in enumerate(way, 1):
            value += 1 + 0.3 * distance if index in suit.mine else -0.35
        value += 1 if not way or way[0] in suit.mine else 0.5
    return value


def _piegeur(suit: _Suit) -> float:
    """Rules 11.2: never jump one's own cards, save the endangered ones, keep those that cannot die."""
    if suit.card == PIVOT:
        ends = len(suit.mine & {0, TOP})
        return 0.4 * ends - 0.5 * (len(suit.mine) - 1 - ends) - 2
    jumped = suit.jumped()
    threats = sum(index not in suit.mine for index in suit.ways()[0])
    value = -5.0 * len(jumped & suit.mine)
    if threats:
        return value + 4 * (0.5 + 0.25 * threats)
    return value if jumped else value - 2
