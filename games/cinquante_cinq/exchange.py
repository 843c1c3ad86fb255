"""The exchange of 55: what ten cards are worth with each trump, and the discards the site proposes.

Any five of the ten may be thrown (rules 1.4); the proposals are for automatic players and for tests. Weights are hundredths
of the points of rules 1.10.
"""

from __future__ import annotations

from typing import Final

from games.cinquante_cinq.tricks import ACE_OF_HEARTS, DECK, SUITS, TRICKS, TRUMPS, Trump
from games.engine.cards import members

KEPT: Final = TRICKS
TOP_TRUMPS: Final = {"5": 1000, "V": 900, "A": 600, "R": 550, "D": 500}
ACE_OF_HEARTS_WEIGHT: Final = 800
PLAIN: Final = {"R": 250, "D": 100}
LOWEST: Final = 30
SWAPS: Final = ((4, 5), (4, 6), (3, 5))


def _weights(trump: Trump) -> tuple[int, ...]:
    weights = [0] * DECK.size
    for cards in trump.plain:
        for place, card in enumerate(cards):
            weights[card] = PLAIN.get(DECK.cards[card][:-1], LOWEST - place)
    for place, card in enumerate(trump.ranking):
        weights[card] = TOP_TRUMPS.get(DECK.cards[card][:-1], 550 - 20 * place)
    weights[ACE_OF_HEARTS] = ACE_OF_HEARTS_WEIGHT
    return tuple(weights)


WEIGHTS: Final = tuple(_weights(trump) for trump in TRUMPS)
"""`WEIGHTS[trump][card]`: what a card is worth in the hand of a declarer."""


def best_first(cards: int, trump: int) -> list[int]:
    """The cards of a set, the most worth keeping first."""
    weights = WEIGHTS[trump]
    return sorted(members(cards), key=lambda card: (-weights[card], card))


def keep(cards: int, trump: int) -> int:
    """The five cards to keep with that trump."""
    return sum(1 << card for card in best_first(cards, trump)[:KEPT])


def worth(cards: int, trump: int) -> int:
    """The weight of the five best cards with that trump, in hundredths of a point."""
    weights = WEIGHTS[trump]
    return sum(sorted([weights[card] for card in members(cards)], reverse=True)[:KEPT])


def best_trump(cards: int) -> int:
    """The trump with which the five best cards weigh most; the first in the order of the suits among equals."""
    return max(SUITS, key=lambda trump: (worth(cards, trump), -trump))


def proposals(cards: int) -> tuple[int, ...]:
    """Discards worth thinking about, out of ten cards: for each trump the best and its neighbours, and two plain ones."""
    found = set()
    for trump in SUITS:
        order = best_first(cards, trump)
        found.add(_mask(order[KEPT:]))
        for inner, outer in SWAPS:
            found.add(_mask([*order[KEPT:outer], order[inner], *order[outer + 1 :]]))
    rising = members(cards)
    found.update((_mask(rising[:KEPT]), _mask(rising[KEPT:])))
    return tuple(sorted(found))


def _mask(cards: list[int]) -> int:
    return sum(1 << card for card in cards)
