"""The rating of one match: winners rise, ties meet, whoever was gone is last, sides rise and fall together."""

from __future__ import annotations

import pytest

from ranking.skill import Finisher, Skill, rate

NEW = Skill()


def rated(*finishers, **known):
    return rate(finishers, {int(key[1:]): skill for key, skill in known.items()})


def test_a_newcomer_has_1500_and_much_doubt():
    assert (NEW.cote, NEW.margin) == (1500, 420)


def test_the_winner_rises_and_the_loser_falls_by_as_much():
    after = rated(Finisher(1, 0, 1), Finisher(2, 1, 2))
    assert after[1].mu > NEW.mu > after[2].mu
    assert after[1].mu - NEW.mu == pytest.approx(NEW.mu - after[2].mu)
    assert after[1].sigma < NEW.sigma


def test_places_order_three():
    after = rated(Finisher(1, 0, 3), Finisher(2, 1, 1), Finisher(3, 2, 2))
    assert after[2].mu > after[3].mu > after[1].mu


def test_a_tie_of_equals_moves_nobody_and_the_weaker_gains_from_one():
    level = rated(Finisher(1, 0, 2), Finisher(2, 1, 2))
    assert level[1].mu == pytest.approx(level[2].mu)
    strong, weak = Skill(30, 2), Skill(20, 2)
    after = rated(Finisher(1, 0, 1), Finisher(2, 1, 1), u1=strong, u2=weak)
    assert after[1].mu < 30 and after[2].mu > 20


def test_an_upset_moves_more_than_what_was_expected():
    strong, weak = Skill(30, 3), Skill(20, 3)
    upset = rated(Finisher(1, 0, 2), Finisher(2, 1, 1), u1=strong, u2=weak)
    expected = rated(Finisher(1, 0, 1), Finisher(2, 1, 2), u1=strong, u2=weak)
    assert upset[2].mu - 20 > expected[1].mu - 30 > 0


def test_sides_rise_and_fall_together():
    after = rated(Finisher(1, 0, 1), Finisher(2, 1, 2), Finisher(3, 0, 1), Finisher(4, 1, 2))
    assert after[1] == after[3] and after[2] == after[4]
    assert after[1].mu > after[2].mu


def test_whoever_was_gone_is_last_even_when_the_site_won_for_him():
    after = rated(Finisher(1, 0, 1, gone=True), Finisher(2, 1, 2))
    assert after[1].mu < NEW.mu < after[2].mu


def test_the_partner_of_somebody_gone_keeps_his_victory():
    whole = rated(Finisher(1, 0, 1), Finisher(2, 1, 2), Finisher(3, 0, 1), Finisher(4, 1, 2))
    after = rated(Finisher(1, 0, 1), Finisher(2, 1, 2), Finisher(3, 0, 1, gone=True), Finisher(4, 1, 2))
    assert {user: after[user] for user in (1, 2, 4)} == {user: whole[user] for user in (1, 2, 4)}
    assert after[3].mu < NEW.mu


def test_nobody_is_rated_against_himself():
    assert rated(Finisher(1, 0, 1), Finisher(2, 0, 1)) == {}
    assert rated() == {}


def test_order_of_the_people_does_not_matter():
    people = [Finisher(1, 0, 2), Finisher(2, 1, 1), Finisher(3, 2, 2), Finisher(4, 3, 4)]
    assert rate(people, {}) == rate(people[::-1], {})


def test_400_points_ahead_wins_ten_in_eleven():
    """Plackett-Luce's own expectation for two players without doubt about them."""
    from openskill.models import PlackettLuce

    from ranking.skill import SCALE

    model = PlackettLuce()
    strong, weak = model.rating(25 + 400 / SCALE, 1e-9), model.rating(25, 1e-9)
    assert model.predict_win([[strong], [weak]])[0] == pytest.approx(10 / 11, abs=0.005)
