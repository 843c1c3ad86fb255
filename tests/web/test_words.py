"""The words of cards, moves and facts: every card, every refusal and every event of Cinq is said in a whole sentence."""

from __future__ import annotations

import re

import pytest
from django.utils import translation

from games import terms
from games.cinq import display
from games.cinq.rules import DECK, LADDERS, RULEBOOK
from games.engine.chance import Chance
from games.layout_display import Picture
from games.templatetags import cards

NAMES = ["Ada", "Bruno", "Chloé"]


@pytest.fixture(autouse=True)
def _english():
    with translation.override("en"):
        yield


def walk(mode="piegeur", seats=3, plies=400, seed=b"w" * 32):
    """Observations and events of a whole match in which everybody plays the last legal move."""
    rules, chance = RULEBOOK[1], Chance(seed)
    state = rules.deal(rules.read_options({"mode": mode, "limite": 15}), seats, chance)
    yield state, list(rules.opening(state))
    for _ in range(plies):
        acting = rules.to_act(state)
        if not acting:
            return
        step = rules.apply(state, acting[0], rules.legal_moves(state, acting[0])[-1], chance)
        state = step.state
        yield state, list(step.events)


def test_every_card_has_an_index_and_two_names():
    assert [terms.card_index(card) for card in ("1O", "7C", "10E", "11B", "12O")] == ["A", "7", "J", "Kn", "K"]
    assert terms.card_name("1O") == "ace of coins"
    assert terms.the_card("10E") == "the jack of swords"
    assert len({terms.card_name(card) for card in DECK.cards}) == 40
    assert {terms.suit_class(card) for card in DECK.cards} == {"oros", "copas", "espadas", "bastos"}


@pytest.mark.parametrize(
    ("card", "deck", "corner", "name", "article"),
    [
        ("10P", "french", "10", "10 of spades", "the 10 of spades"),
        ("AC", "french", "A", "ace of hearts", "the ace of hearts"),
        ("VK", "french", "J", "jack of diamonds", "the jack of diamonds"),
        ("DT", "french", "Q", "queen of clubs", "the queen of clubs"),
        ("RK", "french", "K", "king of diamonds", "the king of diamonds"),
        ("8C", "crowns", "8", "8 of hearts", "the 8 of hearts"),
        ("11T", "crowns", "J", "jack of clubs", "the jack of clubs"),
        ("13E", "crowns", "K", "king of stars", "the king of stars"),
        ("JK", "crowns", "Jo", "joker", "the joker"),
        ("58", "numbers", "58", "58", "the 58"),
        ("0", "numbers", "0", "0", "the 0"),
    ],
)
def test_cards_of_the_other_decks(card, deck, corner, name, article):
    assert (terms.card_index(card, deck), terms.card_name(card, deck), terms.the_card(card, deck)) == (corner, name, article)


def test_spanish_has_a_word_for_each_deck_s_jack():
    with translation.override("es"):
        assert [terms.card_name(card) for card in ("10O", "10B")] == ["sota de oros", "sota de bastos"]
        assert [terms.card_name("VT", "french"), terms.the_card("11E", "crowns")] == ["jota de tréboles", "la jota de estrellas"]
        assert [terms.card_index("10O"), terms.card_index("VT", "french")] == ["S", "J"]


def test_every_card_of_every_deck_is_drawn_from_the_sprite(repository):
    sprite = (repository / "cinqsite/static/cards.svg").read_text()
    known = set(re.findall(r'<symbol id="([^"]+)"', sprite))
    french = [rank + suit for suit in "PCKT" for rank in ("A", *map(str, range(2, 11)), "V", "D", "R")]
    crowns = ["JK", *(f"{rank}{suit}" for suit in "PCKTE" for rank in range(3, 14))]
    spanish = [f"{rank}{suit}" for suit in "OCEB" for rank in range(1, 13)]
    for deck, texts in {"french": french, "crowns": crowns, "spanish": spanish}.items():
        for text in texts:
            html = cards.card(text, deck=deck)
            assert set(re.findall(r"#([^\"]+)", html)) <= known, text
            assert f'aria-label="{terms.card_name(text, deck)}"' in html
    assert cards.card("58", "legal", False, "numbers") == '<span class="card number legal" aria-hidden="true"><b>58</b></span>'
    assert cards.card("7C", deck="") == cards.card("7C")


def test_lists_and_counts():
    assert terms.people([]) == ""
    assert terms.people(["Ada"]) == "Ada"
    assert terms.people(NAMES) == "Ada, Bruno and Chloé"
    assert terms.passes(["Ada", "Bruno", "Ada"]) == "Ada and Bruno pass."
    assert (terms.card_count(1), terms.points(12)) == ("1 card", "12 points")


@pytest.mark.parametrize(
    ("seconds", "text"), [(120, "2 min"), (3600, "1 h"), (86400, "24 h"), (172800, "48 h"), (604800, "7 days")]
)
def test_durations(seconds, text):
    assert terms.duration(seconds) == text


@pytest.mark.parametrize(("mode", "seats"), [("piegeur", 3), ("piegeur", 4), ("classique", 2), ("classique", 4)])
def test_every_event_is_a_sentence_and_every_board_is_drawn(mode, seats):
    names = [*NAMES, "Diego"][:seats]
    rules = RULEBOOK[1]
    for state, events in walk(mode, seats):
        for event in events:
            sentence = display.sentence(event, names)
            assert sentence.endswith(".") and "%" not in sentence
        for seat in (None, *range(seats)):
            observation = rules.observation(state, seat)
            board = display.board(observation, names)
            assert [len(suit["slots"]) for suit in board["suits"]] == [10, 10, 10, 10]
            offered = [slot["card"] for suit in board["suits"] for slot in suit["slots"] if slot["state"] == "can"]
            assert sorted(offered) == sorted(board["choices"])
            assert bool(board["forced"]) == bool({"draw", "pass"} & set(observation["legal"]))
            for held in board["hand"]:
                if observation["legal"]:
                    assert held["playable"] != bool(held["why"])
                assert not held["dead"] or "dead" in held["why"]


def test_slots_follow_the_rules_document():
    """5, then the jack of cups in piégeur: 6 and 7 are dead, king and knight fit, so do 4 to ace (rules 3.1)."""
    played = {"O": [], "C": [5, 10], "E": [], "B": []}
    observation = {
        "mode": "piegeur", "played": played, "legal": ["12C"], "finished": False, "plays": [[0, "5C"], [1, "10C"]], "me": 2,
        "ladders": {"O": None, "C": [5, 10], "E": None, "B": None},
    }  # fmt: skip
    coins, cups, *_others = Picture(LADDERS["piegeur"], (1, 2, 3, 4, 5, 6, 7, 10, 11, 12), observation, NAMES).suits()
    assert [slot["state"] for slot in cups["slots"]] == [
        "can",
        "next",
        "on",
        "dead",
        "dead",
        "on",
        "next",
        "next",
        "next",
        "next",
    ]
    assert cups["summary"] == "Cups: from 5 to J; dead: 6, 7."
    assert [slot["state"] for slot in coins["slots"]] == ["bar"] * 5 + ["next"] + ["bar"] * 4


@pytest.mark.parametrize(
    ("code", "params"),
    [
        ("not_your_turn", {"to_act": [1]}),
        ("not_a_move", {"text": "x"}),
        ("not_in_hand", {"card": "7O"}),
        ("must_open_with", {"opening": "5O"}),
        ("closed_suit", {"card": "7O", "pivot": "5O"}),
        ("not_adjacent", {"card": "1O", "low": "4O", "high": "10O"}),
        ("not_adjacent", {"card": "1O", "low": "5O", "high": "5O"}),
        ("dead", {"card": "6O", "low": "5O", "high": "7O"}),
        ("must_play", {}),
        ("must_play_drawn", {"card": "7O"}),
        ("must_draw", {}),
        ("already_drawn", {}),
        ("no_stock", {}),
        ("seats", {"low": 2, "high": 4}),
        ("piegeur_needs_three", {}),
        ("unknown_option", {"name": "x"}),
        ("never heard of", {}),
    ],
)
def test_every_refusal_is_a_sentence(code, params):
    sentence = display.why(code, params)
    assert sentence.endswith(".") and "%" not in sentence


@pytest.mark.parametrize(
    "event", [["automatic", 0], ["took_back", 1], ["extended", 7200], ["started"], ["cancelled", "absent"], ["cancelled", "idle"]]
)
def test_facts_of_the_table_are_sentences(event):
    assert display.sentence(event, NAMES).endswith(".")
