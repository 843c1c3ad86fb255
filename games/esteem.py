"""What a higher app tells the games of people: how strong they are and how punctual. Nothing is known until one does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

NEWCOMER = 1500
"""The cote of somebody of whom nothing is known."""


class Cote(NamedTuple):
    """A rating as people read it: 1520 ± 80."""

    points: int
    margin: int


@dataclass(slots=True)
class Source:
    """Who knows: `cotes` of (user id, game) pairs, `punctuality` of user ids (share of the last turns played in time).
    Both leave out whom they do not know."""

    cotes: Callable[[Iterable[tuple[int, str]]], Mapping[tuple[int, str], Cote]] = lambda pairs: {}
    punctuality: Callable[[Iterable[int]], Mapping[int, float]] = lambda users: {}


source = Source()
