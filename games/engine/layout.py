"""What the layout games share: a Spanish deck dealt out and laid in ladders from a pivot card (rules 1, 2.1, 2.2, 3.3, 5).

Hands and the table are bit masks of card numbers; a move is a number too, of a card or of a word behind the cards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from games.engine.cards import Deck, members
from games.engine.ladders import SUITS, Ladders
from games.engine.rules import Illegal, Malformed, Place


@dataclass(frozen=True, slots=True)
class NumberedMove:
    """A move that is one of a list of texts: cards first, then words such as "pass". Each game's own class says which."""

    texts: ClassVar[tuple[str, ...]]
    numbers: ClassVar[dict[str, int]]
    number: int

    def __init_subclass__(cls) -> None:
        cls.numbers = {text: number for number, text in enumerate(cls.texts)}

    def __post_init__(self) -> None:
        if not 0 <= self.number < len(self.texts):
            raise Malformed("not_a_move", {"text": str(self.number)[:32]})

    def __str__(self) -> str:
        return self.texts[self.number]

    @classmethod
    def parse(cls, text: str) -> Self:
        """The move of a canonical text: "7O", "pass". Raises Malformed("not_a_move")."""
        number = cls.numbers.get(text)
        if number is None:
            raise Malformed("not_a_move", {"text": text[:32]})
        return cls(number)


class Layout(Ladders):
    """The ladders of one deck, with the names of its cards."""

    __slots__ = ("deck", "pivots")

    def __init__(self, deck: Deck, pivot: int, *, leaps: bool) -> None:
        super().__init__(deck.width, pivot, leaps=leaps)
        self.deck = deck
        self.pivots = tuple(suit * deck.width + pivot for suit in range(SUITS))

    def first_lead(self, hands: Sequence[int]) -> tuple[int | None, int]:
        """Opening card and starter of hand 1: the first pivot dealt, oros before coupes, épées, bâtons (rules 2.2)."""
        for pivot in self.pivots:
            for seat, hand in enumerate(hands):
                if hand >> pivot & 1:
                    return pivot, seat
        return None, 0

    def unplayable(self, table: int, card: int) -> Illegal:
        """Why a card in hand does not fit the table (rules 1.3)."""
        suit, texts = card // self.width, self.deck.cards
        ends = self.ends(table, suit)
        if ends is None:
            return Illegal("closed_suit", {"card": texts[card], "pivot": texts[self.pivots[suit]]})
        low, high = (texts[suit * self.width + end] for end in ends)
        code = "dead" if self.dead(table) >> card & 1 else "not_adjacent"
        return Illegal(code, {"card": texts[card], "low": low, "high": high})

    def seen(self, table: int) -> dict[str, Any]:
        """`ladders`: printed ranks of the ends (None: closed), and `played`: the ranks really played, suit by suit."""
        ladders: dict[str, list[int] | None] = {}
        played: dict[str, list[int]] = {}
        ranks = [int(rank) for rank in self.deck.ranks]
        for suit, letter in enumerate(self.deck.suits):
            ends = self.ends(table, suit)
            ladders[letter] = None if ends is None else [ranks[end] for end in ends]
            row = table >> suit * self.width & (1 << self.width) - 1
            played[letter] = [ranks[index] for index in members(row)]
        return {"ladders": ladders, "played": played}

    def table_of(self, played: dict[str, list[int]]) -> int:
        """The table again, from the `played` of an observation."""
        return self.deck.mask(f"{rank}{letter}" for letter, ranks in played.items() for rank in ranks)


def deal_out(deck: Sequence[int], seats: int, odd: int | None) -> tuple[int, ...]:
    """All cards to the seats, one each in turn; a card too many goes to the odd seat (rules 2.1, 10.4)."""
    even = len(deck) - len(deck) % seats
    hands = [sum([1 << card for card in deck[seat:even:seats]]) for seat in range(seats)]
    if odd is not None:
        hands[odd] |= 1 << deck[even]
    return tuple(hands)


def moved_on(seat: int | None, seats: int) -> int | None:
    """The next seat for a right that goes round: starter and odd seat of the next hand (rules 2.1, 2.2)."""
    return None if seat is None else (seat + 1) % seats


def next_live(hands: Sequence[int], dead: int, seat: int) -> int:
    """The next seat, perhaps the same, that holds a card which is not dead (rules 3.3); one of them must."""
    seats = len(hands)
    return next(other % seats for other in range(seat + 1, seat + seats + 1) if hands[other % seats] & ~dead)


def with_item(items: tuple[int, ...], place: int, item: int) -> tuple[int, ...]:
    """The same items but for one."""
    return (*items[:place], item, *items[place + 1 :])


def places(totals: Sequence[int]) -> tuple[Place, ...]:
    """Everybody for himself; the best total wins, equal totals share the rank (rules 5)."""
    return tuple(Place(seat, 1 + sum(other > total for other in totals), total) for seat, total in enumerate(totals))


def champions(totals: Sequence[int], limit: int) -> list[int]:
    """The winners after a hand: the best totals, once the best has reached the limit; [] while it has not (rules 5)."""
    best = max(totals)
    return [seat for seat, total in enumerate(totals) if total == best] if best >= limit else []


def not_your_turn(turn: int | None) -> Illegal:
    """The refusal for a seat that is not on turn; `turn` is None when the match is over."""
    return Illegal("not_your_turn", {"to_act": [] if turn is None else [turn]})


def play_texts(plays: Sequence[tuple[int, int]], texts: Sequence[str]) -> list[list[Any]]:
    """The plays of a hand as an observation has them: [seat, text]."""
    return [[seat, texts[number]] for seat, number in plays]
