"""Plus haut, a toy: everybody holds three numbers; each round everybody plays one, the highest takes a point; three rounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from games.engine.chance import Chance
from games.engine.rules import Event, Illegal, Malformed, Place, Rules, Step

CARDS = 12


@dataclass(frozen=True, slots=True)
class ToyOptions:
    """`points` is what a round is worth."""

    points: int = 1


@dataclass(frozen=True, slots=True)
class ToyCard:
    """A move: the number laid."""

    number: int

    def __str__(self) -> str:
        return str(self.number)

    @classmethod
    def parse(cls, text: str) -> Self:
        """The canonical text only. Raises Malformed."""
        if text not in {str(number) for number in range(CARDS)}:
            raise Malformed("not_a_move", {"text": text[:32]})
        return cls(int(text))


class ToyState(NamedTuple):
    """Hands sorted, what lies on the table in this round as (seat, number), points."""

    points: int
    hands: tuple[tuple[int, ...], ...]
    table: tuple[tuple[int, int], ...]
    scores: tuple[int, ...]
    turn: int | None


class Toy(Rules[ToyState, ToyCard, ToyOptions]):
    """The rules of the toy game."""

    key = "toy"
    version = 1
    seats = range(2, 5)
    State, Move, Options = ToyState, ToyCard, ToyOptions
    choices: Mapping[str, Any] = {"points": range(1, 4)}

    def check(self, options: ToyOptions, seats: int) -> None:
        assert seats in self.seats

    def deal(self, options: ToyOptions, seats: int, chance: Chance) -> ToyState:
        order = chance.shuffle("hand/1", CARDS)
        hands = tuple(tuple(sorted(order[seat : 3 * seats : seats])) for seat in range(seats))
        return ToyState(options.points, hands, (), (0,) * seats, 0)

    def opening(self, state: ToyState) -> tuple[Event, ...]:
        return (("deal", 1),)

    def to_act(self, state: ToyState) -> tuple[int, ...]:
        return () if state.turn is None else (state.turn,)

    def legal_moves(self, state: ToyState, seat: int) -> tuple[ToyCard, ...]:
        return tuple(ToyCard(number) for number in state.hands[seat]) if seat == state.turn else ()

    def apply(self, state: ToyState, seat: int, move: ToyCard, chance: Chance) -> Step[ToyState]:
        if seat != state.turn:
            raise Illegal("not_your_turn", {"to_act": list(self.to_act(state))})
        if move.number not in state.hands[seat]:
            raise Illegal("not_in_hand", {"card": str(move)})
        hands = tuple(tuple(n for n in hand if n != move.number) for hand in state.hands)
        table = (*state.table, (seat, move.number))
        played: Event = ("played", seat, str(move))
        seats = len(hands)
        if len(table) < seats:
            return Step(state._replace(hands=hands, table=table, turn=(seat + 1) % seats), (played,))
        winner = max(table, key=lambda laid: laid[1])[0]
        scores = tuple(score + (state.points if s == winner else 0) for s, score in enumerate(state.scores))
        turn = winner if hands[0] else None
        return Step(ToyState(state.points, hands, (), scores, turn), (played, ("round", winner)))

    def outcome(self, state: ToyState) -> tuple[Place, ...]:
        return tuple(
            Place(seat, 1 + sum(other > score for other in state.scores), score) for seat, score in enumerate(state.scores)
        )

    def observation(self, state: ToyState, seat: int | None) -> dict[str, Any]:
        mine = () if seat is None else state.hands[seat]
        return {
            "me": seat,
            "hand": [str(number) for number in mine],
            "hand_sizes": [len(hand) for hand in state.hands],
            "to_act": list(self.to_act(state)),
            "scores": list(state.scores),
            "hand_number": 1,
            "legal": [str(move) for move in self.legal_moves(state, seat)] if seat is not None else [],
            "table": [[s, str(number)] for s, number in state.table],
        }

    def forced(self, state: ToyState) -> tuple[int, ToyCard] | None:
        if state.turn is None or len(state.hands[state.turn]) != 1:
            return None
        return state.turn, ToyCard(state.hands[state.turn][0])

    def why_not(self, observation: Mapping[str, Any], text: str) -> Illegal | None:
        return None if str(ToyCard.parse(text)) in observation["legal"] else Illegal("not_your_turn")


RULEBOOK: dict[int, Rules[Any, Any, Any]] = {1: Toy()}
