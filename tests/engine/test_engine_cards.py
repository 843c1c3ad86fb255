"""Decks and ladders against the definitions of the rules, card by card."""

from random import Random

import pytest

from games.engine.cards import SPANISH_40, members
from games.engine.ladders import SUITS, Ladders


def test_the_spanish_deck() -> None:
    assert SPANISH_40.size == 40
    assert SPANISH_40.cards[:10] == ("1O", "2O", "3O", "4O", "5O", "6O", "7O", "10O", "11O", "12O")
    assert [SPANISH_40.cards[i] for i in (10, 20, 30, 39)] == ["1C", "1E", "1B", "12B"]
    assert SPANISH_40.texts(SPANISH_40.mask(["12B", "7O", "10O"])) == ["7O", "10O", "12B"]
    assert "8O" not in SPANISH_40.numbers
    assert members(0) == []
    assert members(0b10110) == [1, 2, 4]


@pytest.mark.parametrize(("width", "pivot"), [(10, 4), (10, 5), (12, 5)])
@pytest.mark.parametrize("leaps", [False, True])
def test_ladders_follow_the_predicates(width: int, pivot: int, leaps: bool) -> None:
    """Rules 1.3, for random tables that the game can reach."""
    rng, ladders = Random(width), Ladders(width, pivot, leaps=leaps)
    for _ in range(300):
        table, expected_playable, expected_dead = 0, set(), set()
        for suit in range(SUITS):
            row = random_row(rng, width, pivot, leaps)
            table |= sum(1 << suit * width + i for i in row)
            low, high = min(row, default=0), max(row, default=0)
            assert ladders.ends(table, suit) == ((low, high) if row else None)
            for i in set(range(width)) - row:
                fits = (i < low or i > high) if leaps else i in (low - 1, high + 1)
                if fits if row else i == pivot:
                    expected_playable.add(suit * width + i)
                if leaps and row and low < i < high:
                    expected_dead.add(suit * width + i)
        assert set(members(ladders.playable(table))) == expected_playable
        assert set(members(ladders.dead(table))) == expected_dead


def random_row(rng: Random, width: int, pivot: int, leaps: bool) -> set[int]:
    """The indices played in one suit: none, or a run with or without gaps that contains the pivot."""
    if rng.random() < 0.2:
        return set()
    row = set(range(rng.randint(0, pivot), rng.randint(pivot, width - 1) + 1))
    return {i for i in row if i == pivot or rng.random() < 0.5} if leaps else row
