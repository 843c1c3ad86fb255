"""Refused moves, each with its reason, and options and seats that do not fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.cinq_rois.rules import RULEBOOK, RoisMove, RoisOptions, RoisState
from games.engine.chance import Chance, ScriptedChance
from games.engine.rules import BadOptions, Illegal, Malformed

RULES = RULEBOOK[1]
CANONICAL = ScriptedChance({}, canonical=True)
LAST = RoisOptions(fin_manche="dernier_tour")

REFUSALS: dict[str, tuple[dict[str, Any], str, str, dict[str, Any]]] = {
    "discard before the draw": ({}, "discard 8C", "draw_first", {}),
    "out before the draw": ({}, "out 8C", "draw_first", {}),
    "second draw": ({"drawn": "8C"}, "stock", "already_drawn", {}),
    "the pile after the stock": ({"drawn": "8C"}, "pile", "already_drawn", {}),
    "a card of another": ({"drawn": "8C"}, "discard 3C", "not_in_hand", {"card": "3C"}),
    "out with a card of another": ({"drawn": "8C"}, "out JK", "not_in_hand", {"card": "JK"}),
    "a hand that is not laid": ({"drawn": "8C"}, "out 8C", "not_all_laid", {"card": "8C", "left": ["9P", "9C", "12T"]}),
    "out in a last turn": ({"drawn": "8C", "finisher": 1, "options": LAST}, "out 8C", "last_turn", {}),
    "no stock": ({"stock": ""}, "stock", "no_stock", {}),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_illegal_moves_and_why(name: str, position: Callable[..., RoisState]) -> None:
    fields, text, code, params = REFUSALS[name]
    state = position("8C 9C 9P 12T", "3C 4C 6E", rank=3, **fields)
    with pytest.raises(Illegal) as refused:
        RULES.apply(state, 0, RoisMove.parse(text), CANONICAL)
    assert (refused.value.code, refused.value.params) == (code, params)
    why = RULES.why_not(RULES.observation(state, 0), text)
    assert why is not None
    assert (why.code, why.params) == (code, params)


@pytest.mark.parametrize("seat", [1, 2, -1])
def test_out_of_turn(seat: int, position: Callable[..., RoisState]) -> None:
    state = position("8C 9C 12T", "3C 4C 6E", rank=3)
    assert RULES.legal_moves(state, seat) == ()
    with pytest.raises(Illegal) as refused:
        RULES.apply(state, seat, RoisMove.parse("stock"), CANONICAL)
    assert (refused.value.code, refused.value.params) == ("not_your_turn", {"to_act": [0]})


def test_why_not_off_turn_for_a_spectator_and_for_junk(position: Callable[..., RoisState]) -> None:
    state = position("8C 9C 12T", "3C 4C 6E", rank=3)
    for viewer in (1, None):
        why = RULES.why_not(RULES.observation(state, viewer), "stock")
        assert why is not None
        assert (why.code, why.params) == ("not_your_turn", {"to_act": [0]})
    assert RULES.why_not(RULES.observation(state, 0), "stock") is None
    for junk in ("discard", "discard 14C", "out", "out jk", "8C", "pioche", "discard 8C 9C", "DISCARD 8C", "discard  8C"):
        with pytest.raises(Malformed):
            RULES.why_not(RULES.observation(state, 0), junk)
    with pytest.raises(Malformed):
        RoisMove(2000)


def test_a_finished_match_takes_no_move(position: Callable[..., RoisState]) -> None:
    over = position("8C 9C 12T", "3C 4C 6E", rank=13, turn=None)
    assert RULES.forced(over) is None
    assert RULES.observation(over, 0)["finished"] is True
    assert RULES.observation(over, 0)["legal"] == []
    with pytest.raises(Illegal, match="not_your_turn"):
        RULES.apply(over, 0, RoisMove.parse("stock"), CANONICAL)


def test_options_are_filled_in() -> None:
    assert RULES.read_options({}) == RoisOptions("couleurs_differentes", "immediat", "maison", "toujours")
    official = {"brelan": "libre", "fin_manche": "dernier_tour", "bareme": "officiel", "jokers": "toujours"}
    assert RULES.options_json(RULES.read_options(official)) == official


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"brelan": 5}, "wrong_type"),
        ({"brelan": "x"}, "out_of_range"),
        ({"jokers": ""}, "out_of_range"),
        ({"mode": "x"}, "unknown_option"),
    ],
)
def test_options_that_do_not_fit(data: dict[str, Any], code: str) -> None:
    with pytest.raises(BadOptions) as refused:
        RULES.read_options(data)
    assert refused.value.code == code


@pytest.mark.parametrize("seats", [0, 1, 7])
def test_seats_that_do_not_fit(seats: int) -> None:
    with pytest.raises(BadOptions) as refused:
        RULES.deal(RoisOptions(), seats, Chance(bytes(32)))
    assert (refused.value.code, refused.value.params) == ("seats", {"low": 2, "high": 6})
