"""What a card of a layout is worth to the seat that holds it, from what that seat sees (rules 11): for automatic players.

All indices are places in the row of ranks that are played with, so a missing rank counts nowhere.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple, Self


def lot(seed: bytes | int, text: str) -> bytes:
    """What decides between equally good texts: the same seed always decides alike."""
    return sha256(f"{seed.hex() if isinstance(seed, bytes) else seed}/{text}".encode()).digest()


class Prospect(NamedTuple):
    """A candidate card and its suit as one seat sees it: my cards of the suit (the candidate too) and those played."""

    card: int
    mine: frozenset[int]
    played: frozenset[int]
    pivot: int
    top: int

    @classmethod
    def of(cls, observation: Mapping[str, Any], text: str, ranks: Sequence[str], pivot: int) -> Self:
        """From an observation with `hand` and `played`; `ranks` are the printed ranks in play, `pivot` an index of them."""
        letter = text[-1]
        played = (ranks.index(str(rank)) for rank in observation["played"][letter])
        mine = (ranks.index(held[:-1]) for held in observation["hand"] if held[-1] == letter)
        return cls(ranks.index(text[:-1]), frozenset(mine), frozenset(played), pivot, len(ranks) - 1)

    def ways(self) -> list[range]:
        """The indices beyond the card, nearest first, in each direction it opens: both for a pivot."""
        up, down = range(self.card + 1, self.top + 1), range(self.card - 1, -1, -1)
        return [up, down] if self.card == self.pivot else [up] if self.card > self.pivot else [down]

    def jumped(self) -> frozenset[int]:
        """The unplayed indices that die when the card is laid."""
        if self.card == self.pivot:
            return frozenset()
        between = range(self.pivot + 1, self.card) if self.card > self.pivot else range(self.card + 1, self.pivot)
        edge = max(self.played) if self.card > self.pivot else min(self.played)
        return frozenset(i for i in between if abs(i - self.pivot) > abs(edge - self.pivot))

    def step_worth(self) -> float:
        """Where only neighbours fit (rules 11.1): open the way to one's own far cards, not to the others'."""
        value = 0.0
        for way in self.ways():
            for distance, index in enumerate(way, 1):
                value += 1 + 0.3 * distance if index in self.mine else -0.35
            value += 1 if not way or way[0] in self.mine else 0.5
        return value

    def leap_worth(self) -> float:
        """Where a leap kills (rules 11.2): never leap over one's own cards, save the endangered ones, keep those that cannot
        die."""
        if self.card == self.pivot:
            ends = len(self.mine & {0, self.top})
            return 0.4 * ends - 0.5 * (len(self.mine) - 1 - ends) - 2
        jumped = self.jumped()
        threats = sum(index not in self.mine for index in self.ways()[0])
        value = -5.0 * len(jumped & self.mine)
        if threats:
            return value + 4 * (0.5 + 0.25 * threats)
        return value if jumped else value - 2
