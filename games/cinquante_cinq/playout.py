"""Quick play of the tricks of 55 with all hands known: what the automatic players think with.

On a `Ground` a card is numbered by how dear it is: plain cards from the lowest rank up, then the trumps by strength. So in a
bit mask the lowest bit is the cheapest card and the highest bit the strongest, and the trumps are the top bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.cinquante_cinq.tricks import DECK, TRICKS, TRUMPS, Trump
from games.engine.cards import members


class Ground:
    """The cards seen by one trump suit, renumbered: `number[card]` of the deck's card, `card[number]` the way back.

    `trumps` is the set of trumps and `first_trump` the lowest; `beats[best]` are the cards that beat the best card of a
    trick; `binding` and `allowed` are those of `Trump`, by the card led.
    """

    __slots__ = ("allowed", "beats", "binding", "card", "first_trump", "number", "trumps")

    def __init__(self, trump: Trump) -> None:
        places = {card: place for cards in trump.plain for place, card in enumerate(cards)}
        plain = sorted(places, key=lambda card: (-places[card], card))
        self.card = (*plain, *reversed(trump.ranking))
        self.number = tuple(self.card.index(card) for card in range(DECK.size))
        self.first_trump = len(plain)
        self.trumps = self.renumbered(trump.trumps)
        self.binding = tuple(self.renumbered(trump.binding[card]) for card in self.card)
        self.allowed = tuple(self.renumbered(trump.allowed[card]) for card in self.card)
        self.beats = tuple(self._beats(trump, card) for card in self.card)

    def renumbered(self, cards: int) -> int:
        """A set of cards of the deck as a set of numbers here."""
        return sum([1 << self.number[card] for card in members(cards)])

    def _beats(self, trump: Trump, best: int) -> int:
        power = trump.power[best]
        return sum(1 << number for number, card in enumerate(self.card) if power[card] > power[best])


GROUNDS: Final = tuple(Ground(trump) for trump in TRUMPS)


class Tricks:
    """A deal being played out, all numbers those of a ground. `copy` before trying a card."""

    __slots__ = ("bonus", "ground", "hands", "leader", "top", "trick", "won")

    def __init__(self, ground: Ground, hands: Sequence[int], leader: int) -> None:
        self.ground = ground
        self.hands = list(hands)
        self.leader = leader
        self.trick: list[int] = []
        self.won: list[int] = []
        self.top = ground.first_trump - 1
        self.bonus: int | None = None

    def copy(self, hands: Sequence[int]) -> Tricks:
        """The same tricks with other hidden hands."""
        other = Tricks(self.ground, hands, self.leader)
        other.trick, other.won, other.top, other.bonus = self.trick[:], self.won[:], self.top, self.bonus
        return other

    def lay(self, card: int) -> None:
        """The seat on turn plays this card of its own."""
        hands, trick = self.hands, self.trick
        seat = (self.leader + len(trick)) % len(hands)
        hands[seat] &= ~(1 << card)
        trick.append(card)
        if card > self.top:
            self.top, self.bonus = card, len(self.won)
        if len(trick) == len(hands):
            self.leader = (self.leader + self._best()[0]) % len(hands)
            self.won.append(self.leader)
            self.trick = []

    def _best(self) -> tuple[int, int]:
        """Place and number of the card that wins the trick so far."""
        beats, best, place = self.ground.beats, self.trick[0], 0
        for other, card in enumerate(self.trick):
            if beats[best] >> card & 1:
                best, place = card, other
        return place, best

    def choice(self, declarer: int, sides: int) -> int:
        """The sensible card of the seat on turn, from its own hand and the trick alone."""
        seats = len(self.hands)
        seat = (self.leader + len(self.trick)) % seats
        hand = self.hands[seat]
        if not self.trick:
            return lead(self.ground, hand, seat % sides == declarer % sides)
        place, best = self._best()
        partner = (self.leader + place - seat) % seats % sides == 0
        return follow(self.ground, hand, self.trick[0], best, last=len(self.trick) == seats - 1, partner=partner)

    def finish(self, declarer: int, sides: int) -> None:
        """Everybody plays sensibly to the end of the deal."""
        while len(self.won) < TRICKS:
            self.lay(self.choice(declarer, sides))


def lead(ground: Ground, hand: int, attacking: bool) -> int:
    """The card to lead: the declarer's side its highest, the others their highest plain card."""
    plain = hand & ~ground.trumps
    return (hand if attacking or not plain else plain).bit_length() - 1


def follow(ground: Ground, hand: int, led: int, best: int, *, last: bool, partner: bool) -> int:
    """The card to play on a lead: win when one can and the trick is not the partner's, else the cheapest.

    The last to play wins as cheaply as possible, the others as highly as the suit led allows; a ruff is cheap.
    """
    legal = hand & ground.allowed[led] if hand & ground.binding[led] else hand
    winning = legal & ground.beats[best]
    if not winning or partner:
        return (legal & -legal).bit_length() - 1
    if not last:
        suited = winning if led >= ground.first_trump else winning & ~ground.trumps
        if suited:
            return suited.bit_length() - 1
    return (winning & -winning).bit_length() - 1
