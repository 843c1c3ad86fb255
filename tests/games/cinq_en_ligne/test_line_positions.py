"""The worked positions of the rules, L-1 to L-22, and what the rules say around them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.cinq_en_ligne.rules import RULEBOOK, SIDES, LineMove, LineOptions, LineState
from games.engine.chance import Chance, ScriptedChance
from games.engine.rules import BadOptions, Illegal, Step

RULES = RULEBOOK[1]
CANONICAL = ScriptedChance({}, canonical=True)
Position = Callable[..., LineState]


def play(state: LineState, seat: int, text: str) -> Step[LineState]:
    return RULES.apply(state, seat, LineMove.parse(text), CANONICAL)


def texts(state: LineState, seat: int) -> list[str]:
    return [str(move) for move in RULES.legal_moves(state, seat)]


def squares_of(state: LineState, card: int) -> list[int]:
    moves = (text.split("@") for text in texts(state, state.turn or 0) if "@" in text)
    return [int(square) for held, square in moves if int(held) == card]


def match_event(step: Step[LineState]) -> list[Any]:
    return list(step.events[-1])


def test_l1_four_cards_must_play(line_position: Position) -> None:
    state = line_position("92 5 40 99", "1 2 3 4")
    assert squares_of(state, 92) == list(range(92, 100))
    assert squares_of(state, 99) == [99]
    assert squares_of(state, 5) == list(range(5, 100)) and len(squares_of(state, 5)) == 95
    assert not {"draw", "pass"} & set(texts(state, 0))
    for text, code in (("draw", "full_hand"), ("pass", "must_play")):
        with pytest.raises(Illegal, match=code):
            play(state, 0, text)


def test_l2_and_l3_not_below_the_card_and_drawing(line_position: Position) -> None:
    state = line_position("92 5 40 99", "1 2 3 4", stock="50 51")
    step = play(state, 0, "92@95")
    assert step.events == (("played", 0, 92, 95),)
    with pytest.raises(Illegal, match="square_too_low"):
        play(step.state, 1, "4@3")
    state = play(step.state, 1, "4@4").state
    assert state.turn == 0
    assert "draw" in texts(state, 0) and len(texts(state, 0)) > 1 and "pass" not in texts(state, 0)
    step = play(state, 0, "draw")
    assert step.events == (("drew", 0),)
    assert step.state.hands[0].bit_count() == 4 and step.state.hands[0] >> 50 & 1
    assert step.state.stock == (51,) and step.state.turn == 1


def test_l4_dead_cards(line_position: Position) -> None:
    state = line_position("92 99 91", "1 2 3 4", pegs=([92, 94, 96, 98], [93, 95, 97, 99]))
    seen = RULES.observation(state, 0)
    assert seen["dead"] == [92, 99]
    assert squares_of(state, 92) == [] and squares_of(state, 99) == [] and squares_of(state, 91) == [91]
    with pytest.raises(Illegal) as refused:
        play(state, 0, "92@92")
    assert (refused.value.code, refused.value.params) == ("dead_card", {"card": 92, "highest": 91})


@pytest.mark.parametrize(
    ("own", "text", "line"),
    [
        ([73, 72, 71, 70], "0@69", [73, 72, 71, 70, 69]),  # L-5: a row
        ([1, 2, 9, 28], "30@47", [1, 2, 9, 28, 47]),  # L-6: a column
        ([73, 57, 21, 13], "1@1", [73, 57, 21, 13, 1]),  # L-7: a diagonal down
        ([65, 63, 17, 15], "1@1", [65, 63, 17, 15, 1]),  # the other diagonal
        ([94, 95, 97, 98], "96@96", [98, 97, 96, 95, 94]),  # L-9: a gap filled
        ([65, 66, 67, 69, 70, 71], "10@68", [71, 70, 69, 68, 67, 66, 65]),  # L-10: seven are fine
    ],
)
def test_l5_to_l10_lines(own: list[int], text: str, line: list[int], line_position: Position) -> None:
    card = text.split("@", maxsplit=1)[0]
    step = play(line_position(f"{card} 90 91", "2 3 4", pegs=(own,)), 0, text)
    assert match_event(step)[:4] == ["match", "line", [0], [line]]
    assert step.state.turn is None and step.state.ending == "line"
    assert [place.rank for place in RULES.outcome(step.state)] == [1, 2]
    assert RULES.observation(step.state, None)["lines"] == [line]


@pytest.mark.parametrize(
    ("own", "text"),
    [
        ([70, 71, 72, 73], "74@74"),
        ([82, 83, 84, 85], "80@81"),
        ([1, 2, 3, 4], "5@5"),  # L-11: neighbours in number, not in line
    ],
)
def test_l11_consecutive_numbers_are_no_line(own: list[int], text: str, line_position: Position) -> None:
    step = play(line_position(f"{text.split('@', maxsplit=1)[0]} 90", "6 7 8", pegs=(own,)), 0, text)
    assert step.state.ending is None and step.state.turn == 1


def test_l12_an_enemy_peg_breaks_the_line(line_position: Position) -> None:
    step = play(line_position("69 90", "6 7 8", pegs=([73, 72, 70], [71])), 0, "69@69")
    assert step.state.ending is None


def test_two_lines_at_once(line_position: Position) -> None:
    step = play(line_position("0 90", "6 7 8", pegs=([73, 72, 71, 70, 60, 18, 16, 34],)), 0, "0@69")
    assert match_event(step)[3] == [[73, 72, 71, 70, 69]]
    step = play(line_position("0 90", "6 7 8", pegs=([73, 72, 71, 70, 60, 19, 14, 1],)), 0, "0@69")
    assert match_event(step)[3] == [[73, 72, 71, 70, 69], [69, 60, 19, 14, 1]]


def test_l13_four_dead_cards_of_anybody_end_it_at_once(line_position: Position) -> None:
    state = line_position("3 5", "92 93 96 97", pegs=([90, 92, 94, 97, 99], [91, 93, 96, 98]), stock="1 2")
    assert RULES.observation(state, 1)["dead"] == [96, 97]
    step = play(state, 0, "3@95")
    assert RULES.observation(step.state, None)["ending"] == "dead"
    assert match_event(step) == ["match", "dead", [1], [], [[5], [92, 93, 96, 97]]]
    assert [place.rank for place in RULES.outcome(step.state)] == [2, 2]


def test_l14_all_dead_must_draw_and_four_end_it(line_position: Position) -> None:
    full = ([90, 92, 94, 96, 98], [91, 93, 95, 97, 99])
    state = line_position("96 97 98", "1 2 3", pegs=full, stock="99 0")
    assert texts(state, 0) == ["draw"]
    with pytest.raises(Illegal, match="must_draw"):
        play(state, 0, "pass")
    assert match_event(play(state, 0, "draw"))[:3] == ["match", "dead", [0]]
    assert play(state._replace(stock=(0, 99)), 0, "draw").state.turn == 1


def test_a_line_comes_before_four_dead_cards(line_position: Position) -> None:
    state = line_position("3 5", "92 93 96 97", pegs=([91, 92, 93, 94, 97, 99], [90, 96, 98]), stock="1 2")
    assert match_event(play(state, 0, "3@95"))[:3] == ["match", "line", [0]]


def test_l16_an_empty_hand_draws_or_passes(line_position: Position) -> None:
    state = line_position("", "50 60", stock="7")
    assert texts(state, 0) == ["draw"]
    assert RULES.forced(state) == (0, LineMove.parse("draw"))
    state = line_position("", "50 60", stock="")
    assert texts(state, 0) == ["pass"]
    assert RULES.forced(state) == (0, LineMove.parse("pass"))
    with pytest.raises(Illegal, match="no_stock"):
        play(state, 0, "draw")


def test_l17_without_a_stock_a_live_card_must_be_played(line_position: Position) -> None:
    state = line_position("10 20", "50 60", stock="")
    assert "draw" not in texts(state, 0) and "pass" not in texts(state, 0)
    for text, code in (("draw", "no_stock"), ("pass", "must_play")):
        with pytest.raises(Illegal, match=code):
            play(state, 0, text)


def test_l18_the_last_card_blocks_the_match(line_position: Position) -> None:
    state = play(line_position("", "50", stock=""), 0, "pass").state
    assert (state.ending, state.turn) == (None, 1)
    step = play(state, 1, "50@50")
    assert match_event(step)[:3] == ["match", "blocked", []]
    assert {place.rank for place in RULES.outcome(step.state)} == {2}


def test_blocked_by_dead_cards_alone(line_position: Position) -> None:
    state = line_position("80", "97 98", pegs=(range(81, 100, 2), range(82, 99, 2)), stock="")
    assert match_event(play(state, 0, "80@80"))[:3] == ["match", "blocked", []]
    assert play(state._replace(stock=(1,)), 0, "80@80").state.turn == 1


def test_l20_the_full_board(line_position: Position) -> None:
    """Every square but 0 has a peg, in blocks of two colours that make no line through 0."""
    state = line_position("0", "", stock="", pegs=checkered())
    step = play(state, 0, "0@0")
    assert match_event(step)[:4] == ["match", "full", [], []]
    assert {place.rank for place in RULES.outcome(step.state)} == {2}


def checkered() -> list[list[int]]:
    """All squares but 0: colours change every two columns, shifted every row."""
    from games.cinq_en_ligne.board import FIXED

    sides: list[list[int]] = [[], []]
    for number, (row, column) in FIXED["sinueux"].place.items():
        if number:
            sides[(column // 2 + row) % 2].append(number)
    return sides


def test_l21_team_of_a_seat(line_position: Position) -> None:
    state = line_position(*["10 20 30"] * 4, "40 50", "60 70", acts=4)
    step = play(state, 4, "40@41")
    assert RULES.observation(step.state, None)["pegs"] == [[], [41], []]


@pytest.mark.parametrize(("seats", "sides"), [(2, 2), (4, 2), (6, 2), (6, 3), (8, 2), (3, 3), (9, 3)])
def test_l22_neighbours_are_never_of_one_team(seats: int, sides: int) -> None:
    options = LineOptions(equipes=sides) if seats == 6 else LineOptions()
    assert RULES.sides(options, seats) == sides
    state = RULES.deal(options, seats, Chance(bytes(32)))
    teams = [place.side for place in RULES.outcome(state)]
    assert teams == [seat % sides for seat in range(seats)]
    assert all(teams[seat] != teams[seat - 1] for seat in range(seats))
    assert {teams.count(side) for side in range(sides)} == {seats // sides}


@pytest.mark.parametrize("seats", [1, 5, 7, 10])
def test_numbers_of_seats_that_do_not_fit(seats: int) -> None:
    with pytest.raises(BadOptions) as refused:
        RULES.check(LineOptions(), seats)
    assert refused.value.code == ("unequal_sides" if seats in (5, 7) else "seats")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"equipes": 4}, "out_of_range"),
        ({"equipes": "3"}, "wrong_type"),
        ({"equipes": True}, "wrong_type"),
        ({"plateau": "carre"}, "out_of_range"),
        ({"plateau": 1}, "wrong_type"),
        ({"cible": 5}, "unknown_option"),
    ],
)
def test_options_that_do_not_fit(data: dict[str, Any], code: str) -> None:
    with pytest.raises(BadOptions) as refused:
        RULES.read_options(data)
    assert refused.value.code == code


@pytest.mark.parametrize("seats", SIDES)
def test_the_deal(seats: int) -> None:
    """Four cards each, one by one from the left of the dealer; he deals and the seat at his left starts (rules 3.3)."""
    chance = ScriptedChance({"dealer": [seats - 2, *range(seats - 2), seats - 1]}, canonical=True)
    state = RULES.deal(LineOptions(), seats, chance)
    starter = seats - 1
    assert (state.dealer, state.turn) == (seats - 2, starter)
    for turn in range(seats):
        seat = (starter + turn) % seats
        assert RULES.observation(state, seat)["hand"] == [turn + seats * card for card in range(4)]
    assert state.stock == tuple(range(4 * seats, 100))
    assert RULES.opening(state) == (("deal", seats - 2, starter, 100 - 4 * seats),)


def test_a_dealt_board() -> None:
    state = RULES.deal(LineOptions(plateau="aleatoire"), 2, ScriptedChance({"board": list(range(99, -1, -1))}, canonical=True))
    assert RULES.observation(state, None)["layout"] == list(range(99, -1, -1))
    other = RULES.deal(LineOptions(plateau="aleatoire"), 2, Chance(bytes(32)))
    assert sorted(other.board.numbers) == list(range(100)) != list(other.board.numbers)
    fixed = RULES.deal(LineOptions(), 2, Chance(bytes(32)))
    assert "board" not in Chance(bytes(32)).results and fixed.dealt == ()
