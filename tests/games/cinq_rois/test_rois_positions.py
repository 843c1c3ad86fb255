"""The worked positions CR-1 to CR-30 of the rules document, and the turn and the end of a round around them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from games.cinq_rois import melds
from games.cinq_rois.cards import DECK, TEXTS, hand_of, texts
from games.cinq_rois.melds import Law
from games.cinq_rois.rules import RULEBOOK, RoisMove, RoisOptions, RoisState, hand_scores, law_of
from games.engine.chance import Chance, ScriptedChance
from games.engine.rules import Illegal
from tests.games.cinq_rois.brute import is_meld

RULES = RULEBOOK[1]
CANONICAL = ScriptedChance({}, canonical=True)


def law(rank: int, brelan: str = "couleurs_differentes", jokers: str = "toujours", bareme: str = "maison") -> Law:
    return law_of({"round": rank, "brelan": brelan, "jokers": jokers, "bareme": bareme})


def play(state: RoisState, seat: int, text: str, chance: Chance = CANONICAL) -> RoisState:
    return RULES.apply(state, seat, RoisMove.parse(text), chance).state


def test_cr_1_the_deck() -> None:
    cards = Counter(texts(DECK))
    assert len(DECK) == 116
    assert cards.pop("JK") == 6
    assert set(cards.values()) == {2} and len(cards) == 55


MELDS = [  # the rules document's number, rank, cards, one meld by default, one meld in `libre`
    ("CR-2", 9, "5C 6C 7C", True, True),
    ("CR-2", 9, "5C 6C 7P", False, False),
    ("CR-2", 9, "5C 7C 8C", False, False),
    ("CR-3", 9, "12C 13C JK", True, True),
    ("CR-3", 9, "12C 13C 3C", False, False),
    ("CR-4", 5, "8P 8C 8K", True, True),
    ("CR-4", 5, "8P 8P 8K", False, True),
    ("CR-5", 7, "9K 7T 11K", True, True),
    ("CR-5", 7, "6K 7E 7T 9K", True, True),
    ("CR-6", 7, "7P JK 7C", True, True),
    ("CR-6", 5, "8C JK JK", True, True),
    ("CR-7", 5, "8P 8C 8K 8T 8E JK", False, True),
    ("CR-8", 13, "3P 4P 5P 6P 7P 8P 9P 10P 11P 12P 13C", True, True),
    ("CR-8", 9, "3P 4P 5P 6P 7P 8P 9P 10P 11P 12P 13P JK", False, False),
]


@pytest.mark.parametrize(("number", "rank", "cards", "one", "free"), MELDS)
def test_cr_2_to_8_melds(number: str, rank: int, cards: str, one: bool, free: bool) -> None:
    """Cards that are one meld cost nothing; those of CR-7 and CR-8 that are not can still all be laid, as two melds."""
    for brelan, single in (("couleurs_differentes", one), ("libre", free)):
        assert is_meld(cards.split(), rank, brelan) == single, number
        found = melds.best(hand_of(cards.split()), law(rank, brelan))
        assert (found.points == 0) == (single or number in ("CR-7", "CR-8"))
        assert all(is_meld(texts(meld.cards), rank, brelan) for meld in found.melds)
        if not single and number in ("CR-7", "CR-8"):
            assert len(found.melds) > 1


def test_cr_7_splits_three_and_three() -> None:
    found = melds.best(hand_of(["8P", "8C", "8K", "8T", "8E", "JK"]), law(5))
    assert sorted(len(meld.cards) for meld in found.melds) == [3, 3]


@pytest.mark.parametrize(("rank", "points"), [(5, 67), (11, 0), (12, 0)])
def test_cr_9_printed_jokers_of_two_rounds_only(rank: int, points: int) -> None:
    assert melds.least(hand_of(["8C", "9C", "JK"]), law(rank, jokers="manches_11_12")) == points


@pytest.mark.parametrize(
    ("rank", "cards", "bareme", "points"),
    [
        (5, "3P 9C 10K 11T 12E 13P JK", "maison", 117),
        (5, "3P 9C 10K 11T 12E 13P JK", "officiel", 108),
        (13, "13P 13C", "maison", 40),
        (12, "13P 13C", "maison", 50),
        (10, "10P 3C", "maison", 23),
        (3, "3P 3C JK", "maison", 90),
    ],
)
def test_cr_10_and_11_points(rank: int, cards: str, bareme: str, points: int) -> None:
    assert melds.total(hand_of(cards.split()), law(rank, bareme=bareme)) == points


GOING_OUT = [
    ("CR-12", 3, "5C 6C 7C 12P", "couleurs_differentes", "12P"),
    ("CR-13", 3, "5C 6C 7C 8C", "couleurs_differentes", "5C 8C"),
    ("CR-14", 5, "4C 4P 4K 9C 9P 9K", "couleurs_differentes", ""),
    ("CR-14", 5, "4C 4P 4K 9C 9P 9K", "libre", ""),
    ("CR-15", 6, "4C 4P 4K 4T 9C 9P 9K", "couleurs_differentes", "4C 4P 4K 4T"),
    ("CR-16", 3, "8P 8P 8K 12C", "couleurs_differentes", ""),
    ("CR-16", 3, "8P 8P 8K 12C", "libre", "12C"),
    ("CR-17", 3, "3P 3C JK 13E", "couleurs_differentes", "3P 3C JK 13E"),
    ("CR-20", 6, "8C 8P 8P 8K 5C 6C 7C", "couleurs_differentes", "8P"),
    ("CR-20", 6, "8C 8P 8P 8K 5C 6C 7C", "libre", "8P 8C 8K 5C"),
]


@pytest.mark.parametrize(("number", "rank", "cards", "brelan", "out"), GOING_OUT)
def test_cr_12_to_20_going_out(
    number: str, rank: int, cards: str, brelan: str, out: str, position: Callable[..., RoisState]
) -> None:
    """`legal_moves` offers exactly these, `apply` accepts exactly these."""
    state = position(cards, "3E " * rank, rank=rank, drawn=cards.split(maxsplit=1)[0], options=RoisOptions(brelan=brelan))
    offered = {str(move) for move in RULES.legal_moves(state, 0)}
    assert {text.split()[1] for text in offered if text.startswith("out")} == set(out.split()), number
    assert {text.split()[1] for text in offered if text.startswith("discard")} == set(cards.split())
    for card in set(cards.split()):
        if card in out.split():
            assert play(state, 0, f"out {card}").sheet[0][0] == 0
        else:
            with pytest.raises(Illegal, match="not_all_laid"):
                play(state, 0, f"out {card}")


def test_cr_17_leaves_a_meld_of_wilds_alone(position: Callable[..., RoisState]) -> None:
    step = RULES.apply(position("3P 3C JK 13E", "4E 5E 6E", rank=3, drawn="13E"), 0, RoisMove.parse("out 13E"), CANONICAL)
    assert step.events[0] == ("out", 0, "13E", [["3P", "3C", "JK"]])


PARTITIONS = [
    ("CR-21", 5, "4C 4P 4K 9C 13P", "toujours", 34, "13P 9C"),
    ("CR-22", 5, "6C 7C 8C 8P 8K", "toujours", 13, "6C 7C"),
    ("CR-24", 4, "4C JK 9P 13K", "toujours", 9, "9P"),
    ("CR-25", 12, "3C 4C 5C 6C 7C 8C 9C 10C 11C 13C 12P 12K", "toujours", 0, ""),
    ("CR-27", 5, "8C 8P JK 5C 9E", "manches_11_12", 59, "9E JK"),
    ("CR-27", 5, "8C 8P JK 5C 9E", "toujours", 9, "9E"),
    ("CR-28", 12, "12P JK", "toujours", 70, "12P JK"),
]


@pytest.mark.parametrize(("number", "rank", "cards", "jokers", "points", "rest"), PARTITIONS)
def test_cr_21_to_28_partitions(number: str, rank: int, cards: str, jokers: str, points: int, rest: str) -> None:
    hand = hand_of(cards.split())
    found = melds.best(hand, law(rank, jokers=jokers))
    assert (found.points, texts(found.rest)) == (points, rest.split()), number
    assert melds.least(hand, law(rank, jokers=jokers)) == points
    laid = [card for meld in found.melds for card in meld.cards]
    assert sorted([*laid, *found.rest]) == list(hand)
    assert all(is_meld(texts(meld.cards), rank, jokers=jokers) for meld in found.melds)


def test_cr_21_counts_the_whole_hand_by_default() -> None:
    hands = (hand_of(["4C", "4P", "4K", "9C", "13P"]), hand_of(["6C", "7C", "8C"]))
    assert hand_scores(hands, 1, "immediat", law(5)) == (46, 0)
    assert hand_scores(hands, 1, "dernier_tour", law(5)) == (34, 0)


def test_cr_25_is_one_run_too_long_and_is_split() -> None:
    found = melds.best(hand_of(["3C", "4C", "5C", "6C", "7C", "8C", "9C", "10C", "11C", "13C", "12P", "12K"]), law(12))
    assert len(found.melds) > 1


@pytest.mark.parametrize(("fin_manche", "points"), [("immediat", 51), ("dernier_tour", 18), ("immediat_combinaisons", 51)])
def test_cr_29_the_last_turn(fin_manche: str, points: int, position: Callable[..., RoisState]) -> None:
    state = position(
        "8C 8P 8K 8T JK 12T", "4C 4P 9C 9P 13K", rank=5, stock="4K 3E", drawn="12T", options=RoisOptions(fin_manche=fin_manche)
    )
    state = play(state, 0, "out 12T")
    if fin_manche == "dernier_tour":
        assert state.sheet == () and state.turn == 1
        state = play(play(state, 1, "stock"), 1, "discard 13K")
    assert state.sheet == ((0, points),)


def test_cr_30_the_end(position: Callable[..., RoisState]) -> None:
    over = position("3C", "3P", "3K", rank=13, turn=None, totals=(120, 97, 97))
    assert [place.rank for place in RULES.outcome(over)] == [3, 1, 1]
    assert [place.score for place in RULES.outcome(over)] == [120, 97, 97]


def test_the_deal_and_the_first_turn(stacked: Callable[..., ScriptedChance]) -> None:
    chance = stacked("5C 6C 12T", "3P 4P 9E", "13E 13T 10K", up="7C", stock="8K 5T", dealer=2)
    state = RULES.deal(RoisOptions(), 3, chance)
    assert [texts(hand) for hand in state.hands] == [["5C", "6C", "12T"], ["3P", "4P", "9E"], ["10K", "13T", "13E"]]
    assert (state.dealer, state.turn, texts(state.pile), len(state.stock)) == (2, 0, ["7C"], 106)
    assert RULES.opening(state) == (("deal", 1, 0, 2, [3, 3, 3], 106, "7C"),)
    step = RULES.apply(state, 0, RoisMove.parse("pile"), chance)
    assert step.events == (("took", 0, "7C"),)
    assert step.same_turn and step.state.turn == 0 and step.state.pile == ()
    step = RULES.apply(step.state, 0, RoisMove.parse("out 12T"), chance)
    assert step.events[0] == ("out", 0, "12T", [["5C", "6C", "7C"]])
    assert step.events[1] == (
        "hand",
        1,
        [0, 33, 60],
        [0, 33, 60],
        [["5C", "6C", "7C"], ["3P", "4P", "9E"], ["10K", "13T", "13E"]],
        [0],
    )
    assert step.events[2][:5] == ("deal", 2, 1, 0, [4, 4, 4])
    assert (step.state.hand_no, step.state.dealer, step.state.turn) == (2, 0, 1)


def test_a_card_of_the_stock_is_not_told(position: Callable[..., RoisState]) -> None:
    step = RULES.apply(position("8C 9P", "3C 4C", stock="JK 3E"), 0, RoisMove.parse("stock"), CANONICAL)
    assert step.events == (("drew", 0),)
    assert step.same_turn
    assert RULES.observation(step.state, 0)["drawn"] == "JK"
    assert RULES.observation(step.state, 1)["drawn"] is None
    assert RULES.observation(step.state, 1)["source"] == "stock"


def test_an_empty_stock_is_made_anew_of_the_discards_but_the_top(position: Callable[..., RoisState]) -> None:
    state = position("8C 9P", "3C 4C", stock="", pile="3E 4E 6E 13T")
    assert [str(move) for move in RULES.legal_moves(state, 0)] == ["stock", "pile"]
    chance = ScriptedChance({"reshuffle/3/1": [2, 0, 1]})
    step = RULES.apply(state, 0, RoisMove.parse("stock"), chance)
    assert step.events == (("reshuffled", 3), ("drew", 0))
    assert (texts(step.state.stock), texts(step.state.pile), TEXTS[step.state.drawn or 0]) == (["3E", "4E"], ["13T"], "6E")
    assert step.state.reshuffles == 1


def test_without_stock_and_discards_the_pile_must_be_taken(position: Callable[..., RoisState]) -> None:
    state = position("8C 9P", "3C 4C", stock="", pile="13T")
    assert [str(move) for move in RULES.legal_moves(state, 0)] == ["pile"]
    assert RULES.forced(state) == (0, RoisMove.parse("pile"))
    with pytest.raises(Illegal, match="no_stock"):
        play(state, 0, "stock")
    assert RULES.forced(state._replace(stock=(3,))) is None
    assert RULES.forced(play(state, 0, "pile")) is None


def test_the_card_just_taken_may_be_thrown_back(position: Callable[..., RoisState]) -> None:
    state = play(play(position("8C 9P 3T 3K 6E", "3C 4C"), 0, "pile"), 0, "discard 13T")
    assert (texts(state.pile), state.turn, state.known) == (["13T"], 1, ((), ()))


def test_everybody_remembers_what_was_taken(position: Callable[..., RoisState]) -> None:
    state = play(play(position("8C 9P 3T 3K 6E", "3C 4C", pile="9P 13T"), 0, "pile"), 0, "discard 9P")
    assert texts(state.known[0]) == ["13T"]
    assert RULES.observation(state, None)["known"] == [["13T"], []]
    assert RULES.observation(state, None)["pile"] == ["9P", "9P"]


def test_going_out_in_a_last_turn_is_not_possible(position: Callable[..., RoisState]) -> None:
    state = position(
        "8C 8P 8K",
        "9C 9P 9K 13E",
        "4C 4P 5T",
        rank=3,
        acts=1,
        stock="7E 4E",
        drawn="13E",
        finisher=0,
        options=RoisOptions(fin_manche="dernier_tour"),
    )
    assert all(str(move).startswith("discard") for move in RULES.legal_moves(state, 1))
    with pytest.raises(Illegal, match="last_turn"):
        play(state, 1, "out 13E")
    state = play(state, 1, "discard 13E")
    assert (state.turn, state.sheet) == (2, ())
    state = play(play(state, 2, "stock"), 2, "discard 5T")
    assert state.sheet == ((0, 0, 15),)
    assert state.last_hand is not None and state.last_hand.finisher == 0


def test_the_three_hundredth_turn_ends_a_round_without_points(position: Callable[..., RoisState]) -> None:
    state = position("8C 9P 3T 3K 6E 13E", "3C 4C", drawn="13E", turns=299, totals=(7, 9))
    step = RULES.apply(state, 0, RoisMove.parse("discard 13E"), CANONICAL)
    assert step.events[1][:4] == ("hand", 3, [0, 0], [7, 9])
    assert step.events[1][5] == []
    assert step.events[2][:2] == ("deal", 4)
    assert (step.state.totals, step.state.sheet) == ((7, 9), ((0, 0),))
    assert step.state.last_hand is not None and step.state.last_hand.finisher is None
    going_out = play(position("8C 8P 8K 13E", "3E 4C 5P", rank=3, drawn="13E", turns=299), 0, "out 13E")
    assert going_out.sheet == ((0, 29),)


def test_the_last_round_ends_the_match(position: Callable[..., RoisState]) -> None:
    hand = "3P 4P 5P 6P 7P 8P 9P 10P 11P 12P 8C 8K 8T 3T"
    state = position(hand, "3E", "4E", rank=13, drawn="3T", totals=(60, 57, 0))
    step = RULES.apply(state, 0, RoisMove.parse("out 3T"), CANONICAL)
    assert [event[0] for event in step.events] == ["out", "hand", "match"]
    assert step.events[2] == ("match", [2], [60, 60, 4])
    assert RULES.to_act(step.state) == ()
    assert [place.rank for place in RULES.outcome(step.state)] == [2, 2, 1]
    tied = RULES.apply(state._replace(totals=(60, 57, 56)), 0, RoisMove.parse("out 3T"), CANONICAL)
    assert tied.events[2] == ("match", [0, 1, 2], [60, 60, 60])
