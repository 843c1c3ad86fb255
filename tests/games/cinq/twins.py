"""Twin positions of Cinq: two states that differ only in what a viewer cannot know."""

from __future__ import annotations

from random import Random

from games.cinq.rules import DECK, LADDERS, CinqState
from games.engine.cards import members


def twin(state: CinqState, viewer: int | None, rng: Random) -> CinqState:
    """Reshuffle the cards that `viewer` (None: a spectator) cannot see among their places; every public count stays: hand
    sizes, dead cards of each seat, size of the stock."""
    dead_mask = LADDERS[state.options.mode].dead(state.table)
    others = [seat for seat in range(len(state.hands)) if seat != viewer]
    dead = [card for seat in others for card in members(state.hands[seat] & dead_mask)]
    live = [card for seat in others for card in members(state.hands[seat] & ~dead_mask)] + list(state.stock)
    rng.shuffle(dead)
    rng.shuffle(live)
    hands = list(state.hands)
    for seat in others:
        counts = (state.hands[seat] & dead_mask).bit_count(), (state.hands[seat] & ~dead_mask).bit_count()
        hands[seat] = sum(1 << pile.pop() for pile, count in zip((dead, live), counts, strict=True) for _ in range(count))
    assert sum(hand.bit_count() for hand in hands) + len(live) == sum(hand.bit_count() for hand in state.hands) + len(state.stock)
    assert all(card < DECK.size for card in live)
    return state._replace(hands=tuple(hands), stock=tuple(live))
