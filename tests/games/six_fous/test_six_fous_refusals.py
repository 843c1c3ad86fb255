"""Texts that are no moves, moves that may not be played, options that do not fit."""

from collections.abc import Callable
from typing import Any

import pytest

from games.engine.chance import ScriptedChance
from games.engine.rules import BadOptions, Illegal, Malformed
from games.six_fous.rules import RULEBOOK, TEXTS, SixFousMove, SixFousOptions, SixFousState

RULES = RULEBOOK[1]
CANONICAL = ScriptedChance({}, canonical=True)


@pytest.mark.parametrize("text", ["", "draw", "13O", "99X", "6o", "6", "O6", "06O", "6O ", " 6O", "6O\n", "Pass", "0O", "٦O"])
def test_malformed_texts(text: str) -> None:
    with pytest.raises(Malformed) as refused:
        SixFousMove.parse(text)
    assert (refused.value.code, refused.value.params) == ("not_a_move", {"text": text})


@pytest.mark.parametrize("number", [-1, 49])
def test_numbers_outside_the_moves(number: int) -> None:
    with pytest.raises(Malformed):
        SixFousMove(number)


def test_texts_round_trip() -> None:
    assert [str(SixFousMove.parse(text)) for text in TEXTS] == list(TEXTS)


REFUSALS: dict[str, tuple[dict[str, Any], str, str, dict[str, Any]]] = {
    "not in hand": ({}, "1B", "not_in_hand", {"card": "1B"}),
    "an 8 with the deck of 40": ({}, "8O", "not_in_hand", {"card": "8O"}),
    "closed": ({}, "3C", "closed_suit", {"card": "3C", "pivot": "6C"}),
    "set aside": ({}, "5O", "set_aside", {"card": "5O"}),
    "pass with a playable card": ({}, "pass", "must_play", {}),
    "opening, other card": ({"opening": "6C", "ladders": ""}, "6B", "must_open_with", {"opening": "6C"}),
    "opening, pass": ({"opening": "6C", "ladders": ""}, "pass", "must_open_with", {"opening": "6C"}),
    "somebody else's dead card": ({}, "7O", "not_in_hand", {"card": "7O"}),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_illegal_moves_and_why(name: str, position: Callable[..., SixFousState]) -> None:
    fields, text, code, params = REFUSALS[name]
    hand = "6C 6B 3C" if name.startswith("opening") else "3C 2O 5O 10O"
    state = position(hand, "1E 6E 7O", **{"ladders": "O[4..10]", **fields})
    with pytest.raises(Illegal) as refused:
        RULES.apply(state, 0, SixFousMove.parse(text), CANONICAL)
    assert (refused.value.code, refused.value.params) == (code, params)
    why = RULES.why_not(RULES.observation(state, 0), text)
    assert why is not None
    assert (why.code, why.params) == (code, params)


@pytest.mark.parametrize("seat", [1, 2, -1])
def test_out_of_turn(seat: int, position: Callable[..., SixFousState]) -> None:
    state = position("7O", "1E", ladders="O[4..6]")
    assert RULES.legal_moves(state, seat) == ()
    with pytest.raises(Illegal) as refused:
        RULES.apply(state, seat, SixFousMove.parse("7O"), CANONICAL)
    assert (refused.value.code, refused.value.params) == ("not_your_turn", {"to_act": [0]})
    for viewer in (1, None):
        why = RULES.why_not(RULES.observation(state, viewer), "7O")
        assert why is not None
        assert why.code == "not_your_turn"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"jeu": 44}, "out_of_range"),
        ({"jeu": "40"}, "wrong_type"),
        ({"jeu": True}, "wrong_type"),
        ({"limite": 19}, "out_of_range"),
        ({"limite": 501}, "out_of_range"),
        ({"mode": "piegeur"}, "unknown_option"),
    ],
)
def test_bad_options(data: dict[str, Any], code: str) -> None:
    with pytest.raises(BadOptions, match=code):
        RULES.read_options(data)


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_bad_numbers_of_seats(seats: int) -> None:
    with pytest.raises(BadOptions) as refused:
        RULES.deal(SixFousOptions(), seats, CANONICAL)
    assert (refused.value.code, refused.value.params) == ("seats", {"low": 2, "high": 4})


def test_defaults() -> None:
    assert RULES.read_options({}) == SixFousOptions(40, 100)
