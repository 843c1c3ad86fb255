"""Playing the rest of a hand out, over and over, with the hidden cards dealt anew each time: for bots of leaping layouts.

Rules 11.3 found that flat playouts gain nothing. What they lacked is counted here: a pass proves that its player held none of
the cards that fitted then, so he gets none of them in any deal.
"""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from games.engine.cards import members
from games.engine.chance import Chance
from games.engine.ladders import SUITS
from games.engine.layout import Layout, next_live

WORLDS = 60
"""Deals of the hidden cards that every candidate is played out in."""
TRIES = 8
"""Attempts to deal the hidden cards so that every pass is explained; then one that does not mind."""


class View(NamedTuple):
    """What one seat knows of a hand: its live cards, the table and the live cards it does not see, as masks.

    `sizes` are the live cards of each seat, `plays` the (seat, number) of this hand; numbers behind the cards are passes.
    """

    me: int
    table: int
    mine: int
    hidden: int
    sizes: Sequence[int]
    plays: Sequence[tuple[int, int]]


class Foresight:
    """Playouts on bit masks, for a layout that leaps and the set of cards that are played with."""

    def __init__(self, layout: Layout, deck: int) -> None:
        self._layout = layout
        self._deck = deck
        width = layout.width
        self._rows = [((1 << width) - 1) << suit * width for suit in range(SUITS)]
        self._beyond, self._between = [], []
        for card in range(SUITS * width):
            row, pivot = self._rows[card // width], 1 << layout.pivots[card // width]
            above, below = row & ~((2 << card) - 1), row & ((1 << card) - 1)
            high = 1 << card > pivot
            self._beyond.append(deck & (above if high else below))
            self._between.append(deck & (below & ~(2 * pivot - 1) if high else above & (pivot - 1)))
        self._undying = deck & sum(1 << suit * width | 1 << suit * width + width - 1 for suit in range(SUITS))
        self._pivots = sum(1 << card for card in layout.pivots)

    def choose(self, hand: int, table: int, fits: int) -> int:
        """The card, as a bit, that the value of rules 11.2 prefers among those of the hand that fit."""
        live = self._deck & ~table & ~self._layout.dead(table)
        best, choice, rest = -1e9, 0, fits
        while rest:
            bit = rest & -rest
            rest ^= bit
            value = self._worth(bit, hand, live)
            if value > best:
                best, choice = value, bit
        return choice

    def _worth(self, bit: int, hand: int, live: int) -> float:
        """The same value as `Prospect.leap_worth`."""
        card = bit.bit_length() - 1
        if bit & self._pivots:
            mine = hand & self._rows[card // self._layout.width]
            ends = (mine & self._undying).bit_count()
            return 0.4 * ends - 0.5 * (mine.bit_count() - 1 - ends) - 2
        between = self._between[card]
        threats = (self._beyond[card] & ~hand).bit_count()
        value = -5.0 * (between & hand).bit_count()
        if threats:
            return value + 2 + threats
        return value if between & live else value - 2

    def play_out(self, hands: Sequence[int], table: int, seat: int, card: int) -> list[int]:
        """How many cards each seat still places when `seat` lays `card` (a bit) and everybody goes on by `choose`."""
        layout, live = self._layout, list(hands)
        placed = [0] * len(live)
        while True:
            if card:
                table |= card
                live[seat] ^= card
                placed[seat] += 1
                kept = ~layout.dead(table)
                live = [hand & kept for hand in live]
                if not any(live):
                    return placed
            seat = next_live(live, 0, seat)
            fits = live[seat] & layout.playable(table)
            card = self.choose(live[seat], table, fits) if fits & (fits - 1) else fits

    def ruled_out(self, plays: Sequence[tuple[int, int]], seats: int) -> list[int]:
        """The cards that each seat cannot hold, by its passes in this hand; numbers behind the cards are passes."""
        table, proved = 0, [0] * seats
        for seat, number in plays:
            if number < len(self._beyond):
                table |= 1 << number
            else:
                proved[seat] |= self._layout.playable(table)
        return proved

    def deal(self, hidden: int, sizes: Mapping[int, int], proved: Sequence[int], chance: Chance, label: str) -> dict[int, int]:
        """The hidden live cards to the seats that hold them, as many as `sizes` says, no card where it is ruled out."""
        cards = sorted(members(hidden), key=lambda card: -sum(proved[seat] >> card & 1 for seat in sizes))
        places = [seat for seat, size in sizes.items() for _ in range(size)]
        for attempt in range(TRIES + 1):
            free = list(chance.shuffle(f"{label}/{attempt}", places))
            hands = dict.fromkeys(sizes, 0)
            for card in cards:
                at = next((at for at, seat in enumerate(free) if attempt == TRIES or not proved[seat] >> card & 1), None)
                if at is None:
                    break
                hands[free.pop(at)] |= 1 << card
            else:
                return hands
        raise ValueError("there are more hidden cards than places")

    def best(self, ranked: Sequence[int], view: View, key: bytes, judge: Callable[[list[int]], float]) -> int:
        """The card (a bit) of `ranked` that leads to the most on average, by `judge` of what each seat still places.

        Among equals the first one; `key` seeds the deals, so the same view and key give the same card.
        """
        chance, worlds = Chance(sha256(key).digest()), []
        proved = self.ruled_out(view.plays, len(view.sizes))
        sizes = {seat: size for seat, size in enumerate(view.sizes) if seat != view.me}
        for number in range(WORLDS):
            hands = self.deal(view.hidden, sizes, proved, chance, str(number))
            worlds.append([view.mine if seat == view.me else hands[seat] for seat in range(len(view.sizes))])
        return max(ranked, key=lambda card: sum(judge(self.play_out(hands, view.table, view.me, card)) for hands in worlds))
