"""What the automatic players of 5inq en Ligne know, and that the sly one is the stronger."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

import pytest

from games.cinq_en_ligne import bots
from games.cinq_en_ligne.rules import RULEBOOK, LineMove, LineOptions, LineState
from games.engine.chance import Chance

RULES = RULEBOOK[1]
Position = Callable[..., LineState]
both = pytest.mark.parametrize("level", bots.LEVELS)


def move(state: LineState, level: str, seed: int = 1) -> str:
    return bots.choose(RULES.observation(state, state.turn), seed, level)


@both
def test_a_line_is_completed(level: str, line_position: Position) -> None:
    state = line_position("0 30 90", "1 2 3", pegs=([73, 72, 71, 70], [94, 95, 97, 98]))
    assert move(state, level) == "30@69"  # the highest card that fits
    state = line_position("0 80 90", "1 2 3", pegs=([73, 72, 71, 70], [94, 95, 97, 98]))
    assert move(state, level) == "0@69"  # the low card when nothing else does


@both
def test_a_four_is_blocked(level: str, line_position: Position) -> None:
    state = line_position("5 90 93", "1 2 3", pegs=([1, 14], [94, 95, 97, 98]))
    assert move(state, level) in ("93@96", "90@93")
    state = line_position("5 40 97", "1 2 3 4", pegs=([1, 14], [73, 72, 71, 70]))
    assert move(state, level) == "40@69"


@both
def test_a_quiet_turn_draws(level: str, line_position: Position) -> None:
    assert move(line_position("30 60", "1 2 3", pegs=([14], [88])), level) == "draw"


@both
def test_the_highest_card_that_fits_is_spent(level: str, line_position: Position) -> None:
    card, square = move(line_position("3 30 60 90", "1 2 3"), level).split("@")
    assert int(card) == max(held for held in (3, 30, 60, 90) if held <= int(square))


@both
def test_ties_are_broken_by_the_seed_alone(level: str, line_position: Position) -> None:
    state = line_position("0 1 2 3", "4 5 6", plateau="rangees")
    choices = [move(state, level, seed) for seed in range(40)]
    assert len(set(choices)) > 1
    assert choices == [move(state, level, seed) for seed in range(40)]


@both
def test_no_move_off_turn(level: str, line_position: Position) -> None:
    with pytest.raises(ValueError, match="not to act"):
        bots.choose(RULES.observation(line_position("1", "2"), 1), 1, level)


def share(matches: int) -> float:
    """Share of matches for two that *malin* wins against *prudent*, seats rotated."""
    won = 0
    for number in range(matches):
        chance = Chance(sha256(b"share/%d" % (number // 2)).digest())
        state = RULES.deal(LineOptions(), 2, chance)
        while state.turn is not None:
            level = "malin" if state.turn == number % 2 else "prudent"
            text = bots.choose(RULES.observation(state, state.turn), len(state.plays), level)
            state = RULES.apply(state, state.turn, LineMove.parse(text), chance).state
        won += RULES.outcome(state)[number % 2].rank == 1
    return won / matches


def test_the_sly_one_is_the_stronger() -> None:
    """`make bench-bots` measures it; here only that nothing has broken it: 71 % in 150 matches, 60 % is the goal."""
    assert share(40) >= 0.55
