"""Positions and decks in the notation of the rules document."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from games.cinq.rules import CLASSIQUE, DECK, PIVOT, CinqOptions, CinqState
from games.engine.chance import ScriptedChance


def set_table(mode: str, ladders: str) -> int:
    """`O[4..6] C[5..5]` as a mask: whole runs in classique, ends and five in piégeur."""
    table = 0
    for suit, low, high in re.findall(r"([OCEB])\[(\d+)\.\.(\d+)\]", ladders):
        first, last = DECK.ranks.index(low), DECK.ranks.index(high)
        ranks = range(first, last + 1) if mode == CLASSIQUE else (first, PIVOT, last)
        table |= DECK.mask(DECK.ranks[i] + suit for i in ranks)
    return table


@pytest.fixture(scope="session")
def position() -> Callable[..., CinqState]:
    """Build a state: hands as texts ("5O 5C"), ladders, and whatever fields differ from a later hand's."""

    def build(
        *hands: str,
        mode: str = CLASSIQUE,
        ladders: str = "",
        acts: int = 0,
        limite: int = 500,
        opening: str | None = None,
        stock: str = "",
        **fields: Any,
    ) -> CinqState:
        state = CinqState(
            options=CinqOptions(mode, limite),
            hand_no=1 if opening else 2,
            starter=acts,
            odd_seat=None,
            opening=DECK.numbers[opening] if opening else None,
            hands=tuple(DECK.mask(hand.split()) for hand in hands),
            stock=tuple(DECK.numbers[card] for card in stock.split()),
            table=set_table(mode, ladders),
            turn=acts,
            drawn=None,
            plays=(),
            totals=(0,) * len(hands),
            sheet=(),
            last_hand=None,
        )
        return state._replace(**fields)

    return build


@pytest.fixture(scope="session")
def stacked() -> Callable[..., ScriptedChance]:
    """A chance whose first deal gives these hands (texts, equally long), then this stock; later deals are canonical."""

    def build(*hands: str, stock: str = "") -> ScriptedChance:
        rows = [hand.split() for hand in hands]
        dealt = [card for turn in zip(*rows, strict=True) for card in turn]
        deck = [DECK.numbers[card] for card in dealt + stock.split()]
        deck += [card for card in range(DECK.size) if card not in deck]
        return ScriptedChance({"hand/1": deck}, canonical=True)

    return build
