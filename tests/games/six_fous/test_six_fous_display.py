"""Six fous for people: every event is a sentence, every board is drawn, dead cards lie in front of their owners."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from games.engine.chance import Chance, ScriptedChance
from games.six_fous import display
from games.six_fous.game import GAME, sentence
from games.six_fous.rules import RULEBOOK, SixFousMove, SixFousOptions, SixFousState

RULES = RULEBOOK[1]
NAMES = ["Ada", "Bruno", "Chloé", "Diego"]


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    with translation.override("en"):
        yield


def walk(jeu: int, seats: int) -> Iterator[tuple[SixFousState, list[Any]]]:
    """States and events of a whole match in which everybody plays the last legal move."""
    chance = Chance(b"w" * 32)
    state = RULES.deal(SixFousOptions(jeu, 50), seats, chance)
    yield state, list(RULES.opening(state))
    while state.turn is not None:
        step = RULES.apply(state, state.turn, RULES.legal_moves(state, state.turn)[-1], chance)
        state = step.state
        yield state, list(step.events)


@pytest.mark.parametrize(("jeu", "seats"), [(40, 3), (40, 4), (48, 3), (48, 4)])
def test_every_event_is_a_sentence_and_every_board_is_drawn(jeu: int, seats: int) -> None:
    names = NAMES[:seats]
    kinds = set()
    for state, events in walk(jeu, seats):
        for event in events:
            kinds.add(event[0])
            told = display.sentence(event, names)
            assert told.endswith(".")
            assert "%" not in told
        for seat in (None, *range(seats)):
            seen = RULES.observation(state, seat)
            board = display.board(seen, names)
            assert [len(suit["slots"]) for suit in board["suits"]] == [jeu // 4] * 4
            offered = [slot["card"] for suit in board["suits"] for slot in suit["slots"] if slot["state"] == "can"]
            assert sorted(offered) == sorted(board["choices"])
            assert bool(board["forced"]) == ("pass" in seen["legal"])
            piles = [[dead["card"] for dead in pile["cards"]] for pile in board["aside"]]
            assert piles == [cards for cards in seen["aside"] if cards]
            assert all(player["dead"] == len(pile) for player, pile in zip(board["players"], seen["aside"], strict=True))
            if seen["legal"]:
                assert all(held["playable"] != bool(held["why"]) for held in board["hand"])
    assert kinds - {"passed"} == {"deal", "played", "aside", "hand", "match"}
    sheet = display.sheet(seen, names)
    assert sheet is not None
    assert sheet["totals"] == list(state.totals)


def test_sentences(position: Callable[..., SixFousState]) -> None:
    state = position("3B 2O", "4B 7B 6O", "5B 1B", "6C 6E", ladders="B[6..6]")
    events = RULES.apply(state, 0, SixFousMove.parse("3B"), ScriptedChance({}, canonical=True)).events
    assert [display.sentence(event, NAMES) for event in events] == [
        "Ada plays the 3 of clubs.",
        "Bruno sets aside the 4 of clubs. Chloé sets aside the 5 of clubs.",
    ]
    hand = ("hand", 3, [15, 20, 10], [15, 20, 10], [13, 13, 10], [["1O"], [], ["2O", "3O", "4O"]], [0, 1])
    assert display.sentence(hand, NAMES) == "Hand 3: Ada and Bruno share it."
    assert display.move_label("8E") == "Play the 8 of swords"


@pytest.mark.parametrize(
    ("code", "params", "text"),
    [
        ("set_aside", {"card": "4B"}, "You have set aside the 4 of clubs: it is dead."),
        ("not_in_hand", {"card": "8O"}, "You do not hold the 8 of coins."),
        ("must_open_with", {"opening": "6O"}, "This hand opens with the 6 of coins."),
        ("closed_suit", {"card": "7O", "pivot": "6O"}, "This suit is closed: the 6 of coins comes first."),
        ("must_play", {}, "You hold a card that fits, so you have to play one."),
        ("seats", {"low": 2, "high": 4}, "This game is for 2 to 4 players."),
        ("never heard of", {}, "This move is not allowed now."),
    ],
)
def test_refusals_are_sentences(code: str, params: dict[str, Any], text: str) -> None:
    assert display.why(code, params) == text


def test_what_the_turn_asks(position: Callable[..., SixFousState]) -> None:
    def asked(state: SixFousState) -> str:
        return str(display.board(RULES.observation(state, state.turn), NAMES[:2])["demand"])

    assert asked(position("6O", "7O", opening="6O")) == "This hand opens with the 6 of coins."
    assert asked(position("6O", "7O")) == "The table is empty: lead any 6."
    assert asked(position("7O", "6O")) == "None of your cards fits: you pass."
    assert asked(position("7O", "8O", ladders="O[6..6]")) == ""


def test_the_board_shows_dead_cards_in_front_of_their_owners(position: Callable[..., SixFousState]) -> None:
    state = position("4O 7O 2O", "3C", "6E", ladders="O[3..6]")
    board = display.board(RULES.observation(state, 0), NAMES[:3])
    html = render_to_string("six_fous/board.html", {"board": board, "me": True, "can": {"play"}, "picked": ""})
    assert re.findall(r'class="dead-chip \w+" role="img" aria-label="([^"]+)"', html) == ["4 of coins"]
    assert 'value="7O"' in html
    assert 'value="4O"' not in html
    assert "style=" not in html
    assert "Ada has set aside: 4 of coins." in board["text"]["players"]
    watching = render_to_string("six_fous/board.html", {"board": display.board(RULES.observation(state, None), NAMES[:3])})
    assert "7O" not in watching


def test_the_game_in_a_sentence() -> None:
    assert sentence({}, 4) == "Six fous for 4 players with 40 cards, up to 100 points."
    assert sentence({"jeu": 48, "limite": 50}, 3) == "Six fous for 3 players with 48 cards, up to 50 points."
    assert {option.name for option in GAME.options} == set(RULES.choices)
    assert not GAME.leftward
