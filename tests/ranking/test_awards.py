"""Who earns how many points: section 7.3 of the rules, with the half rule of 7.2."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.shares import clock_decided
from ranking.awards import Reason, awards


class Seat(NamedTuple):
    seat: int
    user_id: int | None
    rank: int
    own_moves: int = 10
    clock_moves: int = 0
    abandoned: bool = False


def deltas(*seats: Seat, counts: bool = True) -> dict[int, int]:
    return {award.user_id: award.delta for award in awards(seats, counts=counts)}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_winner_earns_ten_for_each_player_and_the_others_ten(players):
    seats = [Seat(n, 100 + n, rank=n + 1) for n in range(players)]
    assert deltas(*seats) == {100: 10 * players} | {100 + n: 10 for n in range(1, players)}


def test_example_of_the_rules_two_tied_winners_of_four():
    assert deltas(Seat(0, 1, 1), Seat(1, 2, 1), Seat(2, 3, 3), Seat(3, 4, 4)) == {1: 40, 2: 40, 3: 10, 4: 10}


def test_everybody_tied_wins():
    assert deltas(*(Seat(n, n + 1, 1) for n in range(3))) == {1: 30, 2: 30, 3: 30}


def test_match_that_nobody_wins_pays_every_finisher_ten():
    assert deltas(Seat(0, 1, 2), Seat(1, 2, 2)) == {1: 10, 2: 10}


def test_match_that_does_not_count_pays_nobody():
    assert awards([Seat(0, 1, 1), Seat(1, 2, 2)], counts=False) == ()


def test_every_member_of_a_winning_side_wins_like_a_single_winner():
    assert deltas(*(Seat(n, n + 1, 1 if n % 2 else 2) for n in range(6))) == {1: 10, 2: 60, 3: 10, 4: 60, 5: 10, 6: 60}


def test_who_abandoned_earns_nothing_even_when_his_side_wins():
    found = awards([Seat(0, 1, 3, abandoned=True), Seat(1, 2, 2), Seat(2, 3, 1), Seat(3, 4, 2)], counts=True)
    assert {award.user_id: award.delta for award in found} == {1: 0, 2: 10, 3: 40, 4: 10}
    assert found[0].reason is Reason.ABANDON


def test_the_winner_by_abandonment_earns_for_the_players_at_the_start():
    seats = [Seat(0, 1, 1), *(Seat(n, n + 1, 2, abandoned=True) for n in (1, 2))]
    assert deltas(*seats) == {1: 30, 2: 0, 3: 0}


def test_half_rule_pays_nothing_and_changes_nobody_elses_points():
    found = awards([Seat(0, 1, 1, own_moves=4, clock_moves=5), Seat(1, 2, 2), Seat(2, 3, 3)], counts=True)
    assert [(award.user_id, award.delta, award.reason) for award in found] == [
        (1, 0, Reason.ABSENT),
        (2, 10, Reason.FINISH),
        (3, 10, Reason.FINISH),
    ]


@pytest.mark.parametrize(
    ("own", "clock", "absent"), [(5, 5, False), (5, 6, True), (0, 1, True), (1, 0, False), (0, 0, False), (99, 100, True)]
)
def test_exactly_half_is_not_more_than_half(own, clock, absent):
    assert clock_decided(own, clock) is absent


def test_bots_count_as_players_and_earn_nothing():
    assert deltas(Seat(0, 1, 1), Seat(1, None, 2), Seat(2, None, 3)) == {1: 30}


def test_reasons():
    found = awards([Seat(1, 2, 2), Seat(0, 1, 1)], counts=True)
    assert [(award.seat, award.reason) for award in found] == [(0, Reason.WIN), (1, Reason.FINISH)]


@given(
    st.lists(st.tuples(st.integers(1, 4), st.integers(0, 60), st.integers(0, 60)), min_size=2, max_size=6),
)
def test_any_match_pays_multiples_of_ten_between_nothing_and_the_full_table(rows):
    seats = [Seat(n, n + 1, rank, own, clock) for n, (rank, own, clock) in enumerate(rows)]
    found = deltas(*seats)
    assert found.keys() == {seat.user_id for seat in seats}
    assert set(found.values()) <= {0, 10, 10 * len(seats)}
