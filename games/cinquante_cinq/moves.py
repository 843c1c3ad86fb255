"""The moves of 55 and their canonical texts: calls, `discard DP 4C 2K 3K 9T`, `trump C`, a card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

from games.cinquante_cinq.auction import CALLS, TEXTS
from games.cinquante_cinq.exchange import KEPT
from games.cinquante_cinq.tricks import DECK
from games.engine.cards import members
from games.engine.rules import Malformed

CALL: Final = "call"
DISCARD: Final = "discard"
TRUMP: Final = "trump"
CARD: Final = "card"


@dataclass(frozen=True, slots=True)
class FiftyFiveMove:
    """A move. `value` is the call, the set of cards thrown, the suit or the card, as `kind` says."""

    kind: str
    value: int

    def __str__(self) -> str:
        if self.kind == CALL:
            return TEXTS[self.value]
        if self.kind == DISCARD:
            return " ".join([DISCARD, *DECK.texts(self.value)])
        if self.kind == TRUMP:
            return f"{TRUMP} {DECK.suits[self.value]}"
        return DECK.cards[self.value]

    @classmethod
    def parse(cls, text: str) -> Self:
        """The move of a canonical text. Raises Malformed("not_a_move"), also for five discards out of canonical order."""
        move = cls._read(text)
        if move is None or str(move) != text:
            raise Malformed("not_a_move", {"text": text[:32]})
        return move

    @classmethod
    def _read(cls, text: str) -> Self | None:
        if text in CALLS:
            return cls(CALL, CALLS[text])
        if text in DECK.numbers:
            return cls(CARD, DECK.numbers[text])
        word, _, rest = text.partition(" ")
        if word == TRUMP and len(rest) == 1 and rest in DECK.suits:
            return cls(TRUMP, DECK.suits.index(rest))
        cards = rest.split(" ")
        if word == DISCARD and len(cards) == KEPT and len(set(cards)) == KEPT and all(card in DECK.numbers for card in cards):
            return cls(DISCARD, DECK.mask(cards))
        return None


CALL_MOVES: Final = {call: FiftyFiveMove(CALL, call) for call in TEXTS}
TRUMP_MOVES: Final = tuple(FiftyFiveMove(TRUMP, suit) for suit in range(len(DECK.suits)))
CARD_MOVES: Final = tuple(FiftyFiveMove(CARD, card) for card in range(DECK.size))


def card_moves(cards: int) -> tuple[FiftyFiveMove, ...]:
    """The moves that play one card of a set, in canonical order."""
    return tuple([CARD_MOVES[card] for card in members(cards)])
