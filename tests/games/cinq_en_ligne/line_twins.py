"""Twin positions of 5inq en Ligne: two states that differ only in what a viewer cannot know."""

from __future__ import annotations

from random import Random

from games.cinq_en_ligne.rules import HAND, LineState, live_cards
from games.engine.cards import members


def twin(state: LineState, viewer: int | None, rng: Random) -> LineState:
    """Reshuffle the cards that `viewer` (None: a spectator) cannot see among hands and stock; hand sizes stay.

    A deal that would have ended a running match (four dead cards in a hand, nobody able to play) is no twin: then the state is
    given back unchanged.
    """
    if state.turn is None:
        return state
    others = [seat for seat in range(len(state.hands)) if seat != viewer]
    cards = [card for seat in others for card in members(state.hands[seat])] + list(state.stock)
    rng.shuffle(cards)
    hands = list(state.hands)
    for seat in others:
        hands[seat] = sum(1 << cards.pop() for _ in range(state.hands[seat].bit_count()))
    live = live_cards(state.free)
    over = any((hand & ~live).bit_count() == HAND for hand in hands) or not (cards or any(hand & live for hand in hands))
    return state if over else state._replace(hands=tuple(hands), stock=tuple(cards))
