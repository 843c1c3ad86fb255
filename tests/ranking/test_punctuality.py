"""The share of the last fifty turns played in time."""

from __future__ import annotations

import pytest

from games import esteem
from ranking import punctuality

from .conftest import make_match

pytestmark = pytest.mark.django_db


def test_nobody_knows_a_newcomer(alice, bob):
    make_match([alice, bob], [1, 2], moves=[(0, 0), (1, 0)])
    assert punctuality.share(alice.pk) is None
    assert punctuality.share(bob.pk) == 1


def test_all_turns_count_while_there_are_fewer_than_fifty(alice, bob):
    make_match([alice, bob], [1, 2], moves=[(9, 1), (1, 0)])
    make_match([alice, bob], [1, 2], moves=[(6, 4), (1, 0)], competitive=False)
    assert punctuality.share(alice.pk) == pytest.approx(15 / 20)


def test_the_newest_matches_make_the_fifty(alice, bob):
    make_match([alice, bob], [1, 2], moves=[(0, 90), (1, 0)])
    make_match([alice, bob], [1, 2], moves=[(20, 20), (1, 0)])
    make_match([alice, bob], [1, 2], moves=[(30, 0), (1, 0)])
    assert punctuality.share(alice.pk) == pytest.approx((30 + 20 * 0.5) / 50)


def test_many_at_once_are_the_same(alice, bob, carla, django_assert_num_queries):
    make_match([alice, bob], [1, 2], moves=[(9, 1), (3, 0)])
    make_match([alice, bob], [1, 2], moves=[(40, 15), (3, 4)])
    with django_assert_num_queries(1):
        shares = esteem.source.punctuality([alice.pk, bob.pk, carla.pk])
    assert shares == {user.pk: punctuality.share(user.pk) for user in (alice, bob)}
