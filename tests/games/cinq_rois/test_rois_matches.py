"""Whole matches of every variant: invariants, secrecy, forced moves, an end."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.cinq_rois import melds
from games.cinq_rois.cards import DECK, without
from games.cinq_rois.rules import (
    MOST_TURNS,
    MOVE_TEXTS,
    OUT,
    ROUNDS,
    RULEBOOK,
    STOCK,
    RoisMove,
    RoisOptions,
    RoisState,
    law_of,
)
from games.engine.chance import Chance
from games.engine.codec import decode, encode
from games.engine.rules import Illegal, Step
from tests.games.cinq_rois.rois_twins import twin

RULES = RULEBOOK[1]
MOVES = [RoisMove.parse(text) for text in MOVE_TEXTS]
SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=4, deadline=None, derandomize=True, database=None)
VARIANTS = [
    (2, RoisOptions()),
    (3, RoisOptions(fin_manche="dernier_tour")),
    (4, RoisOptions(brelan="libre", fin_manche="dernier_tour", bareme="officiel")),
    (5, RoisOptions(fin_manche="immediat_combinaisons", jokers="manches_11_12")),
    (6, RoisOptions(brelan="libre", jokers="manches_11_12")),
]
each_variant = pytest.mark.parametrize(
    ("seats", "options"), VARIANTS, ids=lambda value: str(value) if isinstance(value, int) else ""
)

Ply = tuple[RoisState, RoisMove, Step[RoisState]]


def match(seats: int, options: RoisOptions, seed: int, *, hasty: bool = True) -> Iterator[Ply]:
    """(state, move, step) for each ply of a match. `hasty`: keep what fits and go out when one can, else all by chance."""
    rng, chance = Random(seed), Chance(sha256(str(seed).encode()).digest())
    state = RULES.deal(options, seats, chance)
    while state.turn is not None:
        move = pick(state, rng) if hasty else rng.choice(RULES.legal_moves(state, state.turn))
        step = RULES.apply(state, state.turn, move, chance)
        yield state, move, step
        state = step.state


def pick(state: RoisState, rng: Random) -> RoisMove:
    """Out if possible, else mostly a card that cannot be laid."""
    assert state.turn is not None
    moves = RULES.legal_moves(state, state.turn)
    out = [move for move in moves if move.number >= OUT]
    if out:
        return rng.choice(out)
    law = law_of(RULES.observation(state, None))
    rest = melds.best(state.hands[state.turn], law).rest
    useless = [move for move in moves if move.card in rest]
    return rng.choice(useless if useless and rng.random() < 0.8 else moves)


@each_variant
@FEW
@given(SEEDS)
def test_offered_moves_are_exactly_the_legal_ones(seats: int, options: RoisOptions, seed: int) -> None:
    chance = Chance(bytes(32))
    for number, (state, _, _) in enumerate(match(seats, options, seed)):
        if number % 7:
            continue
        assert state.turn is not None
        offered = RULES.legal_moves(state, state.turn)
        assert list(offered) == sorted(offered, key=lambda move: move.number)
        seen = RULES.observation(state, state.turn)
        assert seen["legal"] == [str(move) for move in offered]
        for move in MOVES:
            why = RULES.why_not(seen, str(move))
            if move in offered:
                RULES.apply(state, state.turn, move, Chance(bytes(32)))
                assert why is None
            else:
                with pytest.raises(Illegal) as refused:
                    RULES.apply(state, state.turn, move, chance)
                assert why is not None
                assert refused.value.args == why.args


@each_variant
@FEW
@given(SEEDS)
def test_invariants(seats: int, options: RoisOptions, seed: int) -> None:
    plies = 0
    for state, move, step in match(seats, options, seed):
        cards = [card for hand in state.hands for card in hand] + [*state.stock, *state.pile]
        assert Counter(cards) == Counter(DECK)
        rank = state.hand_no + 2
        assert [len(hand) for hand in state.hands] == [
            rank + (seat == state.turn and state.drawn is not None) for seat in range(seats)
        ]
        assert all(list(hand) == sorted(hand) for hand in state.hands)
        for hand, known in zip(state.hands, state.known, strict=True):
            assert not Counter(known) - Counter(hand)
        assert state.turns < MOST_TURNS + seats
        plies = plies + 1 if step.state.hand_no == state.hand_no else 0
        assert plies <= 2 * (MOST_TURNS + seats)
        assert step.same_turn == (move.card is None)
        assert json.loads(json.dumps(step.events)) == [list(event) for event in step.events]
        assert decode(RoisState, json.loads(json.dumps(encode(step.state)))) == step.state
        if step.state.sheet != state.sheet:
            check_score(state, step.state)
    totals = tuple(map(sum, zip(*step.state.sheet, strict=True)))
    assert (step.state.totals, len(step.state.sheet)) == (totals, ROUNDS)
    assert {seat for seat, place in enumerate(RULES.outcome(step.state)) if place.rank == 1} == set(step.events[-1][1])


def check_score(before: RoisState, after: RoisState) -> None:
    """Who went out laid everything and scores nothing; what the others score fits the table's end of a round."""
    last, scores = after.last_hand, after.sheet[-1]
    assert last is not None
    law = law_of(RULES.observation(before, None))
    for seat, hand in enumerate(last.hands):
        assert len(hand) == before.hand_no + 2
        if last.finisher is None:
            assert scores[seat] == 0
        elif seat == last.finisher:
            assert scores[seat] == 0 and melds.least(hand, law) == 0
        elif before.options.fin_manche == "immediat":
            assert scores[seat] == melds.total(hand, law) > 0
        else:
            assert scores[seat] == melds.least(hand, law)


@pytest.mark.parametrize("seats", [2, 6])
def test_even_play_by_chance_ends(seats: int) -> None:
    """Nobody tries to go out: rounds end after 300 turns, stocks are made anew, and the match ends all the same."""
    plies, made_anew, idle = 0, 0, 0
    for _, _, step in match(seats, RoisOptions(), seats, hasty=False):
        plies += 1
        made_anew += sum(event[0] == "reshuffled" for event in step.events)
        idle += sum(event[0] == "hand" and event[5] == [] for event in step.events)
    assert plies <= 2 * MOST_TURNS * ROUNDS
    assert made_anew
    assert idle or seats == 6
    assert len(step.state.sheet) == ROUNDS


@each_variant
@FEW
@given(SEEDS)
def test_nobody_sees_what_he_cannot_know(seats: int, options: RoisOptions, seed: int) -> None:
    rng, different = Random(seed), 0
    for number, (state, _, _) in enumerate(match(seats, options, seed)):
        if number % 3:
            continue
        for viewer in (None, *range(seats)):
            other = twin(state, viewer, rng)
            different += other != state
            assert json.dumps(RULES.observation(other, viewer)) == json.dumps(RULES.observation(state, viewer))
            for kind in (RULES.observation(other, viewer), RULES.observation(state, viewer)):
                assert not {"stock", "hands"} & kind.keys()
    assert different > 50


@each_variant
def test_the_log_does_not_tell_a_card_of_the_stock(seats: int, options: RoisOptions) -> None:
    """Twins of the player on turn give the same events for a draw and, with the same discard, for the whole turn."""
    rng, drew = Random(3), 0
    for state, move, step in match(seats, options, 11):
        if move.number != STOCK or not state.stock:
            continue
        other = twin(state, None, rng)
        assert RULES.apply(other, state.turn or 0, move, Chance(bytes(32))).events == step.events
        drew += other.stock[0] != state.stock[0]
    assert drew > 10


@each_variant
@FEW
@given(SEEDS)
def test_nothing_is_forced_in_a_normal_turn(seats: int, options: RoisOptions, seed: int) -> None:
    for state, _, _ in match(seats, options, seed):
        assert RULES.forced(state) is None


def test_discarding_one_of_two_copies_keeps_the_other() -> None:
    assert without((3, 3, 7), 3) == (3, 7)
