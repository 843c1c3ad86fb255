"""The worked positions and golden hands of the rules, section 10."""

from collections.abc import Callable
from typing import Any

import pytest

from games.cinq.rules import DECK, PIEGEUR, RULEBOOK, CardMove, CinqOptions, CinqState, hand_scores
from games.engine.chance import Chance, ScriptedChance

RULES = RULEBOOK[1]
CANONICAL = ScriptedChance({}, canonical=True)
Position = Callable[..., CinqState]


def legal(state: CinqState) -> str:
    assert state.turn is not None
    return " ".join(map(str, RULES.legal_moves(state, state.turn)))


def play(state: CinqState, text: str) -> CinqState:
    assert state.turn is not None
    after: CinqState = RULES.apply(state, state.turn, CardMove.parse(text), CANONICAL).state
    return after


def test_k1_opening_card(position: Position) -> None:
    state = position("5O 5C 4O 1B", "5E", "5B", "6O", opening="5O")
    assert legal(state) == "5O"
    after = play(state, "5O")
    assert RULES.observation(after, None)["ladders"] == {"O": [5, 5], "C": None, "E": None, "B": None}
    assert (after.turn, legal(after), after.opening) == (1, "5E", None)


def test_k2_any_five_in_a_later_hand(position: Position) -> None:
    assert legal(position("6O", "5C 5B 4C 12E", "7O", "10O", acts=1)) == "5C 5B"


def test_k3_starter_without_a_five(position: Position) -> None:
    state = position("4O 6O 12C", "5E 7E", "5O 5C", "5B")
    assert legal(state) == "pass"
    state = play(state, "pass")
    assert (state.turn, legal(state)) == (1, "5E")
    for text in ("5E", "5O", "5B"):
        state = play(state, text)
    assert (state.hand_no, state.starter, state.turn) == (3, 1, 1)


def test_k4_and_k6_neighbours_only(position: Position) -> None:
    state = position("3O 7O 10O 3C 6C 5E 6E 11B 12B", "1O", "2O", "1C", ladders="O[4..6] C[5..5] B[1..10]")
    assert legal(state) == "3O 7O 6C 5E 11B"
    state = position("3O 7O 4C 12E", "4O 5C", "1B", "2B", ladders="O[5..5]")
    assert legal(state) == "pass"
    assert legal(play(state, "pass")) == "4O 5C"


def test_k7_end_of_a_hand(position: Position) -> None:
    state = position("1B", "1C 2C 5E", "10C 11C 12C 6B", "7B 10B 11B 12B 4E 6E", ladders="O[1..12] C[3..7] B[2..5]")
    assert legal(state) == "1B"
    step = RULES.apply(state, 0, CardMove.parse("1B"), CANONICAL)
    assert step.events[:2] == (
        ("played", 0, "1B"),
        (
            "hand",
            2,
            [18, 0, 0, 0],
            [18, 0, 0, 0],
            [[], ["1C", "2C", "5E"], ["10C", "11C", "12C", "6B"], ["4E", "6E", "7B", "10B", "11B", "12B"]],
            [0],
        ),
    )
    assert step.events[2:] == (("deal", 3, 1, None, [10, 10, 10, 10], 0),)


def test_k8_a_playable_drawn_card_must_be_played(position: Position) -> None:
    state = position("4C 7O 12E", "4O 1B", ladders="O[5..5]", stock="6O 5C")
    assert legal(state) == "draw"
    step = RULES.apply(state, 0, CardMove.parse("draw"), CANONICAL)
    assert (step.same_turn, step.events) == (True, (("drew", 0),))
    assert legal(step.state) == "6O"
    assert RULES.forced(step.state) == (0, CardMove.parse("6O"))
    after = play(step.state, "6O")
    assert (after.turn, RULES.observation(after, None)["hand_sizes"], len(after.stock)) == (1, [3, 2], 1)


def test_an_unplayable_drawn_card_ends_in_a_pass(position: Position) -> None:
    state = play(position("4C 7O 12E", "4O 1B", ladders="O[5..5]", stock="1O 5C"), "draw")
    assert (legal(state), state.turn) == ("pass", 0)
    state = play(state, "pass")
    assert (state.turn, state.drawn) == (1, None)


def test_k10_empty_stock(position: Position) -> None:
    assert legal(position("3O 7O 12C", "1B", ladders="O[5..5] C[5..5]")) == "pass"


def test_k11_five_of_oros_in_the_stock(stacked: Callable[..., ScriptedChance]) -> None:
    chance = stacked("1O 5B 6C 1C 2C 3C 4C 1E 2E 3E", "5C 5E 2B 1B 3B 4B 6B 7B 10B 11B")
    state = RULES.deal(CinqOptions(), 2, chance)
    assert (state.starter, state.turn, legal(state)) == (1, 1, "5C")
    assert RULES.observation(state, state.turn)["opening_card"] == "5C"
    assert RULES.observation(state, None)["opening_card"] is None, "a card of a hand, not a public fact"


def test_every_five_in_the_stock(stacked: Callable[..., ScriptedChance]) -> None:
    chance = stacked("1O 2O 3O 4O 6O 7O 10O 11O 12O 1C", "2C 3C 4C 6C 7C 10C 11C 12C 1E 2E", stock="3E 5O")
    state = RULES.deal(CinqOptions(), 2, chance)
    assert (state.starter, state.opening, legal(state)) == (0, None, "draw")
    for text in ("draw", "pass", "draw", "5O"):
        state = play(state, text)
    assert state.turn == 0


def test_k13_the_stock_does_not_count(position: Position) -> None:
    state = play(position("4B", "6C 3O", ladders="B[5..12]", stock="1O 2O"), "4B")
    assert state.totals == (7, 0)


@pytest.mark.parametrize(
    ("left", "totals", "winner"),
    [
        ("1C 2C 5E 10C 11C 12C 6B", (18, 25, 29, 30), [3]),
        ("1C 2C 5E 10C 11C 12C", (18, 25, 29, 29), None),
    ],
)
def test_k14_limit(position: Position, left: str, totals: tuple[int, ...], winner: list[int] | None) -> None:
    state = position("1O 2O 3O", "4O 6O 7O", left, "4B", ladders="B[5..12]", acts=3, limite=30, totals=(18, 25, 29, 12))
    step = RULES.apply(state, 3, CardMove.parse("4B"), CANONICAL)
    assert step.state.totals == totals
    if winner is None:
        assert RULES.to_act(step.state) == (0,)
        assert step.events[-1][0] == "deal"
    else:
        assert RULES.to_act(step.state) == ()
        assert step.events[-1] == ("match", winner, list(totals))
        assert [place.rank for place in RULES.outcome(step.state)] == [4, 3, 2, 1]


def test_k15_odd_seat_and_starter_move_on() -> None:
    deck = [DECK.numbers["1O"], DECK.numbers["5O"]]
    deck += [card for card in range(DECK.size) if card not in deck]
    chance = ScriptedChance({"odd": [2, 0, 1], "hand/1": deck}, canonical=True)
    options = CinqOptions(limite=500)
    state, found = RULES.deal(options, 3, chance), []
    while state.hand_no < 5:
        if not state.plays:
            found.append((state.odd_seat, state.starter, state.turn, [hand.bit_count() for hand in state.hands]))
        assert state.turn is not None
        state = RULES.apply(state, state.turn, RULES.legal_moves(state, state.turn)[0], chance).state
    assert found == [(2, 1, 1, [13, 13, 14]), (0, 2, 2, [14, 13, 13]), (1, 0, 0, [13, 14, 13]), (2, 1, 1, [13, 13, 14])]


def test_p1_example_of_the_rules(position: Position) -> None:
    state = position("10C 1O", "1C 4C 6C 7C 11C 2B", "1E", "1B", mode=PIEGEUR, ladders="C[5..5]")
    assert legal(state) == "10C"
    after = play(state, "10C")
    seen = RULES.observation(after, 1)
    assert seen["ladders"]["C"] == [5, 10]
    assert (seen["dead"], seen["legal"], seen["dead_counts"]) == (["6C", "7C"], ["1C", "4C", "11C"], [0, 2, 0, 0])
    assert [RULES.observation(after, viewer)["dead"] for viewer in (0, 2, None)] == [[], [], []]
    assert why(seen, "2B") == ("closed_suit", {"card": "2B", "pivot": "5B"})


def why(seen: dict[str, Any], text: str) -> tuple[str, dict[str, Any]]:
    refusal = RULES.why_not(seen, text)
    assert refusal is not None
    return refusal.code, refusal.params


@pytest.mark.parametrize(
    ("hand", "ladders", "expected", "dead"),
    [
        ("1O 2O 4O 6O 10O 12O 4E", "O[3..7]", "1O 2O 10O 12O", ["4O", "6O"]),  # P2
        ("6O 7O 2C 4E", "O[5..11] C[1..12]", "pass", ["6O", "7O", "2C"]),  # P4
        ("5C 10O", "", "5C", []),  # P12
        ("1E 3E 6E 12E 6C", "E[4..5]", "1E 3E 6E 12E", []),  # P13
    ],
)
def test_p2_p4_p12_p13_leaps(position: Position, hand: str, ladders: str, expected: str, dead: list[str]) -> None:
    state = position(hand, "1B 5E", "2B 5O", "3B 12B", mode=PIEGEUR, ladders=ladders)
    assert legal(state) == expected
    assert RULES.observation(state, 0)["dead"] == dead


def test_p13_own_card_dies(position: Position) -> None:
    state = position("1E 3E 6E 12E 6C", "1B", "2B", "3B 5B", mode=PIEGEUR, ladders="E[4..5]")
    assert RULES.observation(play(state, "1E"), 0)["dead"] == ["3E"]


def test_p5_end_of_a_hand(position: Position) -> None:
    state = position("12B 4O", "2C 3C 6E", "7B 10B 2O 3O 6C", mode=PIEGEUR, ladders="O[1..12] C[1..12] E[1..12] B[1..11]")
    step = RULES.apply(state, 0, CardMove.parse("12B"), CANONICAL)
    assert step.state.totals == (8, 0, 0)
    assert step.events[1][:3] == ("hand", 2, [8, 0, 0])


@pytest.mark.parametrize(
    ("left", "scores"),
    [
        ((1, 3, 4, 6), (13, 0, 0, 0)),
        ((2, 2, 5, 6), (5, 5, 0, 0)),
        ((0, 5, 0), (2, 0, 2)),
        ((3, 3, 3, 3), (0, 0, 0, 0)),
        ((4, 1, 1, 1), (0, 1, 1, 1)),
        ((0, 0, 0, 2), (0, 0, 0, 0)),
    ],
)
def test_p6_to_p9_piegeur_scores(left: tuple[int, ...], scores: tuple[int, ...]) -> None:
    assert hand_scores(PIEGEUR, left) == scores


def test_classique_scores() -> None:
    assert hand_scores("classique", (3, 4, 0, 6)) == (0, 0, 18, 0)
    assert hand_scores("classique", (0, 2)) == (7, 0)


@pytest.mark.parametrize(
    ("totals", "winners", "ranks"),
    [
        ((52, 50, 52, 10), [0, 2], [1, 3, 1, 4]),
        ((51, 50, 49, 10), [0], [1, 2, 3, 4]),
    ],
)
def test_p11_ties(position: Position, totals: tuple[int, ...], winners: list[int], ranks: list[int]) -> None:
    state = position(
        "12B 2O", "3O", "4O", "6O", mode=PIEGEUR, ladders="O[1..12] C[1..12] E[1..12] B[1..11]", limite=50, totals=totals
    )
    step = RULES.apply(state, 0, CardMove.parse("12B"), CANONICAL)
    assert step.events[-1] == ("match", winners, list(totals))
    assert [place.rank for place in RULES.outcome(step.state)] == ranks


def test_seats_without_live_cards_are_skipped(position: Position) -> None:
    """Rules 3.3: seat 1 is all dead, seat 2 empty; no pass is recorded, and the turn may come back at once."""
    state = position("10C 1C 12C", "6C 7C", "", "6C", mode=PIEGEUR, ladders="C[5..5]")
    step = RULES.apply(state, 0, CardMove.parse("10C"), CANONICAL)
    assert (step.state.turn, step.same_turn, step.events) == (0, False, (("played", 0, "10C"),))


GOLDEN = {
    "GK4": (
        "classique",
        4,
        (0, 0, 0, 9),
        "10B | 7B 12B | 11B | -",
        """
1:5O 2:4O 3:3O 0:5B 1:2O 2:1O 3:6O 0:pass 1:5E 2:7O 3:5C 0:4C 1:10O 2:3C 3:11O 0:6E 1:4B 2:12O 3:2C 0:1C 1:pass 2:6C 3:4E
0:7C 1:pass 2:3B 3:10C 0:3E 1:2E 2:11C 3:1E 0:12C 1:pass 2:6B 3:7E 0:2B 1:10E 2:pass 3:pass 0:11E 1:1B 2:pass 3:12E""",
    ),
    "GK2": (
        "classique",
        2,
        (0, 7),
        "12O 12C | -",
        """
1:5C 0:4C 1:5E 0:draw 0:6E 1:draw 1:pass 0:draw 0:pass 1:draw 1:pass 0:draw 0:pass 1:draw 1:pass 0:draw 0:pass 1:draw 1:pass
0:draw 0:pass 1:draw 1:pass 0:draw 0:3C 1:2C 0:1C 1:draw 1:4E 0:3E 1:2E 0:draw 0:5B 1:1E 0:6B 1:4B 0:3B 1:7B 0:2B 1:1B 0:draw
0:5O 1:6O 0:4O 1:3O 0:7O 1:2O 0:1O 1:draw 1:6C 0:7C 1:10C 0:draw 0:7E 1:10E 0:11E 1:draw 1:10B 0:11B 1:12B 0:draw 0:10O
1:11O""",
    ),
    "GP4": (
        "piegeur",
        4,
        (0, 14, 0, 0),
        "4C 7C 3E 11E 10B | 2O 4B 7B | 4O 7O 3C 11C | 3O 11O 2C 4E 7E",
        """
1:5O 2:1O 3:6O 0:5B 1:10O 2:12O 3:5C 0:1C 1:5E 2:6C 3:10C 0:12C 1:2E 2:3B 3:1E 0:6E 1:10E 2:6B 3:12E 0:2B 1:1B 2:11B
1:12B""",
    ),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_hands(name: str) -> None:
    mode, seats, scores, left, moves = GOLDEN[name]
    chance = ScriptedChance({"hand/1": sorted(range(40), key=lambda i: 37 * (i + 1) % 101)}, canonical=True)
    state = RULES.deal(CinqOptions(mode), seats, chance)
    for entry in moves.split():
        seat, text = entry.split(":")
        assert RULES.to_act(state) == (int(seat),)
        assert legal(state).split()[0] == text
        state = RULES.apply(state, int(seat), CardMove.parse(text), chance).state
    assert state.last_hand is not None
    assert state.sheet == (scores,)
    assert [" ".join(DECK.texts(hand)) or "-" for hand in state.last_hand.left] == left.split(" | ")


def test_golden_deal() -> None:
    chance = ScriptedChance({"hand/1": sorted(range(40), key=lambda i: 37 * (i + 1) % 101)})
    state = RULES.deal(CinqOptions(), 2, chance)
    assert " ".join(RULES.observation(state, 0)["hand"]) == "1O 4O 1C 4C 7C 12C 3E 3B 6B 11B"
    stock = "6E 7B 7O 10C 11E 12B 12O 1E 2B 2O 3C 4E 5B 5O 6C 7E 10B 10O 11C 12E"
    assert [DECK.cards[card] for card in state.stock] == stock.split()
    assert RULES.opening(state) == (("deal", 1, 1, None, [10, 10], 20),)


def test_cards_of_two_players_are_an_option() -> None:
    state = RULES.deal(CinqOptions(cartes=15), 2, Chance(bytes(32)))
    assert ([hand.bit_count() for hand in state.hands], len(state.stock)) == ([15, 15], 10)
