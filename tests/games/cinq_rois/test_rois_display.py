"""Les Cinq Rois for people: sentences, refusals, the hand in groups, the score sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.utils import translation

from games import terms
from games.cinq_rois import display
from games.cinq_rois.game import GAME, HOUSE, OFFICIAL
from games.cinq_rois.rules import RULEBOOK, RoisMove, RoisOptions, RoisState
from games.engine.chance import ScriptedChance

RULES = RULEBOOK[1]
NAMES = ["Ada", "Bruno", "Léa"]
CANONICAL = ScriptedChance({}, canonical=True)


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    with translation.override("en"):
        yield


SENTENCES: list[tuple[tuple[Any, ...], str]] = [
    (("drew", 0), "Ada draws from the stock."),
    (("took", 1, "8C"), "Bruno takes the 8 of hearts from the discard pile."),
    (("discarded", 2, "13E"), "Léa discards the king of stars."),
    (("out", 0, "JK", [["3C", "4C", "5C"]]), "Ada goes out and discards the joker."),
    (("reshuffled", 30), "The stock is empty: 30 discards are shuffled into a new one."),
    (("deal", 9, 1, 0, [11, 11, 11], 82, "8C"), "Round 9 is dealt, jacks are wild. Bruno starts. Turned up: 8 of hearts."),
    (("deal", 1, 1, 0, [3, 3, 3], 106, "JK"), "Round 1 is dealt, every 3 is wild. Bruno starts. Turned up: joker."),
    (("hand", 3, [0, 20, 31], [0, 20, 31], [[], [], []], [0]), "Round 3: Ada went out."),
    (("hand", 3, [0, 0, 0], [5, 6, 7], [[], [], []], []), "Round 3: nobody went out in 300 turns, so nobody scores."),
    (("match", [1], [200, 97, 120]), "Bruno wins the match with the lowest total, 97 points."),
    (("match", [1, 2], [120, 97, 97]), "Bruno and Léa share the victory with the lowest total, 97 points."),
    (("automatic", 0), terms.table_sentence(("automatic", 0), NAMES) or "?"),
]


@pytest.mark.parametrize(("event", "sentence"), SENTENCES, ids=[event[0] for event, _ in SENTENCES])
def test_sentences(event: tuple[Any, ...], sentence: str) -> None:
    if event[0] == "automatic":
        sentence = terms.table_sentence(event, NAMES) or ""
    assert display.sentence(event, NAMES) == sentence


def test_a_draw_never_names_its_card(position: Callable[..., RoisState]) -> None:
    step = RULES.apply(position("8C 9P", "3C 4C", stock="JK 3E"), 0, RoisMove.parse("stock"), CANONICAL)
    said = " ".join(display.sentence(event, NAMES) for event in step.events)
    assert "joker" not in said


@pytest.mark.parametrize("text", ["discard 8C", "out 8C", "discard JK", "stock", "pile"])
def test_every_refusal_is_a_sentence(text: str, position: Callable[..., RoisState]) -> None:
    states = [
        position("8C 9C 9P 12T", "3C 4C 6E", rank=3),
        position("8C 9C 9P 12T", "3C 4C 6E", rank=3, drawn="8C"),
        position("8C 9C 9P 12T", "3C 4C 6E", rank=3, drawn="8C", finisher=1),
        position("8C 9C 9P", "3C 4C 6E", rank=3, stock=""),
    ]
    for state in states:
        refusal = RULES.why_not(RULES.observation(state, 0), text)
        if refusal:
            said = display.why(refusal.code, refusal.params)
            assert said.endswith(".") and "%" not in said
            assert said != terms.error_sentence("no such code", {})


def test_why_one_cannot_go_out() -> None:
    said = display.why("not_all_laid", {"card": "8C", "left": ["9P", "12T"]})
    left = "9 of spades and queen of clubs"
    assert said == f"You cannot go out by discarding the 8 of hearts, because these cards would lie in no group: {left}."


def test_move_labels() -> None:
    labels = {text: display.move_label(text) for text in ("stock", "pile", "discard 11T", "out JK")}
    assert labels == {
        "stock": "Draw from the stock",
        "pile": "Take the top discard",
        "discard 11T": "Discard the jack of clubs",
        "out JK": "Go out and discard the joker",
    }


def shown(state: RoisState, viewer: int | None = 0) -> dict[str, Any]:
    return display.board(RULES.observation(state, viewer), NAMES)


def test_the_hand_lies_in_the_cheapest_groups(position: Callable[..., RoisState]) -> None:
    board = shown(position("7C 8C 10E 13P 13T 13K 9E 4T 11K", "3C", rank=10))
    groups = [(group["kind"], [held["card"] for held in group["cards"]]) for group in board["groups"]]
    assert groups == [("run", ["7C", "8C", "10E"]), ("set", ["13P", "13K", "13T"]), ("rest", ["11K", "4T", "9E"])]
    assert board["groups"][2]["label"] == "Left over · 23 points"
    assert board["worth"] == "133 points in hand"
    assert [held["wild"] for held in board["groups"][0]["cards"]] == [False, False, True]
    assert board["draw"] and not board["out"]


def test_two_copies_have_ids_of_their_own(position: Callable[..., RoisState]) -> None:
    board = shown(position("8C 8C 9P 9P 12T 13E", "3C", rank=5, drawn="9P"))
    held = [held for group in board["groups"] for held in group["cards"]]
    assert len({one["id"] for one in held}) == len({one["mark"] for one in held}) == 6
    assert sorted(one["id"] for one in held if one["card"] == "8C") == ["m-discard-8C", "m-discard-8C-2"]
    assert sum(one["drawn"] for one in held) == 1


def test_who_can_go_out_sees_what_he_would_lay(position: Callable[..., RoisState]) -> None:
    board = shown(position("5C 6C 7C 8C", "3C 4P 9E", rank=3, drawn="8C"))
    assert [way["text"] for way in board["out"]] == ["out 5C", "out 8C"]
    assert [group["kind"] for group in board["groups"]] == ["run", "rest"]
    assert not shown(position("5C 6C 7C 12P", "5P 6P 7P 9E", rank=3, acts=1, drawn="9E"), 0)["out"]


def test_others_see_no_hand(position: Callable[..., RoisState]) -> None:
    state = position("5C 6C 7C 8C", "3C 4P 9E", rank=3, drawn="8C")
    for viewer in (1, None):
        board = shown(state, viewer)
        text = str(board)
        assert "5C" not in text and "out 8C" not in text
    assert shown(state, None)["groups"] == []


def test_what_was_taken_and_what_was_laid(position: Callable[..., RoisState]) -> None:
    options = RoisOptions(fin_manche="dernier_tour")
    state = position("8C 8P 8K", "9C 9P 12K", "4C 4P 5T", rank=3, acts=1, finisher=0, known=((), (), (3,)), options=options)
    board = shown(state, 1)
    assert board["laid"] == {"sentence": "Ada is out and has laid:", "groups": [{"label": "Set", "cards": ["8P", "8C", "8K"]}]}
    assert board["taken"] == [{"name": "Léa", "cards": ["6P"]}]
    assert board["demand"] == "Ada is out. This is your last turn: draw a card."
    assert board["players"][0]["note"] == "out · dealer"


def test_the_round_before_and_the_sheet(position: Callable[..., RoisState]) -> None:
    state = position("8C 8P 8K 13E", "13C 6C 4C 5C 9E", rank=3, drawn="13E", totals=(7, 9))
    after = RULES.apply(state, 0, RoisMove.parse("out 13E"), CANONICAL).state
    seen = RULES.observation(after, 1)
    last = display.board(seen, NAMES)["last"]
    assert last["sentence"] == "Round 1: Ada went out."
    assert [row["won"] for row in last["rows"]] == [True, False]
    assert last["rows"][1]["cards"] == ["4C", "5C", "6C", "13C", "9E"]
    sheet = display.sheet(seen, NAMES[:2])
    assert sheet is not None
    assert sheet["rows"] == [{"label": "1 (3)", "scores": [0, 49]}]
    assert sheet["totals"] == [7, 58]
    assert display.sheet(RULES.observation(state, 1), NAMES) is None


def test_captions_name_the_wild_cards() -> None:
    caps = [display.caption({"hand_number": rank - 2, "round": rank}) for rank in (3, 10, 11, 12, 13)]
    assert caps[0] == "Round 1 of 11 · every 3 is wild"
    assert [cap.split(" · ")[1] for cap in caps[1:]] == [
        "every 10 is wild",
        "jacks are wild",
        "queens are wild",
        "kings are wild",
    ]
    for rank in (3, 11, 12, 13):
        for printed in (True, False):
            assert display.wild_sentence(rank, printed).startswith("Wild: ")


def test_the_options_in_sentences() -> None:
    house, official = RULES.options_json(HOUSE), RULES.options_json(OFFICIAL)
    assert GAME.sentence({}, 4) == GAME.sentence(house, 4)
    assert str(GAME.sentence(official, 2)).startswith("Les Cinq Rois, official rules for 2 players, eleven rounds.")
    assert RULES.read_options(GAME.presets["officielle"]["options"]) == OFFICIAL
    for name, values in RULES.choices.items():
        option = next(option for option in GAME.options if option.name == name)
        assert {value for value, _ in option.choices} == set(values)
        assert option.default == house[name]
        assert len({GAME.sentence({**house, name: value}, 3) for value in values}) == len(values)
