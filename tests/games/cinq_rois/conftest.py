"""Positions and decks of Les Cinq Rois in the notation of the rules document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.cinq_rois.cards import DECK, NUMBERS, hand_of
from games.cinq_rois.rules import RoisOptions, RoisState
from games.engine.chance import ScriptedChance


def kinds(text: str) -> tuple[int, ...]:
    """The kinds of "8C JK", in the order given."""
    return tuple(NUMBERS[card] for card in text.split())


@pytest.fixture(scope="session")
def position() -> Callable[..., RoisState]:
    """Build a state: hands as texts ("5C 6C"), the wild rank, stock, pile (top last), and whatever fields differ."""

    def build(
        *hands: str,
        rank: int = 5,
        stock: str = "3E 4E",
        pile: str = "13T",
        acts: int = 0,
        drawn: str | None = None,
        options: RoisOptions | None = None,
        **fields: Any,
    ) -> RoisState:
        seats = len(hands)
        state = RoisState(
            options=options or RoisOptions(),
            hand_no=rank - 2,
            dealer=(acts - 1) % seats,
            hands=tuple(hand_of(hand.split()) for hand in hands),
            stock=kinds(stock),
            pile=kinds(pile),
            known=((),) * seats,
            turn=acts,
            drawn=None if drawn is None else NUMBERS[drawn],
            from_pile=False,
            turns=0,
            reshuffles=0,
            finisher=None,
            totals=(0,) * seats,
            sheet=(),
            last_hand=None,
        )
        return state._replace(**fields)

    return build


@pytest.fixture(scope="session")
def stacked() -> Callable[..., ScriptedChance]:
    """A chance whose first dealer is seat `dealer` and whose first round deals these hands, this first discard, this stock."""

    def build(*hands: str, up: str, stock: str = "", dealer: int = 0, **more: Any) -> ScriptedChance:
        rows = [hand.split() for hand in hands]
        wanted = [NUMBERS[card] for turn in zip(*rows, strict=True) for card in turn]
        wanted += [NUMBERS[card] for card in [up, *stock.split()]]
        places = list(range(len(DECK)))
        order = []
        for card in wanted:
            place = next(place for place in places if DECK[place] == card)
            places.remove(place)
            order.append(place)
        seats = [dealer, *(seat for seat in range(len(hands)) if seat != dealer)]
        return ScriptedChance({"dealer": seats, "hand/1": order + places, **more}, canonical=True)

    return build
