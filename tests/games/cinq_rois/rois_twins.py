"""Twin positions of Les Cinq Rois: two states that differ only in what a viewer cannot know."""

from __future__ import annotations

from random import Random

from games.cinq_rois.rules import RoisState


def twin(state: RoisState, viewer: int | None, rng: Random) -> RoisState:
    """Deal the cards that `viewer` (None: a spectator) cannot see anew among their places: the others' hands and the stock.

    Public stay the pile, the cards seen to be taken from it, and the hand of somebody who is out.
    """
    open_seats = {viewer, state.finisher}
    others = [seat for seat in range(len(state.hands)) if seat not in open_seats]
    if state.turn is None:
        others = []  # every hand has been laid open
    hidden = list(state.stock)
    for seat in others:
        hidden += _less(state.hands[seat], state.known[seat])
    rng.shuffle(hidden)
    hands, drawn = list(state.hands), state.drawn
    for seat in others:
        dealt = [hidden.pop() for _ in range(len(state.hands[seat]) - len(state.known[seat]))]
        hands[seat] = tuple(sorted([*state.known[seat], *dealt]))
        if seat == state.turn and drawn is not None and not state.from_pile:
            drawn = dealt[-1]
    return state._replace(hands=tuple(hands), stock=tuple(hidden), drawn=drawn)


def _less(hand: tuple[int, ...], known: tuple[int, ...]) -> list[int]:
    left = list(hand)
    for card in known:
        left.remove(card)
    return left
