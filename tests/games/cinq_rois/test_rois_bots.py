"""The automatic players: what they see, what they know, how quick they are."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from random import Random
from time import process_time

import pytest

from games.cinq_rois import bots
from games.cinq_rois.rules import RULEBOOK, RoisMove, RoisOptions, RoisState
from games.engine.chance import Chance
from tests.games.cinq_rois.rois_twins import twin

RULES = RULEBOOK[1]
VARIANTS = [
    RoisOptions(),
    RoisOptions(brelan="libre", fin_manche="dernier_tour", bareme="officiel"),
    RoisOptions(fin_manche="immediat_combinaisons", jokers="manches_11_12"),
]


def played(level: str, options: RoisOptions, seats: int, seed: int, rivals: str | None = None) -> tuple[RoisState, list[float]]:
    """The end of a match of bots, seat 0 at `level`, and the seconds of its decisions; twins must give the same move."""
    rng, chance, seconds, ply = Random(seed), Chance(sha256(str(seed).encode()).digest()), [], 0
    state = RULES.deal(options, seats, chance)
    while (seat := state.turn) is not None:
        ply += 1
        lot = sha256(f"{seed}/{ply}".encode()).digest()
        if seat == 0 or rivals is None:
            seen, start = RULES.observation(state, seat), process_time()
            text = bots.choose(seen, lot, level)
            seconds.append(process_time() - start)
            if ply % 5 == 0:
                assert bots.choose(RULES.observation(twin(state, seat, rng), seat), lot, level) == text
            move = RoisMove.parse(text)
        elif rivals == "chance":
            move = rng.choice(RULES.legal_moves(state, seat))
        else:
            move = RoisMove.parse(bots.choose(RULES.observation(state, seat), lot, rivals))
        state = RULES.apply(state, seat, move, chance).state
    return state, seconds


@pytest.mark.parametrize("options", VARIANTS)
@pytest.mark.parametrize("level", bots.LEVELS)
def test_bots_play_whole_matches_from_what_they_see(level: str, options: RoisOptions) -> None:
    state, seconds = played(level, options, 4, 1)
    assert len(state.sheet) == 11
    assert max(seconds) < 1
    assert sorted(seconds)[len(seconds) // 2] < 0.1


def test_prudent_beats_chance() -> None:
    for seed in range(4):
        state, _ = played("prudent", RoisOptions(), 4, seed, rivals="chance")
        assert RULES.outcome(state)[0].rank == 1


def test_bots_break_ties_by_the_seed_alone(position: Callable[..., RoisState]) -> None:
    seen = RULES.observation(position("3P 8C 13K 13T", "3C 4C 6E", rank=3, drawn="8C"), 0)
    for level in bots.LEVELS:
        chosen = [bots.choose(seen, seed, level) for seed in range(20)]
        assert chosen == [bots.choose(seen, seed, level) for seed in range(20)]
        assert bots.choose(seen, b"\1", level) == bots.choose(seen, b"\1", level)


@pytest.mark.parametrize("level", bots.LEVELS)
@pytest.mark.parametrize(
    ("hand", "pile", "drawn", "best"),
    [
        ("8C 9P 4T", "JK", None, "pile"),  # a wild is always taken
        ("8C 8P 13T", "8K", None, "pile"),  # the third of a set
        ("8C 9C 4T", "13E", None, "stock"),  # a useless king is not
        ("5C 6C 7C 12P", "4E", "12P", "out 12P"),  # out when one can
        ("5C 6C 9P 13E", "4E", "9P", "discard 13E"),  # the dear card without a link
        ("3P JK 9P 13E", "4E", "9P", "discard 13E"),  # never a wild
    ],
)
def test_bots_know_the_advice(
    level: str, hand: str, pile: str, drawn: str | None, best: str, position: Callable[..., RoisState]
) -> None:
    state = position(hand, "3C 4C 6E", rank=3, pile=pile, drawn=drawn)
    if best == "discard 13E" and "JK" in hand:
        best = "out 13E" if RoisMove.parse("out 13E") in RULES.legal_moves(state, 0) else best
    assert {bots.choose(RULES.observation(state, 0), seed, level) for seed in range(5)} == {best}


@pytest.mark.parametrize("level", bots.LEVELS)
def test_bots_do_not_throw_back_what_they_took(level: str, position: Callable[..., RoisState]) -> None:
    state = position("6C 9P 12T 13K", "3C 4C 6E", rank=3, drawn="13K", from_pile=True)
    assert bots.choose(RULES.observation(state, 0), 1, level) != "discard 13K"


@pytest.mark.parametrize("level", bots.LEVELS)
def test_bots_save_points_in_a_last_turn(level: str, position: Callable[..., RoisState]) -> None:
    options = RoisOptions(fin_manche="dernier_tour")
    state = position("8C 8P 8K", "4C 4P 4K 9C 9P 13K", rank=5, acts=1, drawn="4K", finisher=0, options=options)
    assert bots.choose(RULES.observation(state, 1), 1, level) == "discard 13K"


@pytest.mark.parametrize("level", bots.LEVELS)
def test_jokers_that_fit_nothing(level: str, position: Callable[..., RoisState]) -> None:
    """With printed jokers only in rounds 11 and 12, three jokers and a three are one discard away from nothing."""
    options = RoisOptions(jokers="manches_11_12")
    state = position("JK JK 8C 13K", "3C 4C 6E", rank=3, drawn="13K", options=options)
    assert bots.choose(RULES.observation(state, 0), 1, level) == "discard JK"
    wild = position("3P 3C JK JK", "4C 4P 6E", rank=3, drawn="JK", options=options)
    assert bots.choose(RULES.observation(wild, 0), 1, level) == "discard JK"


def test_bots_do_not_play_off_turn(position: Callable[..., RoisState]) -> None:
    state = position("8C 9P 4T", "3C 4C 6E", rank=3)
    with pytest.raises(ValueError, match="not to act"):
        bots.choose(RULES.observation(state, 1), 1)


def test_malin_is_the_quicker_one(position: Callable[..., RoisState]) -> None:
    """Where *prudent* saves points, *malin* keeps what goes out sooner: the pair that waits for many cards."""
    outs = dict.fromkeys(bots.LEVELS, 0)
    for level in bots.LEVELS:
        for seed in range(6):
            state, _ = played(level, RoisOptions(), 4, seed, rivals="prudent")
            outs[level] += sum(scores[0] == 0 for scores in state.sheet)
    assert outs["malin"] > outs["prudent"]
