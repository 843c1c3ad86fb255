"""Twin positions of Six fous: two states that differ only in what a viewer cannot know."""

from __future__ import annotations

from random import Random

from games.engine.cards import members
from games.six_fous.rules import SixFousState


def twin(state: SixFousState, viewer: int | None, rng: Random) -> SixFousState:
    """Reshuffle the live cards that `viewer` (None: a spectator) cannot see among their owners; the opening card stays."""
    others = [seat for seat in range(len(state.hands)) if seat != viewer]
    fixed = 0 if state.opening is None else 1 << state.opening
    hidden = [card for seat in others for card in members(state.hands[seat] & ~fixed)]
    rng.shuffle(hidden)
    hands = list(state.hands)
    for seat in others:
        kept = state.hands[seat] & fixed
        hands[seat] = kept | sum(1 << hidden.pop() for _ in range((state.hands[seat] & ~fixed).bit_count()))
    return state._replace(hands=tuple(hands))
