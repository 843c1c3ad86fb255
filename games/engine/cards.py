"""Decks: card numbers inside, card texts at the border.

A card is its place in the canonical order of its deck: suit by suit, ranks rising. A set of cards is a bit mask.
"""

from collections.abc import Iterable


class Deck:
    """A deck of every rank in every suit, with its texts (`"10E"`: printed rank, then the letter of the suit)."""

    __slots__ = ("cards", "numbers", "ranks", "size", "suits", "width")

    def __init__(self, suits: str, ranks: tuple[str, ...]) -> None:
        self.suits = suits
        self.ranks = ranks
        self.width = len(ranks)
        self.size = len(suits) * len(ranks)
        self.cards = tuple(rank + suit for suit in suits for rank in ranks)
        self.numbers = {text: card for card, text in enumerate(self.cards)}

    def mask(self, texts: Iterable[str]) -> int:
        """The set of these card texts. Raises KeyError on a text that is no card of the deck."""
        mask = 0
        for text in texts:
            mask |= 1 << self.numbers[text]
        return mask

    def texts(self, mask: int) -> list[str]:
        """The texts of a set of cards, in canonical order."""
        return [self.cards[card] for card in members(mask)]


def members(mask: int) -> list[int]:
    """The numbers in a set, rising."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


SPANISH_40 = Deck("OCEB", ("1", "2", "3", "4", "5", "6", "7", "10", "11", "12"))
"""Oros, copas, espadas, bastos; 10, 11 and 12 are valet, cavalier and roi, and 7 and 10 are neighbours (rules 1.1)."""
