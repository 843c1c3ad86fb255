"""Positions of 55 in the notation of the rules document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.cinquante_cinq.rules import PLAY, RULEBOOK, FiftyFiveMove, FiftyFiveOptions, FiftyFiveState
from games.cinquante_cinq.tricks import DECK
from games.engine.chance import ScriptedChance
from games.engine.rules import Event

RULES = RULEBOOK[1]
FRENCH = {"passe": "pass", "tient": "hold"}


@pytest.fixture(scope="session")
def at_tricks() -> Callable[..., FiftyFiveState]:
    """Build a deal at its tricks: hands as texts ("RK 3K"), trump as a letter, and whatever fields differ."""

    def build(
        *hands: str, trump: str, declarer: int = 0, contract: int = 10, totals: tuple[int, ...] = (), **fields: Any
    ) -> FiftyFiveState:
        state = FiftyFiveState(
            options=FiftyFiveOptions(fields.pop("cible", 1000)),
            hand_no=1,
            dealer=0,
            hands=tuple(DECK.mask(hand.split()) for hand in hands),
            kitty=0,
            phase=PLAY,
            turn=1,
            calls=(),
            declarer=declarer,
            contract=contract,
            thrown=0,
            trump=DECK.suits.index(trump),
            plays=(),
            won=(),
            totals=totals or (0,) * len(hands),
            sheet=(),
            last_plays=(),
            winner=None,
        )
        return state._replace(**fields)

    return build


@pytest.fixture(scope="session")
def play() -> Callable[[FiftyFiveState, str], tuple[FiftyFiveState, list[Event]]]:
    """Play texts (French words of the rules document too) for whoever is on turn; the state and all events."""

    def run(state: FiftyFiveState, texts: str, sep: str = " ") -> tuple[FiftyFiveState, list[Event]]:
        events: list[Event] = []
        for text in texts.split(sep):
            move = FiftyFiveMove.parse(FRENCH.get(text.strip(), text.strip()))
            assert state.turn is not None
            step = RULES.apply(state, state.turn, move, ScriptedChance({}, canonical=True))
            state, events = step.state, [*events, *step.events]
        return state, events

    return run


@pytest.fixture(scope="session")
def bidding() -> Callable[..., FiftyFiveState]:
    """A fresh deal in canonical order, with `seats` and `dealer` as given, at its auction."""

    def build(seats: int, dealer: int, **options: Any) -> FiftyFiveState:
        lot = ScriptedChance({"dealer": [dealer, *(seat for seat in range(seats) if seat != dealer)]}, canonical=True)
        state: FiftyFiveState = RULES.deal(FiftyFiveOptions(**options), seats, lot)
        return state

    return build
