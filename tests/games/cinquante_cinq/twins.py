"""Twin positions of 55: two states that differ only in what a viewer cannot know."""

from __future__ import annotations

from random import Random

from games.cinquante_cinq.rules import FiftyFiveState
from games.cinquante_cinq.tricks import DECK
from games.engine.cards import members


def twin(state: FiftyFiveState, viewer: int | None, rng: Random) -> FiftyFiveState:
    """Deal the cards that `viewer` (None: a spectator) does not see anew: other hands, kitty, discards, undealt cards."""
    seen = sum(1 << card for _, card in state.plays)
    if viewer is not None:
        seen |= state.hands[viewer]
    if viewer is not None and viewer == state.declarer:
        seen |= state.thrown
    hidden = [card for card in range(DECK.size) if not seen >> card & 1]
    rng.shuffle(hidden)

    def cards(like: int) -> int:
        return sum(1 << hidden.pop() for _ in range(like.bit_count()))

    hands = tuple(hand if seat == viewer else cards(hand) for seat, hand in enumerate(state.hands))
    thrown = state.thrown if viewer is not None and viewer == state.declarer else cards(state.thrown)
    return state._replace(hands=hands, kitty=cards(state.kitty), thrown=thrown)


def places(state: FiftyFiveState) -> list[int]:
    """Every card of a deal, wherever it lies; the undealt ones are nowhere."""
    return [card for pile in (*state.hands, state.kitty, state.thrown) for card in members(pile)] + [c for _, c in state.plays]
