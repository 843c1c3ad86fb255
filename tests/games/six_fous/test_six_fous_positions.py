"""The worked positions and golden hands of the rules, section 10."""

from collections.abc import Callable

import pytest

from games.engine.chance import Chance, ScriptedChance
from games.six_fous.rules import DECK, RULEBOOK, SixFousMove, SixFousOptions, SixFousState, hand_scores, hand_winners

RULES = RULEBOOK[1]
CANONICAL = ScriptedChance({}, canonical=True)
Position = Callable[..., SixFousState]


def legal(state: SixFousState) -> str:
    assert state.turn is not None
    return " ".join(map(str, RULES.legal_moves(state, state.turn)))


def play(state: SixFousState, text: str) -> SixFousState:
    assert state.turn is not None
    after: SixFousState = RULES.apply(state, state.turn, SixFousMove.parse(text), CANONICAL).state
    return after


def test_f1_opening_card(position: Position) -> None:
    state = position("6O 6C 1O", "6E", "6B", "7O", opening="6O")
    assert legal(state) == "6O"
    after = play(state, "6O")
    assert RULES.observation(after, None)["ladders"] == {"O": [6, 6], "C": None, "E": None, "B": None}
    assert after.opening is None


def test_f2_starter_without_a_six(position: Position) -> None:
    state = position("7O 12B", "5C 6C 6B", "6O", "6E")
    assert legal(state) == "pass"
    assert RULES.forced(state) == (0, SixFousMove.parse("pass"))
    state = play(state, "pass")
    assert (state.turn, legal(state)) == (1, "6C 6B")


def test_f3_playable_dead_and_waiting(position: Position) -> None:
    state = position("5O 10O 2E 4E 10E 1C 6B", "1O", "2O", ladders="O[6..6] E[3..7]")
    assert legal(state) == "5O 10O 2E 10E 6B"
    seen = RULES.observation(state, 0)
    assert seen["aside"] == [["4E"], [], []]
    why = RULES.why_not(seen, "1C")
    assert why is not None
    assert (why.code, why.params) == ("closed_suit", {"card": "1C", "pivot": "6C"})


def test_f5_dead_cards_are_set_aside(position: Position) -> None:
    state = position("3B 2O", "4B 7B 6O", "5B 1B", "6C 6E", ladders="B[6..6]")
    step = RULES.apply(state, 0, SixFousMove.parse("3B"), CANONICAL)
    assert step.events == (("played", 0, "3B"), ("aside", [[1, ["4B"]], [2, ["5B"]]]))
    seen = RULES.observation(step.state, None)
    assert seen["ladders"]["B"] == [3, 6]
    assert seen["aside"] == [[], ["4B"], ["5B"], []]
    assert seen["hand_sizes"] == [1, 2, 1, 2]
    assert (step.state.turn, legal(step.state)) == (1, "6O 7B")


@pytest.mark.parametrize(
    ("placed", "left", "scores"),
    [
        ((9, 8, 7, 8), (1, 2, 3, 2), (17, 8, 7, 8)),
        ((8, 8, 7, 6), (2, 2, 3, 4), (13, 13, 7, 6)),
        ((10, 8, 9, 7), (0, 2, 1, 3), (21, 8, 9, 7)),
        ((10, 10, 8, 9), (0, 0, 2, 1), (16, 16, 8, 9)),
        ((13, 13, 10), (1, 0, 3), (15, 20, 10)),
        ((14, 13, 12), (0, 0, 1), (20, 13, 12)),
        ((12, 12, 12), (4, 4, 4), (16, 16, 16)),
    ],
    ids=["f6", "f7", "f8", "f9", "f10", "f11", "f12"],
)
def test_f6_to_f12_scores(placed: tuple[int, ...], left: tuple[int, ...], scores: tuple[int, ...]) -> None:
    assert hand_scores(placed, left) == scores
    winners = hand_winners(placed)
    if len(winners) == 1:
        assert sum(scores) == sum(placed) + sum(left) + (0 if left[winners[0]] else 5)


LAST = "O[1..12] C[1..12] E[1..12] B[1..6]"


@pytest.mark.parametrize(
    ("totals", "champions", "ranks"),
    [((103, 97, 104, 60), [0, 2], [1, 3, 1, 4]), ((100, 97, 104, 60), [2], [2, 3, 1, 4])],
)
def test_f13_several_reach_the_limit(position: Position, totals: tuple[int, ...], champions: list[int], ranks: list[int]) -> None:
    """Seat 0 places the last card, the king of clubs, and scores for it; nothing stays unplaced."""
    plays = ((1, 0), (2, 1), (3, 2))
    before = tuple(total - 1 if seat else total for seat, total in enumerate(totals))
    state = position("12B", "", "", "", ladders=LAST, limite=100, totals=before, plays=plays)
    step = RULES.apply(state, 0, SixFousMove.parse("12B"), CANONICAL)
    assert step.state.sheet == ((6, 6, 6, 6),)
    gained = tuple(total + 5 + (not seat) for seat, total in enumerate(totals))
    assert step.events[-1] == ("match", champions, list(gained))
    assert [place.rank for place in RULES.outcome(step.state)] == ranks
    assert RULES.to_act(step.state) == ()


def test_below_the_limit_the_next_hand_is_dealt(position: Position) -> None:
    state = position("12B", "", "", "", ladders=LAST, limite=100, odd_seat=None, starter=3)
    step = RULES.apply(state, 0, SixFousMove.parse("12B"), CANONICAL)
    assert step.events[-1] == ("deal", 3, 0, None, [10, 10, 10, 10])
    assert (step.state.hand_no, step.state.starter, step.state.turn, step.state.aside) == (3, 0, 0, (0, 0, 0, 0))


def test_an_empty_hand_does_not_end_it_and_is_skipped(position: Position) -> None:
    state = position("7O", "1O 12O", "", "2O", ladders="O[6..6] C[1..12] E[1..12] B[1..12]")
    state = play(state, "7O")
    assert state.turn == 1
    state = play(state, "12O")
    assert (state.turn, legal(state)) == (3, "2O")


def test_a_seat_whose_last_cards_die_is_skipped(position: Position) -> None:
    state = position("12O 1C", "7O 10O", "1O", "6C", ladders="O[6..6] E[1..12] B[1..12]")
    state = play(state, "12O")
    assert (state.hands[1], state.turn) == (0, 2)


def test_the_odd_seat_moves_on(golden: Callable[..., ScriptedChance]) -> None:
    """Three players, 40 cards: 14 cards for the seat drawn by lot, then for the next one, whoever starts."""
    chance = golden(40)
    state = RULES.deal(SixFousOptions(limite=500), 3, chance)
    sizes, starters = [], []
    for _ in range(3):
        hand = state.hand_no
        sizes.append([cards.bit_count() for cards in state.hands])
        starters.append(state.starter)
        while state.turn is not None and state.hand_no == hand:
            state = RULES.apply(state, state.turn, RULES.legal_moves(state, state.turn)[0], chance).state
    assert sizes == [[13, 13, 14], [14, 13, 13], [13, 14, 13]]
    assert starters == [1, 2, 0]


@pytest.mark.parametrize(
    ("jeu", "seats", "expected"),
    [(40, 3, {13, 14}), (40, 4, {10}), (48, 3, {16}), (48, 4, {12}), (40, 2, {20}), (48, 2, {24})],
)
def test_deal(jeu: int, seats: int, expected: set[int]) -> None:
    state = RULES.deal(SixFousOptions(jeu), seats, Chance(bytes(32)))
    assert {hand.bit_count() for hand in state.hands} == expected
    assert sum(hand.bit_count() for hand in state.hands) == jeu
    assert any(hand >> DECK.numbers["8O"] & 1 for hand in state.hands) == (jeu == 48)
    assert state.opening == DECK.numbers["6O"]


GS4 = """
3:6O 0:6E 1:2O 2:1O 3:11O 0:3E 1:2E 2:12O 3:1E 0:11E 1:pass 2:6C 3:2C 0:1C 1:pass 2:11C 3:12E 0:12C 1:pass 2:6B 0:2B 1:1B 2:11B
1:12B
"""
GS3 = """
1:6O 2:1O 0:6B 1:7O 2:11O 0:7B 1:6C 2:12O 0:1C 1:1B 2:7C 0:12C 1:11B 2:6E 0:1E 1:12B 2:7E 0:10E 2:12E
"""
GS4X48 = """
2:6B 3:6E 0:4E 1:6O 2:4O 3:2O 0:10O 1:1O 2:8E 3:12O 0:12E 1:6C 2:2C 3:8C 0:11C 1:1C 2:12C 3:1E 0:2B 1:8B 2:1B 3:9B 0:12B
"""


def replay_golden(state: SixFousState, moves: str, chance: ScriptedChance) -> SixFousState:
    """Play a golden hand; at every ply the first legal move must be the one written."""
    for entry in moves.split():
        seat, text = entry.split(":")
        assert RULES.to_act(state) == (int(seat),)
        assert legal(state).split()[0] == text
        state = RULES.apply(state, int(seat), SixFousMove.parse(text), chance).state
    return state


def left_of(state: SixFousState) -> str:
    assert state.last_hand is not None
    return " | ".join(" ".join(DECK.texts(cards)) for cards in state.last_hand.left)


def placed_of(state: SixFousState) -> tuple[int, ...]:
    assert state.last_hand is not None
    return state.last_hand.placed


def test_gs4(golden: Callable[..., ScriptedChance]) -> None:
    chance = golden(40)
    state = RULES.deal(SixFousOptions(), 4, chance)
    assert " ".join(RULES.observation(state, 1)["hand"]) == "2O 5O 10O 2E 5E 10E 1B 4B 7B 12B"
    state = replay_golden(state, GS4, chance)
    assert state.sheet == ((15, 4, 15, 5),)
    assert placed_of(state) == (6, 4, 6, 5)
    assert left_of(state) == "4C 7C 5B 10B | 5O 10O 5E 10E 4B 7B | 4O 7O 3C 3B | 3O 5C 10C 4E 7E"


def test_gs3(golden: Callable[..., ScriptedChance]) -> None:
    chance = golden(40)
    state = replay_golden(RULES.deal(SixFousOptions(), 3, chance), GS3, chance)
    assert state.sheet == ((6, 6, 28),)
    assert placed_of(state) == (6, 6, 7)
    assert left_of(state) == "3O 4O 5O 2C 3C 11E 10B | 10O 4C 5C 2E 3E 4E 2B | 2O 10C 11C 5E 3B 4B 5B"


def test_gs4_with_48_cards(golden: Callable[..., ScriptedChance]) -> None:
    """A later hand: the designated starter is seat 2 and no card is demanded."""
    chance = golden(48)
    dealt = RULES.deal(SixFousOptions(48), 4, chance)
    state = replay_golden(dealt._replace(hand_no=2, starter=2, turn=2, opening=None), GS4X48, chance)
    assert state.sheet == ((14, 5, 14, 14),)
    assert placed_of(state) == (6, 5, 6, 6)
    assert left_of(state) == ("3O 5O 3C 7E 5B 7B | 8O 11O 9C 2E 10E 3B 10B | 9O 4C 7C 10C 5E 11B | 7O 5C 3E 9E 11E 4B")
