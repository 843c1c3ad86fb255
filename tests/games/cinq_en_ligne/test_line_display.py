"""What people read of 5inq en Ligne: board, sentences, refusals, forms. Texts are checked in English."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.utils import translation

from games.cinq_en_ligne import display
from games.cinq_en_ligne.game import GAME
from games.cinq_en_ligne.rules import RULEBOOK, SIDES, LineMove, LineState
from games.cinq_en_ligne.templatetags.line_board import line_example, parts
from games.engine.chance import Chance, ScriptedChance
from games.engine.rules import Illegal, Malformed

RULES = RULEBOOK[1]
NAMES = ["Ada", "Bruno", "Chloé", "Diego", "Émile", "Fanny", "Gaël", "Hugo", "Inès"]
Position = Callable[..., LineState]


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    with translation.override("en"):
        yield


def shown(state: LineState, seat: int | None) -> dict[str, object]:
    return display.board(RULES.observation(state, seat), NAMES)


def square(board: dict[str, object], number: int) -> dict[str, object]:
    return next(each for row in board["rows"] for each in row if each["number"] == number)  # type: ignore[attr-defined]


def test_the_board_of_a_position(line_position: Position) -> None:
    state = line_position("5 40 97", "1 2 3", pegs=([95, 97, 99], [96, 98]))
    plays = ((0, "95@95"), (1, "96@96"), (0, "30@97"), (1, "31@98"), (0, "32@99"))
    state = state._replace(plays=tuple((seat, LineMove.parse(text).number) for seat, text in plays))
    board = shown(state, 0)
    assert [row[0]["number"] for row in board["rows"]] == [73, 74, 75, 76, 77, 78, 79, 80, 81, 82]  # type: ignore[attr-defined]
    assert board["caption"] == "Winding · stock 2"
    assert square(board, 99)["label"] == "Square 99, Gold, card 32 of Ada"
    assert square(board, 99)["last"] is True and square(board, 98)["last"] is False
    assert square(board, 63) == {
        "number": 63,
        "peg": None,
        "fits": 2,
        "label": "Square 63, free",
        "line": False,
        "new": False,
        "last": False,
    }
    assert [square(board, number)["fits"] for number in (4, 5, 39, 40)] == [0, 1, 1, 2]
    assert [(held["card"], held["rank"], held["playable"], held["dead"]) for held in board["hand"]] == [  # type: ignore[attr-defined]
        (5, 1, True, False),
        (40, 2, True, False),
        (97, 3, False, True),
    ]
    assert board["hand"][2]["why"] == "Card 97 is dead: the highest free square is 94."  # type: ignore[index]
    assert board["draw"] is True and board["forced"] is None
    assert board["demand"] == "Play a card on its number or higher, or draw."
    assert [row["player"] for row in board["laid"]] == ["Bruno", "Ada"]  # type: ignore[attr-defined]
    assert [laid["card"] for laid in board["laid"][1]["played"]] == ["95", "30", "32"]  # type: ignore[index]


def test_others_see_neither_hand_nor_deadness(line_position: Position) -> None:
    state = line_position("5 40 97", "1 2 3", pegs=([95, 97, 99], [96, 98]))
    for viewer in (1, None):
        board = shown(state, viewer)
        assert all(each["fits"] == 0 for row in board["rows"] for each in row)  # type: ignore[attr-defined]
        assert board["players"][0]["dead"] == 0 and board["players"][0]["backs"] == [False] * 3  # type: ignore[index]
        assert "dead" not in str([board["text"], board["demand"], board["result"]])


@pytest.mark.parametrize(
    ("hand", "fields", "demand"),
    [
        ("5 40 50 60", {}, "Four cards: play one on its number or higher."),
        ("5", {"stock": ""}, "Play a card on its number or higher."),
        ("", {}, "Your hand is empty: draw a card."),
        ("97 98", {"pegs": ([95, 97, 99], [96, 98])}, "All your cards are dead: draw one."),
        ("97 98", {"pegs": ([95, 97, 99], [96, 98]), "stock": ""}, "The stock is empty and none of your cards fits: you pass."),
    ],
)
def test_what_the_turn_asks(hand: str, fields: dict[str, object], demand: str, line_position: Position) -> None:
    board = shown(line_position(hand, "1 2 3", **fields), 0)
    assert board["demand"] == demand
    assert (board["forced"] is None) == demand.endswith("higher.")


def test_endings_in_words(line_position: Position) -> None:
    def ended(state: LineState, text: str) -> str:
        step = RULES.apply(state, state.turn or 0, LineMove.parse(text), ScriptedChance({}, canonical=True))
        sentence = display.sentence(step.events[-1], NAMES)
        assert shown(step.state, None)["result"] == sentence
        return sentence

    line = line_position("0 90", "6 7", "1", "8 9", pegs=([73, 72, 71, 70],))
    assert ended(line, "0@69") == "Gold has 5 pegs in a line, and the match goes to Ada and Chloé."
    dead = line_position("96 97 98", "1 2 3", pegs=([90, 92, 94, 96, 98], [91, 93, 95, 97, 99]), stock="99 0")
    assert ended(dead, "draw") == "Match drawn (four dead cards): Ada holds them."
    blocked = line_position("50", "", stock="")
    assert ended(blocked, "50@50") == "Match drawn (blocked): the stock is empty and no card fits any more."
    full = line_position("0", "", stock="", pegs=(range(1, 100, 2), range(2, 100, 2)), plateau="rangees", dealt=tuple(weave()))
    assert ended(full, "0@0") == "Match drawn (full board)."


def weave() -> list[int]:
    """A layout on which even and odd numbers make no five in line: colours change every two columns, shifted every row."""
    odd, even = iter(range(1, 100, 2)), iter(range(0, 100, 2))
    return [next(odd) if (column // 2 + row) % 2 else next(even) for row in range(10) for column in range(10)]


def test_sentences(line_position: Position) -> None:
    assert display.sentence(("played", 1, 58, 63), NAMES) == "Bruno plays 58 on square 63."
    assert display.sentence(("drew", 0), NAMES) == "Ada draws a card."
    assert display.sentence(("passed", 2), NAMES) == "Chloé passes."
    assert display.sentence(("deal", 0, 1, 92), NAMES) == "Ada deals four cards each, Bruno starts."
    assert display.sentence(("started",), NAMES) == "The match starts."
    assert display.sheet(RULES.observation(line_position("1", "2"), 0), NAMES) is None
    assert [display.move_label(text) for text in ("58@63", "draw", "pass")] == ["Card 58 on square 63", "Draw a card", "Pass"]


def test_the_table_in_words(line_position: Position) -> None:
    text = shown(line_position("5 97", "1 2", pegs=([99], []), plays=((0, 99 * 100 + 99),)), 0)["text"]
    assert text["suits"][1] == "Row 2: 74, 57, 58, 59, 60, 61, 62, 63, 64, 99 Gold."  # type: ignore[index]
    assert text["players"] == ["Ada, Gold: 2 cards in hand.", "Bruno, Navy: 2 cards in hand."]  # type: ignore[index]
    assert text["hand"][0] == {"name": "card 5", "playable": True, "why": ""}  # type: ignore[index]


def test_every_refusal_has_a_sentence() -> None:
    params = {"card": 97, "square": 63, "highest": 94, "seats": 5}
    codes = (
        "not_in_hand",
        "dead_card",
        "square_taken",
        "square_too_low",
        "full_hand",
        "no_stock",
        "play_or_draw",
        "must_draw",
        "must_play",
        "choose_card",
        "choose_square",
        "unequal_sides",
    )
    sentences = [display.why(code, params) for code in codes]
    assert len(set(sentences)) == len(codes) and not any("%(" in sentence for sentence in sentences)
    assert display.why("seats", {"low": 2, "high": 9}) == "This game is for 2 to 9 players."


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"card": ["58"], "square": ["63"]}, "58@63"),
        ({}, ""),
        ({"seen": ["3"]}, ""),
    ],
)
def test_a_form_makes_a_move(fields: dict[str, list[str]], text: str) -> None:
    assert display.read_move(fields) == text


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"card": ["58"]}, "choose_square"),
        ({"square": ["63"]}, "choose_card"),
        ({"card": ["x"], "square": ["63"]}, "not_a_move"),
        ({"card": ["58", "59"], "square": ["63"]}, "not_a_move"),
        ({"card": ["58"], "square": ["100"]}, "not_a_move"),
        ({"card": ["58@63"], "square": [""]}, "not_a_move"),
    ],
)
def test_a_form_that_makes_none(fields: dict[str, list[str]], code: str) -> None:
    with pytest.raises((Illegal, Malformed)) as refused:
        display.read_move(fields)
    assert refused.value.code == code
    assert display.why(refused.value.code, refused.value.params)


@pytest.mark.parametrize(
    ("picked", "found"),
    [
        ("58@63", {"card": 58, "square": 63}),
        ("draw", {}),
        (None, {}),
        ("", {}),
        ("x@y", {}),
        ("58@", {}),
    ],
)
def test_what_was_chosen_stays_chosen(picked: str | None, found: dict[str, int]) -> None:
    assert parts(picked) == found


@pytest.mark.parametrize("seats", SIDES)
@pytest.mark.parametrize("plateau", RULES.choices["plateau"])
def test_options_in_a_sentence(seats: int, plateau: str) -> None:
    sentence = str(GAME.sentence({"plateau": plateau}, seats))
    assert str(seats) in sentence and "%" not in sentence
    if seats == 6:
        assert "three teams of 2" in sentence and "two teams of 3" in str(GAME.sentence({"equipes": 2}, 6))
    state = RULES.deal(RULES.read_options({"plateau": plateau}), seats, Chance(bytes(32)))
    assert len({square["number"] for row in shown(state, 0)["rows"] for square in row}) == 100  # type: ignore[attr-defined]


def test_drawn_examples_ask_the_rules() -> None:
    drawn = line_example("90 92/91", 95, "90 91", "sinueux", "5 98")
    squares = {each["number"]: each for row in drawn["rows"] for each in row}
    assert [number for number, each in sorted(squares.items()) if each["fits"]] == [95, 96, 97, 98, 99]
    assert [held["dead"] for held in drawn["hand"]] == [False, False]
    assert squares[91]["peg"]["class"] == "t1" and squares[91]["line"] and not squares[92]["line"]
