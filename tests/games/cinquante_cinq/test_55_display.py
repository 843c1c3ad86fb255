"""55 for people: every state can be drawn, every event, move and refusal has a sentence, forms make canonical texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from games import terms
from games.cinquante_cinq import display
from games.cinquante_cinq.game import GAME, sentence, title
from games.cinquante_cinq.moves import CARD_MOVES
from games.cinquante_cinq.rules import DISCARD, OVER, PLAY, RULEBOOK, FiftyFiveState
from games.cinquante_cinq.tricks import DECK
from games.engine.rules import Illegal, Malformed
from tests.games.cinquante_cinq.test_55_matches import ONE_DEAL, TABLES, match

RULES = RULEBOOK[1]
NAMES = ["Ada", "Bruno", "Chloé", "Diego", "Éloïse", "Farid", "Gaëlle", "Hugo", "Inès"]
FRAME = {"cards", "score", "dead", "dead_text", "backs", "note", "tricks"}


@pytest.fixture(autouse=True)
def _in_english() -> Any:
    with translation.override("en"):
        yield


@pytest.mark.parametrize(("seats", "sides"), TABLES)
def test_every_state_is_drawn_for_everybody(seats: int, sides: int) -> None:
    names, phases = NAMES[:seats], set()
    for state, _, step in match(seats, sides, 7, plies=2 * ONE_DEAL[seats], cible=20):
        for shown in (state, step.state):
            phases.add(shown.phase)
            for viewer in (None, 0, shown.turn):
                check_drawn(RULES.observation(shown, viewer), names)
        for event in step.events:
            assert display.sentence(json.loads(json.dumps(event)), names)
    assert phases >= {"auction", "discard", "trump", "play"}


def check_drawn(seen: dict[str, Any], names: list[str]) -> None:
    board = display.board(seen, names)
    assert all(player.keys() == FRAME for player in board["players"])
    assert len({place["where"] for place in board["places"]}) == len(names)
    assert sorted(held["card"] for held in board["hand"]) == sorted(seen["hand"])
    playable = {held["card"] for held in board["hand"] if held["playable"]}
    assert playable == ({text for text in seen["legal"] if text in DECK.numbers})
    my_card = seen["phase"] == PLAY and seen["me"] in seen["to_act"]
    assert all(bool(held["why"]) == (my_card and not held["playable"]) for held in board["hand"])
    assert bool(board["demand"]) == bool(seen["legal"])
    offered = {choice["text"] for choice in [*board["bids"], *board["suits"]]}
    assert offered == (set(seen["legal"]) if seen["phase"] in ("auction", "trump") else set())
    for can in (set(), {"play"}):
        html = render_to_string("cinquante_cinq/board.html", {"board": board, "me": seen["me"] is not None, "can": can})
        assert html
        assert 'style="' not in html
    sheet = display.sheet(seen, names)
    assert (sheet is None) == (not seen["sheet"])
    if sheet:
        assert all(len(row["scores"]) == seen["sides"] == len(sheet["names"]) for row in sheet["rows"])


def test_the_trick_by_seats_is_a_ring_and_with_nine_a_full_grid() -> None:
    for seats in range(2, 10):
        state = next(state for state, _, _ in match(seats, 0, 3) if state.phase == PLAY)
        for viewer in (None, seats - 1):
            places = display.board(RULES.observation(state, viewer), NAMES[:seats])["places"]
            nearest = 0 if viewer is None else viewer
            assert places[-1]["seat"] == nearest
            assert [place["seat"] for place in places] == [(nearest + 1 + step) % seats for step in range(seats)]
    assert len({place["where"] for place in places}) == 9


def test_the_hand_is_laid_with_trumps_first_from_the_highest(at_tricks: Callable[..., FiftyFiveState]) -> None:
    state = at_tricks("2P 10T RK VT AC", "3C 4C 6C 7C 8C", trump="T", turn=0)
    hand = display.board(RULES.observation(state, 0), NAMES[:2])["hand"]
    assert [held["card"] for held in hand] == ["VT", "AC", "10T", "2P", "RK"]
    assert [held["trump"] for held in hand] == [True, True, True, False, False]
    assert hand[1]["name"].endswith(", trump")


def test_the_last_trick_and_who_wins(at_tricks: Callable[..., FiftyFiveState], play: Callable[..., Any]) -> None:
    state = at_tricks("RK 3K RP 10C 7T", "RC 9C AK 4P 8T", "VK 2K DT 5T 6P", "5K AC DK RT 9P", trump="K", declarer=3, turn=1)
    after, events = play(state, "RC DT AC 10C 5K")
    board = display.board(RULES.observation(after, None), NAMES[:4])
    assert [row["card"] for row in board["last_trick"]["cards"]] == ["RC", "DT", "AC", "10C"]
    assert [row["won"] for row in board["last_trick"]["cards"]] == [False, False, True, False]
    assert board["last_trick"]["sentence"] == "Last trick: Diego took it."
    assert [place["seat"] for place in board["places"] if place["wins"]] == [3]
    assert board["players"][3]["tricks"] == 1
    assert board["players"][3]["note"] == "declarer 10"
    assert [display.sentence(event, NAMES) for event in events[-2:]] == ["Diego takes trick 1.", "Diego plays the 5 of diamonds."]


def test_the_score_sheet_tells_each_trick(at_tricks: Callable[..., FiftyFiveState], play: Callable[..., Any]) -> None:
    hands = ("RK 3K RP 10C 7T", "RC 9C AK 4P 8T", "VK 2K DT 5T 6P", "5K AC DK RT 9P")
    state = at_tricks(*hands, trump="K", declarer=3, contract=25, turn=1)
    after, events = play(state, "RC DT AC 10C 5K RK AK VK RT 7T 8T 5T DK 3K 9C 2K 9P RP 4P 6P")
    seen = RULES.observation(after, 1)
    sheet = display.sheet(seen, NAMES[:4])
    assert sheet is not None
    assert sheet["rows"] == [{"label": "1 · Diego 25, made", "scores": ["+5 (5)", "0", "0", "+25 (1 2★ 3 4)"]}]
    last = display.board(seen, NAMES[:4])["last"]
    assert last["sentence"] == "Deal 1: Diego promised 25 and scores 25 points."
    assert [row["count"] for row in last["rows"]] == ["1 trick", "0 tricks", "0 tricks", "4 tricks"]
    assert [row["score"] for row in last["rows"]] == [5, 0, 0, 25]
    assert last["rows"][3]["cards"] == ["AC", "5K", "RT", "DK", "9P"]
    assert display.sentence(events[-2], NAMES) == last["sentence"]


SENTENCES = [
    (["deal", 3, 1], "Deal 3: Bruno deals."),
    (["passed", 0], "Ada passes."),
    (["bid", 2, 20], "Chloé bids 20."),
    (["held", 0, 20], "Ada holds 20."),
    (["declarer", 0, 20], "Ada takes the kitty and plays for 20."),
    (["passed_out", 4], "Deal 4: everybody passed, nobody scores."),
    (["exchanged", 0, 5], "Ada throws 5 cards."),
    (["trump", 0, "T"], "Ada makes clubs trump."),
    (["played", 0, "10C"], "Ada plays the 10 of hearts."),
    (["trick", 0, 3], "Ada takes trick 3."),
    (["hand", 2, 0, 20, 0, [-20, 30]], "Deal 2: Ada promised 20, fails and loses 20 points."),
    (["hand", 2, 0, 60, 0, [-60, 5]], "Deal 2: Ada misses one of the five tricks and loses 60 points."),
    (["hand", 2, 0, 60, 1, [60, 0]], "Deal 2: Ada takes all five tricks and scores 60 points."),
    (["match", [1], 60, None], "Bruno wins the match with 60 points."),
    (["match", [0, 2], 55, 2], "Ada and Chloé are first to reach the target, in trick 3, and win the match with 55 points."),
    (["match", [1], 55, 0], "Bruno is first to reach the target, in trick 1, and wins the match with 55 points."),
    (["started"], "The match starts."),
]


@pytest.mark.parametrize(("event", "text"), SENTENCES, ids=[row[1][:40] for row in SENTENCES])
def test_sentences(event: list[Any], text: str) -> None:
    assert display.sentence(event, NAMES) == text


WHYS = [
    ("must_follow", {"suit": "T"}, "You have to follow with clubs, or play a trump."),
    ("must_follow_trump", {"led": "VP"}, "A trump was led, so you have to play one of your trumps."),
    ("not_in_hand", {"card": "AC"}, "You do not hold the ace of hearts."),
    ("must_raise", {"bid": 20}, "You have to bid more than 20, or pass."),
    ("throw_five", {"count": 4}, "Throw exactly five cards."),
    ("out_of_range", {"name": "cible", "low": 5, "high": 1000}, "The points to reach are a multiple of 5, from 5 to 1000."),
    ("no_such_sides", {"seats": 5, "sides": 2}, "This number of players cannot play in sides."),
    ("no_such_sides", {"seats": 8, "sides": 3}, "Eight players play alone, in 2 sides or in 4."),
    ("not_your_turn", {"to_act": [1]}, "It is not your turn."),
]


@pytest.mark.parametrize(("code", "params", "text"), WHYS, ids=[row[0] for row in WHYS])
def test_why(code: str, params: dict[str, Any], text: str) -> None:
    assert display.why(code, params) == text


CODES = ["must_follow", "must_follow_trump", "only_dealer_holds", "nothing_to_hold", "dealer_must_open", "not_now", "throw_five"]


@pytest.mark.parametrize("code", CODES)
def test_no_refusal_of_the_rules_falls_back_to_the_general_sentence(code: str) -> None:
    assert display.why(code, {"suit": "P", "phase": PLAY}) != terms.error_sentence("no such code", {})


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("pass", "Pass"),
        ("hold", "Hold the bid"),
        ("15", "Bid 15"),
        ("60", "Bid 60: all five tricks"),
        ("trump C", "Make hearts trump"),
        ("discard AP 2P 3P 4P 5P", "Throw these five cards"),
        ("10T", "Play the 10 of clubs"),
    ],
)
def test_buttons_name_the_move(text: str, label: str) -> None:
    assert display.move_label(text) == label


def test_every_card_has_a_label() -> None:
    assert len({display.move_label(str(move)) for move in CARD_MOVES}) == 52


def test_ticked_cards_make_the_canonical_text() -> None:
    assert display.read_move({"discard": ["9T", "DP", "3K", "4C", "2K"]}) == "discard DP 4C 2K 3K 9T"
    assert display.read_move({"seen": ["4"]}) == ""
    with pytest.raises(Illegal, match="throw_five"):
        display.read_move({"discard": ["9T", "9T", "DP", "3K", "4C"]})
    with pytest.raises(Illegal, match="throw_five"):
        display.read_move({"discard": list(DECK.cards[:6])})
    with pytest.raises(Malformed):
        display.read_move({"discard": ["9T", "DP", "3K", "4C", "8Z"]})


def test_the_exchange_offers_ten_boxes_and_the_trump_four_suits() -> None:
    found = 0
    for state, _, _ in match(4, 0, 1, plies=60):
        if state.phase not in (DISCARD, "trump"):
            continue
        found += 1
        board = display.board(RULES.observation(state, state.turn), NAMES[:4])
        html = render_to_string("cinquante_cinq/board.html", {"board": board, "me": True, "can": {"play"}})
        assert html.count('type="checkbox"') == (10 if state.phase == DISCARD else 0)
        assert html.count('value="trump ') == (0 if state.phase == DISCARD else 4)
        assert len(board["thrown"]) == (0 if state.phase == DISCARD else 5)
    assert found >= 2


def test_the_match_over_shows_its_last_trick() -> None:
    for seed in range(30):
        for _, _, step in match(2, 0, seed, cible=10):
            if step.state.phase == OVER:
                board = display.board(RULES.observation(step.state, 0), NAMES[:2])
                assert all(place["card"] for place in board["places"])
                assert board["status"].startswith("Last deal:")
                assert board["last_trick"]["sentence"].startswith("Last trick but one: "), "the last one lies on the table"
                return
    pytest.fail("no match ended")


@pytest.mark.parametrize(("seats", "sides"), [(2, 0), (4, 2), (9, 3)])
def test_a_deal_laid_open_shows_what_the_sheet_says(seats: int, sides: int) -> None:
    """What a seat's side gained: a made 60 is 60, a failed contract costs, partners share."""
    failed = 0
    for _, _, step in match(seats, sides, 5, plies=4 * ONE_DEAL[seats], cible=500):
        seen = RULES.observation(step.state, 0)
        if (last := display.board(seen, NAMES[:seats])["last"]) and last["rows"]:
            gains = seen["sheet"][-1]["gains"]
            assert [row["score"] for row in last["rows"]] == [gains[seat % len(gains)] for seat in range(seats)]
            failed += any(gain < 0 for gain in gains)
    assert failed
    assert display.sheet(seen, NAMES[:seats])["head"] == "Deal"


def test_what_the_lobby_says() -> None:
    assert str(title({"equipes": 0})) == "55"
    assert str(title({"equipes": 2})) == "55 in sides"
    assert sentence({}, 4) == (
        "55 for 4 players, everybody alone, to 55 points. The player left of the dealer leads first. "
        "If everybody passes, the cards are dealt again."
    )
    assert "in 2 sides, to 110 points" in sentence({"equipes": 2, "cible": 110}, 4)
    assert {option.name for option in GAME.options} == set(RULES.choices)
    for option in GAME.options:
        assert option.default == getattr(RULES.read_options({}), option.name)
        for value, _label in option.choices:
            assert RULES.read_options({option.name: value})
