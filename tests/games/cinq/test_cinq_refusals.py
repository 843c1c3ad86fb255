"""Texts that are no moves, moves that may not be played, options that do not fit."""

from collections.abc import Callable
from typing import Any

import pytest

from games.cinq.rules import CLASSIQUE, PIEGEUR, RULEBOOK, TEXTS, CardMove, CinqOptions, CinqState
from games.engine.chance import ScriptedChance
from games.engine.rules import BadOptions, Illegal, Malformed

RULES = RULEBOOK[1]
CANONICAL = ScriptedChance({}, canonical=True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "8O",
        "9B",
        "99X",
        "5o",
        "5",
        "O5",
        "05O",
        "5O ",
        " 5O",
        "5O\n",
        "Draw",
        "PASS",
        "0O",
        "13C",
        "٥O",
    ],
)
def test_malformed_texts(text: str) -> None:
    with pytest.raises(Malformed) as refused:
        CardMove.parse(text)
    assert (refused.value.code, refused.value.params) == ("not_a_move", {"text": text})


def test_malformed_text_is_cut() -> None:
    with pytest.raises(Malformed) as refused:
        CardMove.parse("x" * 1000)
    assert refused.value.params == {"text": "x" * 32}


@pytest.mark.parametrize("number", [-1, 42])
def test_numbers_outside_the_moves(number: int) -> None:
    with pytest.raises(Malformed):
        CardMove(number)


def test_texts_round_trip() -> None:
    assert [str(CardMove.parse(text)) for text in TEXTS] == list(TEXTS)


ENDS = {"low": "4O", "high": "6O"}
REFUSALS: dict[str, tuple[dict[str, Any], str, str, dict[str, Any]]] = {
    "not in hand": ({}, "1B", "not_in_hand", {"card": "1B"}),
    "closed": ({}, "3C", "closed_suit", {"card": "3C", "pivot": "5C"}),
    "not adjacent": ({}, "10O", "not_adjacent", {"card": "10O", **ENDS}),
    "pass with a playable card": ({}, "pass", "must_play", {}),
    "draw with a playable card": ({"stock": "1O"}, "draw", "must_play", {}),
    "opening, other card": ({"opening": "5C", "ladders": ""}, "5B", "must_open_with", {"opening": "5C"}),
    "opening, pass": ({"opening": "5C", "ladders": ""}, "pass", "must_open_with", {"opening": "5C"}),
    "dead": ({"mode": PIEGEUR, "ladders": "O[1..12]"}, "10O", "dead", {"card": "10O", "low": "1O", "high": "12O"}),
    "must draw": ({"stock": "1O", "ladders": "E[5..5]"}, "pass", "must_draw", {}),
    "closed though a draw is due": ({"stock": "1O", "ladders": "E[5..5]"}, "3C", "closed_suit", {"card": "3C", "pivot": "5C"}),
    "no stock": ({"ladders": "E[5..5]"}, "draw", "no_stock", {}),
    "second draw": ({"stock": "1O", "ladders": "E[5..5]", "drawn": 2}, "draw", "already_drawn", {}),
    "drawn card": ({"drawn": 6}, "pass", "must_play_drawn", {"card": "7O"}),
    "drawn card, second draw": ({"drawn": 6, "stock": "1O"}, "draw", "must_play_drawn", {"card": "7O"}),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_illegal_moves_and_why(name: str, position: Callable[..., CinqState]) -> None:
    fields, text, code, params = REFUSALS[name]
    hand = {"opening": "5C 5B 3C", "must draw": "3C 7O", "no stock": "3C 7O", "second draw": "3C 3O 7O"}
    cards = hand.get(name, hand["opening"] if "opening" in name else "3C 7O" if "due" in name else "3C 7O 10O")
    state = position(cards, "1E 5E", **{"ladders": "O[4..6]", **fields})
    with pytest.raises(Illegal) as refused:
        RULES.apply(state, 0, CardMove.parse(text), CANONICAL)
    assert (refused.value.code, refused.value.params) == (code, params)
    why = RULES.why_not(RULES.observation(state, 0), text)
    assert why is not None
    assert (why.code, why.params) == (code, params)


@pytest.mark.parametrize("seat", [1, 2, -1])
def test_out_of_turn(seat: int, position: Callable[..., CinqState]) -> None:
    state = position("7O", "1E", ladders="O[4..6]")
    assert RULES.legal_moves(state, seat) == ()
    with pytest.raises(Illegal) as refused:
        RULES.apply(state, seat, CardMove.parse("7O"), CANONICAL)
    assert (refused.value.code, refused.value.params) == ("not_your_turn", {"to_act": [0]})


def test_why_not_off_turn_for_a_spectator_and_for_junk(position: Callable[..., CinqState]) -> None:
    state = position("7O", "1E", ladders="O[4..6]")
    for viewer in (1, None):
        why = RULES.why_not(RULES.observation(state, viewer), "7O")
        assert why is not None
        assert (why.code, why.params) == ("not_your_turn", {"to_act": [0]})
    assert RULES.why_not(RULES.observation(state, 0), "7O") is None
    with pytest.raises(Malformed):
        RULES.why_not(RULES.observation(state, 0), "junk")


def test_a_finished_match_takes_no_move(position: Callable[..., CinqState]) -> None:
    state = position("4B", "6C 3O", ladders="B[5..12]", limite=5)
    over = RULES.apply(state, 0, CardMove.parse("4B"), CANONICAL).state
    assert RULES.forced(over) is None
    assert RULES.observation(over, 0)["finished"] is True
    with pytest.raises(Illegal, match="not_your_turn"):
        RULES.apply(over, 0, CardMove.parse("pass"), CANONICAL)


def test_options_are_filled_in() -> None:
    assert RULES.read_options({}) == CinqOptions(CLASSIQUE, 30, 10)
    assert RULES.options_json(RULES.read_options({"limite": 50})) == {"mode": "classique", "limite": 50, "cartes": 10}


@pytest.mark.parametrize(
    ("data", "code", "params"),
    [
        ({"jeu": 40}, "unknown_option", {"name": "jeu"}),
        ({"limite": "30"}, "wrong_type", {"name": "limite", "expected": "int"}),
        ({"limite": True}, "wrong_type", {"name": "limite", "expected": "int"}),
        ({"limite": None}, "wrong_type", {"name": "limite", "expected": "int"}),
        ({"limite": 4}, "out_of_range", {"name": "limite", "low": 5, "high": 500}),
        ({"limite": 501}, "out_of_range", {"name": "limite", "low": 5, "high": 500}),
        ({"cartes": 16}, "out_of_range", {"name": "cartes", "low": 10, "high": 15}),
        ({"mode": "blitz"}, "out_of_range", {"name": "mode", "choices": ["classique", "piegeur"]}),
        ({"mode": 1}, "wrong_type", {"name": "mode", "expected": "str"}),
    ],
)
def test_options_that_do_not_fit(data: dict[str, Any], code: str, params: dict[str, Any]) -> None:
    with pytest.raises(BadOptions) as refused:
        RULES.read_options(data)
    assert (refused.value.code, refused.value.params) == (code, params)


@pytest.mark.parametrize(
    ("mode", "seats", "code"),
    [
        (CLASSIQUE, 1, "seats"),
        (CLASSIQUE, 5, "seats"),
        (PIEGEUR, 5, "seats"),
        (PIEGEUR, 2, "piegeur_needs_three"),
    ],
)
def test_seats_that_do_not_fit(mode: str, seats: int, code: str) -> None:
    with pytest.raises(BadOptions) as refused:
        RULES.check(CinqOptions(mode), seats)
    assert refused.value.code == code
    with pytest.raises(BadOptions):
        RULES.deal(CinqOptions(mode), seats, CANONICAL)
