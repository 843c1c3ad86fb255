"""Who gets the pot: rules 7.2, 7.5 and 7.6, case by case, and that no token is made or lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from games.engine.shares import Finished, clock_decided, shares


def alone(*how: tuple[int, str]) -> list[Finished]:
    """Everybody for himself: (rank, "" or "left" or "absent")."""
    return [Finished(seat, rank, word == "left", word == "absent") for seat, (rank, word) in enumerate(how)]


def teams(*how: tuple[int, int, str]) -> list[Finished]:
    """(side, rank, word) of each seat."""
    return [Finished(side, rank, word == "left", word == "absent") for side, rank, word in how]


def test_the_winner_takes_the_pot():
    assert shares(alone((2, ""), (1, ""), (3, "")), 50) == (0, 150, 0)


def test_tied_winners_share_and_the_rest_goes_in_seat_order():
    assert shares(alone((1, ""), (3, ""), (1, "")), 5) == (8, 0, 7)
    assert shares(alone((1, ""), (1, ""), (1, ""), (4, "")), 10) == (14, 13, 13, 0)


def test_the_members_of_a_side_share():
    assert shares(teams((0, 2, ""), (1, 1, ""), (0, 2, ""), (1, 1, "")), 10) == (0, 20, 0, 20)


def test_the_stake_of_who_left_stays_in_the_pot():
    assert shares(alone((1, ""), (2, ""), (3, "left")), 10) == (30, 0, 0)
    assert shares(alone((1, ""), (2, "left")), 10) == (20, 0)


def test_a_partner_who_left_has_no_part():
    assert shares(teams((0, 1, ""), (1, 2, ""), (0, 3, "left"), (1, 2, "")), 10) == (40, 0, 0, 0)


def test_the_part_of_an_absent_winner_goes_to_the_best_other_side():
    assert shares(alone((1, "absent"), (3, ""), (2, "")), 10) == (0, 0, 30)
    assert shares(alone((1, "absent"), (1, ""), (3, "")), 10) == (0, 30, 0)
    assert shares(alone((1, "absent"), (2, "absent"), (3, "")), 10) == (0, 0, 30)
    assert shares(alone((1, "absent"), (2, ""), (2, "")), 5) == (0, 8, 7)


def test_in_a_side_too():
    assert shares(teams((0, 1, "absent"), (1, 2, ""), (0, 1, ""), (1, 2, "")), 10) == (0, 10, 20, 10)
    # Nobody of another side may win tokens: the partner has it.
    assert shares(teams((0, 1, "absent"), (1, 2, "left"), (0, 1, ""), (1, 2, "absent")), 10) == (0, 0, 40, 0)


def test_if_all_were_absent_the_stakes_go_back():
    assert shares(alone((1, "absent"), (2, "absent")), 10) == (10, 10)
    assert shares(alone((1, "absent"), (2, "left")), 10) == (10, 10)


def test_a_match_that_nobody_wins():
    assert shares(alone((2, ""), (2, ""), (2, "")), 10) == (10, 10, 10)
    assert shares(alone((2, ""), (2, "left"), (2, "")), 5) == (8, 0, 7)
    assert shares(alone((2, "absent"), (2, "left"), (2, "")), 5) == (5, 0, 10)


def test_in_a_match_that_nobody_wins_the_part_of_an_absent_one_goes_to_the_other_side():
    # Each finisher's part of the 10 tokens left behind is 4, 3, 3; the first one's goes to the other side, not to the partner.
    assert shares(teams((0, 2, "absent"), (1, 2, ""), (0, 2, ""), (1, 2, "left")), 10) == (10, 17, 13, 0)
    # Nobody of another side may win tokens: the partner has it.
    assert shares(teams((0, 2, "absent"), (1, 2, "left"), (0, 2, ""), (1, 2, "absent")), 10) == (10, 0, 20, 10)


def test_exactly_half_is_not_more_than_half():
    assert not clock_decided(5, 5)
    assert clock_decided(5, 6)
    assert not clock_decided(0, 0)


@given(
    st.integers(2, 9),
    st.sampled_from([1, 2, 3]),
    st.integers(0, 10_000),
    st.lists(st.tuples(st.integers(1, 4), st.sampled_from(["", "", "left", "absent"])), min_size=9, max_size=9),
)
def test_the_shares_always_add_up_to_the_pot(count, size, stake, how):
    sides = max(2, count // size)
    seats = [
        Finished(seat % sides, how[seat % sides][0], how[seat][1] == "left", how[seat][1] == "absent") for seat in range(count)
    ]
    found = shares(seats, stake)
    assert sum(found) == stake * count
    assert min(found) >= 0
    able = any(not seat.abandoned and not seat.absent for seat in seats)
    assert not able or all(found[number] == 0 for number, seat in enumerate(seats) if seat.abandoned)
