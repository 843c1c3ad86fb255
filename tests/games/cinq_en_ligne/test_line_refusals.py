"""Texts that are no moves, moves that may not be played, and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.cinq_en_ligne.rules import RULEBOOK, TEXTS, LineMove, LineState
from games.engine.chance import ScriptedChance
from games.engine.rules import Illegal, Malformed

RULES = RULEBOOK[1]
CANONICAL = ScriptedChance({}, canonical=True)
Position = Callable[..., LineState]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "58",
        "58@",
        "@63",
        "58@100",
        "100@3",
        "058@63",
        "58@063",
        "58 @63",
        "58@63 ",
        "58@63\n",
        "58@-1",
        "-1@5",
        "٥@63",
        "5@٦",
        "58-63",
        "Draw",
        "PASS",
        "58@63@7",
    ],
)
def test_malformed_texts(text: str) -> None:
    with pytest.raises(Malformed) as refused:
        LineMove.parse(text)
    assert (refused.value.code, refused.value.params) == ("not_a_move", {"text": text})


@pytest.mark.parametrize("number", [-1, 10_002])
def test_numbers_outside_the_moves(number: int) -> None:
    with pytest.raises(Malformed):
        LineMove(number)


def test_texts_round_trip() -> None:
    assert [str(LineMove.parse(text)) for text in TEXTS] == list(TEXTS)
    assert len(TEXTS) == 10_002


RIM = ([91, 93, 95, 97, 99], [92, 94, 96, 98])
REFUSALS: dict[str, tuple[str, dict[str, Any], str, str, dict[str, Any]]] = {
    "not in hand": ("5 40 92", {}, "6@50", "not_in_hand", {"card": 6}),
    "taken": ("5 40", {"pegs": ([50], [60])}, "5@60", "square_taken", {"square": 60}),
    "taken and too low": ("70 40", {"pegs": ([50], [60])}, "70@60", "square_taken", {"square": 60}),
    "too low": ("5 40", {}, "40@39", "square_too_low", {"card": 40, "square": 39}),
    "dead": ("5 95", {"pegs": RIM}, "95@50", "dead_card", {"card": 95, "highest": 90}),
    "draw with four": ("5 40 50 60", {}, "draw", "full_hand", {}),
    "draw with four and no stock": ("5 40 50 60", {"stock": ""}, "draw", "full_hand", {}),
    "draw without stock": ("5 40 50", {"stock": ""}, "draw", "no_stock", {}),
    "pass with four": ("5 40 50 60", {}, "pass", "must_play", {}),
    "pass with a choice": ("5 40", {}, "pass", "play_or_draw", {}),
    "pass instead of drawing": ("95 96", {"pegs": RIM}, "pass", "must_draw", {}),
    "pass with an empty hand": ("", {}, "pass", "must_draw", {}),
    "pass without stock": ("5 95", {"pegs": RIM, "stock": ""}, "pass", "must_play", {}),
    "dead when the pass is due": ("95 96", {"pegs": RIM, "stock": ""}, "95@98", "dead_card", {"card": 95, "highest": 90}),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_illegal_moves_and_why(name: str, line_position: Position) -> None:
    hand, fields, text, code, params = REFUSALS[name]
    state = line_position(hand, "1 2 3", **fields)
    with pytest.raises(Illegal) as refused:
        RULES.apply(state, 0, LineMove.parse(text), CANONICAL)
    assert (refused.value.code, refused.value.params) == (code, params)
    why = RULES.why_not(RULES.observation(state, 0), text)
    assert why is not None
    assert (why.code, why.params) == (code, params)


@pytest.mark.parametrize("seat", [1, 2, -1])
def test_out_of_turn(seat: int, line_position: Position) -> None:
    state = line_position("5 6", "1 2 3")
    assert RULES.legal_moves(state, seat) == ()
    with pytest.raises(Illegal) as refused:
        RULES.apply(state, seat, LineMove.parse("5@7"), CANONICAL)
    assert (refused.value.code, refused.value.params) == ("not_your_turn", {"to_act": [0]})


def test_why_not_off_turn_and_for_junk(line_position: Position) -> None:
    state = line_position("5 6", "1 2 3")
    for viewer in (1, None):
        why = RULES.why_not(RULES.observation(state, viewer), "1@7")
        assert why is not None and why.code == "not_your_turn"
    assert RULES.why_not(RULES.observation(state, 0), "5@7") is None
    with pytest.raises(Malformed):
        RULES.why_not(RULES.observation(state, 0), "junk")


def test_a_finished_match_takes_no_move(line_position: Position) -> None:
    over = RULES.apply(line_position("", "50", stock="", acts=1), 1, LineMove.parse("50@50"), CANONICAL).state
    assert over.ending == "blocked"
    assert RULES.forced(over) is None and RULES.to_act(over) == ()
    assert RULES.observation(over, 0)["finished"] is True
    with pytest.raises(Illegal, match="not_your_turn"):
        RULES.apply(over, 0, LineMove.parse("pass"), CANONICAL)
