"""Cards and tricks of 55: the four rankings, what may be played on a lead, who wins a trick (rules 1.5, 1.6).

A card is its number in `DECK` (spades, hearts, diamonds, clubs, ranks rising from the ace), a hand is a bit mask, a suit
is its index in `DECK.suits`. The ace of hearts is always a trump and never a heart.
"""

from __future__ import annotations

from typing import Final

from games.engine.cards import Deck

DECK: Final = Deck("PCKT", ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "V", "D", "R"))
"""Piques, coeurs, carreaux, trèfles; valet, dame, roi."""
SUITS: Final = range(4)
HEARTS: Final = 1
ACE_OF_HEARTS: Final = DECK.numbers["AC"]
TRICKS: Final = 5
PIPS_DOWN: Final = ("10", "9", "8", "7", "6", "5", "4", "3", "2")


def _is_red(suit: int) -> bool:
    return DECK.suits[suit] in "CK"


def _trump_ranking(suit: int) -> tuple[int, ...]:
    """The trumps of a suit, highest first: five, jack, ace of hearts, ace, king, queen, then red 10 ... 2, black 2 ... 10."""
    letter = DECK.suits[suit]
    pips = [rank for rank in PIPS_DOWN if rank != "5"]
    low = pips if _is_red(suit) else pips[::-1]
    ace = [] if suit == HEARTS else ["A" + letter]
    texts = ["5" + letter, "V" + letter, "AC", *ace, *(rank + letter for rank in ("R", "D", *low))]
    return tuple(DECK.numbers[text] for text in texts)


def _plain_ranking(suit: int) -> tuple[int, ...]:
    """A plain suit, highest first: king, queen, jack, then red 10 ... 2 and the ace, black ace and 2 ... 10; no ace of hearts."""
    letter = DECK.suits[suit]
    low = [*PIPS_DOWN, "A"] if _is_red(suit) else ["A", *PIPS_DOWN[::-1]]
    texts = (rank + letter for rank in ("R", "D", "V", *low))
    return tuple(card for card in (DECK.numbers[text] for text in texts) if card != ACE_OF_HEARTS)


class Trump:
    """Everything that depends on which suit is trump.

    `ranking` and `plain[suit]` list cards from the highest down; `trumps` is the set of trumps. `power[led][card]` orders
    the cards of a trick: the greater wins, 0 cannot win. `allowed[led]` may always be played on that lead; if a hand has
    none of `binding[led]`, anything may be.
    """

    __slots__ = ("allowed", "binding", "plain", "power", "ranking", "suit", "trumps")

    def __init__(self, suit: int) -> None:
        self.suit = suit
        self.ranking = _trump_ranking(suit)
        self.plain = tuple(() if other == suit else _plain_ranking(other) for other in SUITS)
        self.trumps = sum(1 << card for card in self.ranking)
        self.power = tuple(self._powers(led) for led in range(DECK.size))
        self.binding = tuple(self._binding(led) for led in range(DECK.size))
        self.allowed = tuple(self.trumps | self._binding(led) for led in range(DECK.size))

    def is_trump(self, card: int) -> bool:
        """Whether the card is a trump; the ace of hearts always is."""
        return bool(self.trumps >> card & 1)

    def legal(self, hand: int, led: int | None) -> int:
        """The cards of a hand that may be played on the card led (None: one leads oneself)."""
        if led is None or not hand & self.binding[led]:
            return hand
        return hand & self.allowed[led]

    def winner(self, cards: tuple[int, ...] | list[int]) -> int:
        """The place in the trick, in order of play, of the card that wins it."""
        power = self.power[cards[0]]
        return max(range(len(cards)), key=lambda place: power[cards[place]])

    def highest(self, cards: tuple[int, ...] | list[int]) -> int | None:
        """The highest trump among these cards, None if there is none."""
        return next((card for card in self.ranking if card in cards), None)

    def _powers(self, led: int) -> tuple[int, ...]:
        powers = [0] * DECK.size
        following = () if self.is_trump(led) else self.plain[led // DECK.width]
        for power, card in enumerate(reversed([*self.ranking, *following]), 1):
            powers[card] = power
        return tuple(powers)

    def _binding(self, led: int) -> int:
        """The cards that oblige whoever holds one of them: the suit led, or the trumps that may not be held back.

        The three highest trumps may be held back when a lower trump is led (rules 1.6).
        """
        if not self.is_trump(led):
            return sum(1 << card for card in self.plain[led // DECK.width])
        free = self.ranking[: min(3, self.ranking.index(led))]
        return self.trumps & ~sum(1 << card for card in free)


TRUMPS: Final = tuple(Trump(suit) for suit in SUITS)
