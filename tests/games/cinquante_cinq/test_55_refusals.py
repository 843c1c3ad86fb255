"""Texts that are no moves, moves that may not be made, options that do not fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.cinquante_cinq.rules import DISCARD, RULEBOOK, FiftyFiveMove, FiftyFiveOptions, FiftyFiveState
from games.cinquante_cinq.tricks import DECK
from games.engine.chance import ScriptedChance
from games.engine.rules import BadOptions, Illegal, Malformed

RULES = RULEBOOK[1]
CANONICAL = ScriptedChance({}, canonical=True)
Play = Callable[..., tuple[FiftyFiveState, list[tuple[Any, ...]]]]


@pytest.mark.parametrize(
    "text",
    [
        *("", "Pass", "passe", "hold ", "5", "30", "010", "60 ", "1P", "11P", "P5", "5p", "AE", "JK", "5P\n", "٥P"),
        *("trump", "trump ", "trump E", "trump PC", "trump  P", "trump p", "P"),
        *("discard", "discard ", "discard AP 2P 3P 4P", "discard AP 2P 3P 4P 5P 6P", "discard AP AP 2P 3P 4P"),
        *("discard 2P AP 3P 4P 5P", "discard AP 2P 3P 4P 5Z", "discard  AP 2P 3P 4P 5P", "discard AP 2P 3P 4P 5P "),
    ],
)
def test_malformed_texts(text: str) -> None:
    with pytest.raises(Malformed) as refused:
        FiftyFiveMove.parse(text)
    assert (refused.value.code, refused.value.params) == ("not_a_move", {"text": text[:32]})


TEXTS = ["pass", "hold", "10", "60", "discard DP 4C 2K 3K 9T", "trump C", "AC", "10T", "discard AP 10P VP DP RP"]


@pytest.mark.parametrize("text", TEXTS)
def test_texts_round_trip(text: str) -> None:
    assert str(FiftyFiveMove.parse(text)) == text


def test_canonical_order_of_cards() -> None:
    assert DECK.cards[:13] == ("AP", "2P", "3P", "4P", "5P", "6P", "7P", "8P", "9P", "10P", "VP", "DP", "RP")
    assert [card[-1] for card in DECK.cards[::13]] == ["P", "C", "K", "T"]


def refusal(state: FiftyFiveState, seat: int, text: str) -> tuple[str, dict[str, Any]]:
    """The refusal that `apply` gives; `why_not` must give the same."""
    with pytest.raises(Illegal) as refused:
        RULES.apply(state, seat, FiftyFiveMove.parse(text), CANONICAL)
    why = RULES.why_not(RULES.observation(state, seat), text)
    assert why is not None
    assert why.args == refused.value.args
    return refused.value.code, refused.value.params


@pytest.mark.parametrize(
    ("calls", "text", "code", "params"),
    [
        ("15", "10", "must_raise", {"bid": 15}),
        ("15", "15", "must_raise", {"bid": 15}),
        ("60", "25", "must_raise", {"bid": 60}),
        ("15", "hold", "only_dealer_holds", {}),
        ("passe passe passe", "hold", "nothing_to_hold", {}),
        ("10 passe passe tient", "hold", "only_dealer_holds", {}),
        ("10 passe passe", "10", "must_raise", {"bid": 10}),
        ("15", "5T", "not_now", {"phase": "auction"}),
        ("15", "trump P", "not_now", {"phase": "auction"}),
        ("15", "discard AP 2P 3P 4P 5P", "not_now", {"phase": "auction"}),
        ("15 passe passe passe", "10", "not_now", {"phase": "discard"}),
        ("15 passe passe passe", "trump P", "not_now", {"phase": "discard"}),
    ],
)
def test_refused_calls(
    calls: str, text: str, code: str, params: dict[str, Any], bidding: Callable[..., FiftyFiveState], play: Play
) -> None:
    state, _ = play(bidding(4, 0), calls)
    assert state.turn is not None
    assert refusal(state, state.turn, text) == (code, params)


def test_refused_exchanges(bidding: Callable[..., FiftyFiveState], play: Play) -> None:
    state, _ = play(bidding(4, 0), "10 passe passe passe")
    ten = DECK.texts(state.hands[1])
    other = next(card for card in DECK.cards if card not in ten)
    cards = sorted([*ten[:4], other], key=DECK.numbers.__getitem__)
    assert state.phase == DISCARD
    assert refusal(state, 1, "discard " + " ".join(cards)) == ("not_in_hand", {"card": other})


@pytest.mark.parametrize(
    ("hand", "led", "text", "code", "params"),
    [
        ("RT 3K 5K 2P 9C", "4K", "RT", "must_follow", {"card": "RT", "led": "4K", "suit": "K", "trump": "P"}),
        ("VP 10P RC 9T 3K", "7P", "RC", "must_follow_trump", {"card": "RC", "led": "7P", "trump": "P"}),
        ("VP RC 9T 3K 2C", "AC", "RC", None, {}),
        ("10P RC 9T 3K 2C", "AC", "RC", "must_follow_trump", {"card": "RC", "led": "AC", "trump": "P"}),
        ("VP RC 9T 3K 2C", "4K", "5T", "not_in_hand", {"card": "5T"}),
        ("VP RC 9T 3K 2C", "4K", "10", "not_now", {"phase": "play"}),
    ],
)
def test_refused_cards(
    hand: str, led: str, text: str, code: str | None, params: dict[str, Any], at_tricks: Callable[..., FiftyFiveState]
) -> None:
    state = at_tricks("2T 3T 4T 6T", hand, trump="P", turn=1, plays=((0, DECK.numbers[led]),))
    if code is None:
        assert RULES.why_not(RULES.observation(state, 1), text) is None
        RULES.apply(state, 1, FiftyFiveMove.parse(text), CANONICAL)
    else:
        assert refusal(state, 1, text) == (code, params)


@pytest.mark.parametrize("seat", [0, 2, -1])
def test_out_of_turn(seat: int, bidding: Callable[..., FiftyFiveState]) -> None:
    state = bidding(3, 0)
    assert RULES.legal_moves(state, seat) == ()
    with pytest.raises(Illegal) as refused:
        RULES.apply(state, seat, FiftyFiveMove.parse("pass"), CANONICAL)
    assert (refused.value.code, refused.value.params) == ("not_your_turn", {"to_act": [1]})


def test_why_not_off_turn_for_a_spectator_and_for_junk(bidding: Callable[..., FiftyFiveState]) -> None:
    state = bidding(3, 0)
    for viewer in (0, None):
        why = RULES.why_not(RULES.observation(state, viewer), "pass")
        assert why is not None
        assert (why.code, why.params) == ("not_your_turn", {"to_act": [1]})
    with pytest.raises(Malformed):
        RULES.why_not(RULES.observation(state, 1), "junk")


def test_a_finished_match_takes_no_move(at_tricks: Callable[..., FiftyFiveState], play: Play) -> None:
    state = at_tricks("RK DK VK 10K 9K", "2K 3K 4K 5K 6K", trump="T", declarer=0, contract=25, turn=0, cible=25)
    over, events = play(state, "RK 2K DK 3K VK 4K 10K 5K 9K 6K")
    assert events[-1] == ("match", [0], 25, 4)
    assert (over.turn, RULES.to_act(over), RULES.forced(over)) == (None, (), None)
    seen = RULES.observation(over, 0)
    assert (seen["finished"], seen["phase"], seen["winner"], seen["legal"]) == (True, "over", 0, [])
    with pytest.raises(Illegal, match="not_your_turn"):
        RULES.apply(over, 0, FiftyFiveMove.parse("pass"), CANONICAL)


def test_the_winner_is_first_though_another_has_more(at_tricks: Callable[..., FiftyFiveState], play: Play) -> None:
    """Rules 1.8: the order of the tricks decides, not the totals."""
    state = at_tricks("RK DK VT 10K 2P", "2K 3K RT DT 6T", trump="C", declarer=1, contract=10, turn=0, cible=55, totals=(50, 50))
    over, _ = play(state, "RK 2K DK 3K VT RT DT 10K 6T 2P")
    assert (over.winner, over.totals) == (0, (60, 65))
    assert [place.rank for place in RULES.outcome(over)] == [1, 2]


def test_options_are_filled_in() -> None:
    assert RULES.read_options({}) == FiftyFiveOptions(55, 0, "gauche_donneur", "redonne")
    chosen = {"cible": 110, "equipes": 2, "entame": "gauche_declarant", "tous_passent": "donneur_oblige"}
    assert RULES.options_json(RULES.read_options(chosen)) == chosen


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"limite": 55}, "unknown_option"),
        ({"cible": "55"}, "wrong_type"),
        ({"cible": True}, "wrong_type"),
        ({"cible": 57}, "out_of_range"),
        ({"cible": 0}, "out_of_range"),
        ({"cible": 1005}, "out_of_range"),
        ({"equipes": 5}, "out_of_range"),
        ({"equipes": 1}, "out_of_range"),
        ({"entame": "gauche"}, "out_of_range"),
        ({"tous_passent": 1}, "wrong_type"),
    ],
)
def test_options_that_do_not_fit(data: dict[str, Any], code: str) -> None:
    with pytest.raises(BadOptions) as refused:
        RULES.read_options(data)
    assert refused.value.code == code


FITTING = {(4, 2), (6, 2), (6, 3), (8, 2), (8, 4), (9, 3)}


@pytest.mark.parametrize("seats", range(1, 11))
@pytest.mark.parametrize("sides", [0, 2, 3, 4])
def test_seats_and_sides(seats: int, sides: int) -> None:
    options, lot = FiftyFiveOptions(equipes=sides), ScriptedChance({}, canonical=True)
    if 2 <= seats <= 9 and (not sides or (seats, sides) in FITTING):
        RULES.check(options, seats)
        assert RULES.sides(options, seats) == (sides or seats)
        assert len(RULES.deal(options, seats, lot).totals) == (sides or seats)
    else:
        with pytest.raises(BadOptions) as refused:
            RULES.check(options, seats)
        assert refused.value.code == ("no_such_sides" if 2 <= seats <= 9 else "seats")
        with pytest.raises(BadOptions):
            RULES.deal(options, seats, lot)
