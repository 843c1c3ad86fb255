"""What a seat of 55 does not see, dealt at random in agreement with what it has seen.

Only an observation goes in. A seat that once did not follow has none of the cards that would have bound it; a declarer
holds the best of the cards he could choose from.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import shake_256
from struct import unpack
from typing import Any

from games.cinquante_cinq.exchange import KEPT
from games.cinquante_cinq.playout import GROUNDS
from games.cinquante_cinq.tricks import DECK, TRUMPS

Seen = Mapping[str, Any]
WORDS = 4096


class Lot:
    """Random numbers that depend on a seed alone."""

    __slots__ = ("_block", "_next", "_seed", "_words")

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._block = 0
        self._words: tuple[int, ...] = ()
        self._next = 0

    def shuffle(self, cards: list[int], count: int) -> list[int]:
        """The same list with its first `count` places drawn by lot."""
        if self._next + count > len(self._words):
            text = shake_256(self._seed + self._block.to_bytes(4, "big")).digest(4 * WORDS)
            self._words, self._next, self._block = unpack(f">{WORDS}I", text), 0, self._block + 1
        words, at, size = self._words, self._next, len(cards)
        self._next += count
        for place in range(count):
            other = place + (words[at + place] * (size - place) >> 32)
            cards[place], cards[other] = cards[other], cards[place]
        return cards


class Unseen:
    """The cards one seat does not see and the places they may lie in.

    `deal` gives a hand to each other seat. During the auction the kitty is what follows; later a declarer other than the
    observer gets the best of his hand and five more.
    """

    def __init__(self, seen: Seen) -> None:
        self.me: int = seen["me"]
        self.mine = [DECK.numbers[text] for text in seen["hand"]]
        shown = {DECK.numbers[text] for trick in seen["tricks"] for _, text in trick["cards"]}
        shown.update(DECK.numbers[text] for _, text in seen["trick"])
        known = shown.union(self.mine, (DECK.numbers[text] for text in seen["thrown"]))
        self.cards = [card for card in range(DECK.size) if card not in known]
        self.trump = None if seen["trump"] is None else DECK.suits.index(seen["trump"])
        self.chooser: int | None = None if self.trump is None or seen["declarer"] == self.me else seen["declarer"]
        self.missing = _missing(seen, self.trump)
        sizes = {seat: size for seat, size in enumerate(seen["hand_sizes"]) if seat != self.me}
        self.sizes = dict(sorted(sizes.items(), key=lambda item: (-self.missing[item[0]].bit_count(), item[0])))
        self.seats: int = seen["seats"]
        self.places = sum(sizes.values()) + KEPT
        self.bound = any(self.missing)

    def deal(self, lot: Lot) -> list[list[int]]:
        """One possible world: a hand for every seat (the observer's own too), and at the end five cards more."""
        deck = lot.shuffle(self.cards, len(self.cards) if self.bound else min(self.places, len(self.cards)))
        deck = deck[:]
        hands = [self.mine] * (self.seats + 1)
        for seat, size in self.sizes.items():
            wanted = size + KEPT if seat == self.chooser else size
            taken = self._take(deck, wanted, self.missing[seat])
            hands[seat] = taken if seat != self.chooser else self._best(taken, size)
        hands[self.seats] = deck[:KEPT]
        return hands

    def _take(self, deck: list[int], count: int, missing: int) -> list[int]:
        """The next cards of the deck that may lie there; if there are too few, any."""
        if not missing:
            taken = deck[:count]
            del deck[:count]
            return taken
        taken = [card for card in deck if not missing >> card & 1][:count]
        taken += [card for card in deck if card not in taken][: count - len(taken)]
        deck[:] = [card for card in deck if card not in taken]
        return taken

    def _best(self, cards: list[int], count: int) -> list[int]:
        number = GROUNDS[self.trump or 0].number
        return sorted(cards, key=number.__getitem__, reverse=True)[:count]


def _missing(seen: Seen, trump: int | None) -> list[int]:
    """For each seat the set of cards it has shown not to hold."""
    missing = [0] * seen["seats"]
    if trump is None:
        return missing
    law = TRUMPS[trump]
    for cards in [*(trick["cards"] for trick in seen["tricks"]), seen["trick"]]:
        for seat, text in cards[1:]:
            led = DECK.numbers[cards[0][1]]
            if not law.allowed[led] >> DECK.numbers[text] & 1:
                missing[seat] |= law.binding[led]
    return missing


def mask(cards: list[int]) -> int:
    """Cards as a set."""
    return sum([1 << card for card in cards])
