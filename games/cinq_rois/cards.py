"""The 116 cards of Les Cinq Rois: five suits from 3 to 13, twice, and six printed jokers (rules 2.1).

A card is its *kind*, a number: suit by suit, ranks rising, the joker last. Two copies of a card are the same kind, so a
hand is a sorted tuple of kinds in which one may stand twice.
"""

from collections.abc import Iterable
from typing import Final

SUITS: Final = "PCKTE"
RANKS: Final = range(3, 14)
WIDTH: Final = len(RANKS)
JOKER: Final = len(SUITS) * WIDTH
KINDS: Final = JOKER + 1
JOKERS: Final = 6
TEXTS: Final = (*(f"{rank}{suit}" for suit in SUITS for rank in RANKS), "JK")
NUMBERS: Final = {text: kind for kind, text in enumerate(TEXTS)}
DECK: Final = (*(kind for kind in range(JOKER) for _copy in range(2)), *(JOKER,) * JOKERS)

Hand = tuple[int, ...]


def texts(cards: Iterable[int]) -> list[str]:
    """The texts of these kinds, in the order given."""
    return [TEXTS[card] for card in cards]


def hand_of(card_texts: Iterable[str]) -> Hand:
    """The sorted hand of these texts. Raises KeyError on a text that is no card."""
    return tuple(sorted(NUMBERS[text] for text in card_texts))


def rank(card: int) -> int:
    """The rank of a kind, 0 for the joker."""
    return RANKS[card % WIDTH] if card != JOKER else 0


def without(hand: Hand, card: int) -> Hand:
    """The hand less one copy of a card. Raises ValueError if it is not there."""
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


def added(hand: Hand, card: int) -> Hand:
    """The hand with one more card, still sorted."""
    return tuple(sorted((*hand, card)))
