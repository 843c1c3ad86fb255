"""The solver against brute force: points, partitions, discards to go out, and the counts the bots ask for."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.cinq_rois import melds
from games.cinq_rois.cards import DECK, JOKER, NUMBERS, WIDTH, Hand, added, rank, texts, without
from games.cinq_rois.melds import Law, Solver
from tests.games.cinq_rois import brute

CROWDED = tuple(card for card in DECK if card == JOKER or (card // WIDTH < 2 and rank(card) < 9))
"""Few suits and ranks: hands full of runs, sets and copies."""
OPTIONS = st.tuples(
    st.integers(3, 13),
    st.sampled_from(["couleurs_differentes", "libre"]),
    st.sampled_from(["toujours", "manches_11_12"]),
    st.sampled_from(["maison", "officiel"]),
)
MANY = settings(max_examples=150, deadline=None, derandomize=True, database=None)


def hands(low: int, high: int) -> st.SearchStrategy[Hand]:
    """Sorted hands of real cards, every other one crowded."""

    def drawn(deck: tuple[int, ...]) -> st.SearchStrategy[Hand]:
        places = st.lists(st.integers(0, len(deck) - 1), min_size=low, max_size=high, unique=True)
        return places.map(lambda chosen: tuple(sorted(deck[place] for place in chosen)))

    return st.one_of(drawn(DECK), drawn(CROWDED))


def law(options: tuple[int, str, str, str]) -> Law:
    number, brelan, jokers, bareme = options
    return Law(number, brelan == "libre", jokers == "toujours" or number in (11, 12), bareme == "officiel")


@MANY
@given(hands(3, 9), OPTIONS)
def test_points_and_partition(hand: Hand, options: tuple[int, str, str, str]) -> None:
    number, brelan, jokers, bareme = options
    want = brute.least(texts(hand), number, brelan, jokers, bareme)
    found = melds.best(hand, law(options))
    assert melds.least(hand, law(options)) == found.points == want
    assert sum(brute.cost(card, number, bareme) for card in texts(found.rest)) == want
    assert sorted([*(card for meld in found.melds for card in meld.cards), *found.rest]) == list(hand)
    assert all(brute.is_meld(texts(meld.cards), number, brelan, jokers) for meld in found.melds)


@MANY
@given(hands(4, 9), OPTIONS)
def test_discards_to_go_out(hand: Hand, options: tuple[int, str, str, str]) -> None:
    number, brelan, jokers, _ = options
    want = [card for card in sorted(set(hand)) if brute.least(texts(without(hand, card)), number, brelan, jokers) == 0]
    assert list(melds.going_out(hand, law(options))) == want


@MANY
@given(hands(4, 14), OPTIONS)
def test_a_solver_answers_for_each_discard_too(hand: Hand, options: tuple[int, str, str, str]) -> None:
    solver = Solver(hand, law(options))
    for card in set(hand):
        assert solver.least_without(card) == melds.least(without(hand, card), law(options))


@MANY
@given(hands(10, 14), OPTIONS)
def test_long_hands_are_laid_in_melds(hand: Hand, options: tuple[int, str, str, str]) -> None:
    number, brelan, jokers, _ = options
    found = melds.best(hand, law(options))
    assert found.points == melds.least(hand, law(options)) == melds.total(found.rest, law(options))
    assert sorted([*(card for meld in found.melds for card in meld.cards), *found.rest]) == list(hand)
    assert all(brute.is_meld(texts(meld.cards), number, brelan, jokers) for meld in found.melds)


def lacks_by_trying(hand: Hand, options: tuple[int, str, str, str], most: int) -> int:
    """How many cards must be replaced so that the hand can be laid, by trying every card; `most` if that many or more."""
    layer = {hand}
    for lost in range(most):
        if any(melds.least(one, law(options)) == 0 for one in layer):
            return lost
        if lost + 1 < most:
            layer = {added(without(one, old), new) for one in layer for old in set(one) for new in range(JOKER + 1)}
    return most


@settings(MANY, max_examples=60)
@given(hands(4, 8), st.integers(3, 13))
def test_lacks_and_wanted(hand: Hand, number: int) -> None:
    """`wanted` is exactly the naturals whose arrival shortens the way; one card lacking is checked by trying them all."""
    options = (number, "couleurs_differentes", "toujours", "maison")
    naturals = [card for card in sorted(set(hand)) if card not in melds.wilds(law(options))]
    for gone in naturals[:2]:
        solver, kept = Solver(hand, law(options), spare=True), without(hand, gone)
        lacks = solver.lacks(gone)
        assert min(lacks, 2) == lacks_by_trying(kept, options, 2)
        if not lacks:
            continue
        for card in range(JOKER):
            if card in melds.wilds(law(options)):
                continue
            after = Solver(added(kept, card), law(options), spare=True)
            throws = [other for other in set(added(kept, card)) if other not in melds.wilds(law(options))]
            assert (min(after.lacks(other) for other in throws) < lacks) == (card in solver.wanted(gone, lacks))


@pytest.mark.parametrize(
    ("cards", "number", "kinds"),
    [
        ("3C 4C 5C 6C 7C 8C", 9, ["run"]),
        ("3C 4C 5C 6P 6K 6E", 9, ["run", "set"]),
        ("JK JK JK JK JK JK", 9, ["wild", "wild"]),
        ("8P 8C 8K 8T 8E JK JK", 9, ["set", "set"]),
        ("3P 4P 5P 6P 7P 8P 9P 10P 11P 12P 13P JK JK", 4, ["run", "set"]),
        ("3P 4P 5P 6P 7P 8P 9P 10P 11P 12P 13P JK", 3, ["run", "run"]),
    ],
)
def test_how_melds_are_shown(cards: str, number: int, kinds: list[str]) -> None:
    hand = tuple(sorted(NUMBERS[card] for card in cards.split()))
    found = melds.best(hand, Law(number))
    assert not found.rest
    assert sorted(meld.kind for meld in found.melds) == sorted(kinds), [texts(meld.cards) for meld in found.melds]


def test_a_wild_stands_where_it_is_needed() -> None:
    found = melds.best(tuple(sorted(NUMBERS[card] for card in ["7C", "8C", "JK", "10C", "12P", "13P", "JK"])), Law(4))
    assert [texts(meld.cards) for meld in found.melds] == [["JK", "12P", "13P"], ["7C", "8C", "JK", "10C"]]
