"""Positions in the numbers of the rules document."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from games.cinq_en_ligne.rules import SIDES, LineOptions, LineState


def squares(numbers: Iterable[int]) -> int:
    """A set of squares or cards as a mask."""
    return sum(1 << number for number in set(numbers))


@pytest.fixture(scope="session")
def line_position() -> Callable[..., LineState]:
    """Build a state: hands as texts ("92 5 40"), the squares of each side, the stock, and whatever else differs."""

    def build(
        *hands: str,
        pegs: Iterable[Iterable[int]] = (),
        acts: int = 0,
        stock: str = "88 89",
        plateau: str = "sinueux",
        equipes: int = 3,
        **fields: Any,
    ) -> LineState:
        sides = SIDES[len(hands)] or equipes
        given = [squares(numbers) for numbers in pegs]
        state = LineState(
            options=LineOptions(equipes, plateau),
            dealer=len(hands) - 1,
            dealt=(),
            hands=tuple(squares(map(int, hand.split())) for hand in hands),
            stock=tuple(map(int, stock.split())),
            pegs=tuple((*given, *(0,) * sides)[:sides]),
            turn=acts,
            plays=(),
            ending=None,
        )
        return state._replace(**fields)

    return build
