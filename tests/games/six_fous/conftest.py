"""Positions and decks in the notation of the rules document."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from games.engine.chance import ScriptedChance
from games.six_fous.rules import CARDS, DECK, LADDERS, SixFousOptions, SixFousState


def set_table(ladders: str) -> int:
    """`O[6..6] E[3..7]` as a mask: the ends and the six."""
    table = 0
    for suit, low, high in re.findall(r"([OCEB])\[(\d+)\.\.(\d+)\]", ladders):
        table |= DECK.mask(rank + suit for rank in (low, "6", high))
    return table


@pytest.fixture(scope="session")
def position() -> Callable[..., SixFousState]:
    """Build a state: hands as texts ("6O 6C"), ladders, and whatever fields differ from a later hand's.

    Dead cards written into a hand are set aside, as they are in play.
    """

    def build(
        *hands: str, jeu: int = 40, ladders: str = "", acts: int = 0, limite: int = 500, opening: str | None = None, **fields: Any
    ) -> SixFousState:
        table = set_table(ladders)
        masks, dead = [DECK.mask(hand.split()) for hand in hands], LADDERS.dead(table)
        state = SixFousState(
            options=SixFousOptions(jeu, limite),
            hand_no=1 if opening else 2,
            starter=acts,
            odd_seat=None,
            opening=DECK.numbers[opening] if opening else None,
            hands=tuple(mask & ~dead for mask in masks),
            aside=tuple(mask & dead for mask in masks),
            table=table,
            turn=acts,
            plays=(),
            totals=(0,) * len(hands),
            sheet=(),
            last_hand=None,
        )
        return state._replace(**fields)

    return build


@pytest.fixture(scope="session")
def golden() -> Callable[[int, str], ScriptedChance]:
    """The deal without randomness of rules 10.4, for hand 1 or 2; the odd seat of three is 2."""

    def build(jeu: int, label: str = "hand/1") -> ScriptedChance:
        count = len(CARDS[jeu])
        order = sorted(range(count), key=lambda index: 37 * (index + 1) % 101)
        return ScriptedChance({label: order, "odd": [2, 0, 1]}, canonical=True)

    return build
