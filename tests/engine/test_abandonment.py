"""Who wins when people leave: rules 7.6, case by case."""

from __future__ import annotations

import pytest

from games.engine.abandonment import live_sides, places, seats_out
from games.engine.rules import Place


def alone(*ranks: int) -> list[Place]:
    """Everybody for himself, with these ranks."""
    return [Place(seat, rank, 100 - rank) for seat, rank in enumerate(ranks)]


def sided(*ranks: int, seats: int) -> list[Place]:
    """Seat s plays for side s mod the number of ranks."""
    return [Place(seat % len(ranks), ranks[seat % len(ranks)], 0) for seat in range(seats)]


def ranks(outcome: list[Place], *out: int, by_total: bool = True) -> list[int]:
    return [place.rank for place in places(outcome, out, by_total=by_total)]


def test_nobody_left_changes_nothing():
    outcome = alone(2, 1, 3)
    assert places(outcome, (), by_total=True) == tuple(outcome)


def test_the_last_one_left_wins_whatever_he_had():
    assert ranks(alone(1, 2), 0) == [2, 1]
    assert ranks(alone(1, 2, 3, 4), 0, 1, 2) == [2, 2, 2, 1]


def test_the_best_of_the_others_wins():
    assert ranks(alone(1, 2, 3, 4), 0) == [4, 1, 2, 3]
    assert ranks(alone(3, 1, 2), 1) == [2, 3, 1]


def test_others_who_tie_win_together():
    assert ranks(alone(1, 2, 2, 4), 0) == [4, 1, 1, 3]


def test_a_loser_who_leaves_is_behind_the_other_losers():
    assert ranks(alone(1, 3, 2), 2) == [1, 2, 3]


def test_a_partner_still_wins_and_the_one_who_left_does_not():
    assert ranks(sided(1, 2, seats=4), 2) == [1, 2, 3, 2]


def test_a_side_is_out_when_all_its_people_have_left():
    assert live_sides([0, 1, 0, 1], {0, 2}) == {1}
    assert ranks(sided(1, 2, seats=4), 0, 2) == [2, 1, 2, 1]


def test_of_three_sides_the_best_of_the_two_left_wins():
    assert ranks(sided(1, 3, 2, seats=6), 0, 3) == [3, 2, 1, 3, 2, 1]


def test_a_line_of_a_side_that_is_out_is_a_draw_for_the_others():
    assert ranks(sided(1, 2, 2, seats=6), 0, 3, by_total=False) == [2] * 6


def test_a_line_of_a_side_that_stayed_wins():
    assert ranks(sided(1, 2, 2, seats=6), 1, 4, by_total=False) == [1, 3, 2, 1, 3, 2]


def test_a_draw_stays_one_and_everybody_shares_rank_two():
    assert ranks(sided(2, 2, 2, seats=3), 1, by_total=False) == [2, 2, 2]


@pytest.mark.parametrize(
    ("left", "bots", "out"),
    [
        ({0}, {2}, {0, 2}),  # the bot's only person has left: its side is out
        ({1}, {2}, {1}),  # the partner of a person plays on
        ({0}, {1, 2, 3}, {0, 2}),  # a side of bots alone counts as a player
        (set(), {1}, set()),
    ],
)
def test_bots_count_as_players_but_not_for_people_who_left(left, bots, out):
    assert seats_out([0, 1, 0, 1], left, bots) == out
