"""Whole random matches of every table: invariants, secrecy, forced moves, bots."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.cinq_en_ligne import bots
from games.cinq_en_ligne.board import LENGTH
from games.cinq_en_ligne.rules import (
    ALL,
    CARDS,
    DRAW,
    HAND,
    PASS,
    RULEBOOK,
    SQUARES,
    LineMove,
    LineOptions,
    LineState,
    live_cards,
)
from games.engine.cards import members
from games.engine.chance import Chance
from games.engine.codec import decode, encode
from games.engine.rules import Illegal, Step
from tests.games.cinq_en_ligne.line_twins import twin

RULES = RULEBOOK[1]
TABLES = [(2, 3), (3, 3), (4, 3), (6, 2), (6, 3), (8, 3), (9, 3)]
PLATEAUX = RULES.choices["plateau"]
each_table = pytest.mark.parametrize(("seats", "equipes"), TABLES)
SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=5, deadline=None, derandomize=True, database=None)


def match(seats: int, equipes: int, seed: int) -> Iterator[tuple[LineState, LineMove, Step[LineState]]]:
    """(state, move, step) for each ply of a match: at random, with a leaning to draw that differs from match to match."""
    rng, chance = Random(seed), Chance(sha256(str(seed).encode()).digest())
    options, leaning = LineOptions(equipes, str(PLATEAUX[seed % 4])), rng.choice((0, 0.3, 0.8))
    state = RULES.deal(options, seats, chance)
    while state.turn is not None:
        moves = RULES.legal_moves(state, state.turn)
        move = moves[-1] if moves[-1].number == DRAW and rng.random() < leaning else rng.choice(moves)
        step = RULES.apply(state, state.turn, move, chance)
        yield state, move, step
        state = step.state


def probes(state: LineState, rng: Random) -> list[LineMove]:
    """Texts to try: every card of the hand on every square, some other cards, draw and pass."""
    assert state.turn is not None
    cards = [*members(state.hands[state.turn]), *rng.sample(range(CARDS), 3)]
    return [LineMove(card * SQUARES + square) for card in cards for square in range(SQUARES)] + [LineMove(DRAW), LineMove(PASS)]


@each_table
@FEW
@given(SEEDS)
def test_offered_moves_are_exactly_the_legal_ones(seats: int, equipes: int, seed: int) -> None:
    rng, chance = Random(seed), Chance(bytes(32))
    for number, (state, _, _) in enumerate(match(seats, equipes, seed)):
        assert state.turn is not None
        offered = RULES.legal_moves(state, state.turn)
        assert offered and list(offered) == sorted(set(offered), key=lambda move: move.number)
        seen = RULES.observation(state, state.turn)
        assert seen["legal"] == [str(move) for move in offered]
        if number % 7:
            continue
        for move in probes(state, rng):
            why = RULES.why_not(seen, str(move))
            if move in offered:
                RULES.apply(state, state.turn, move, chance)
                assert why is None
            else:
                with pytest.raises(Illegal) as refused:
                    RULES.apply(state, state.turn, move, chance)
                assert why is not None and refused.value.args == why.args


@each_table
@FEW
@given(SEEDS)
def test_invariants(seats: int, equipes: int, seed: int) -> None:
    used = 0
    for state, move, step in match(seats, equipes, seed):
        after, side = step.state, (state.turn or 0) % len(state.pegs)
        played = [number for _, number in after.plays if number < DRAW]
        everywhere = sum(after.hands) + sum(1 << card for card in (*after.stock, *(number // SQUARES for number in played)))
        assert everywhere == ALL  # no card is lost or doubled
        assert sum(after.pegs) == sum(1 << number % SQUARES for number in played)
        assert all(number % SQUARES >= number // SQUARES for number in played)
        assert all(hand.bit_count() <= HAND for hand in after.hands)
        assert live_cards(after.free) & ~live_cards(state.free) == 0  # the dead stay dead
        assert all(after.pegs[other] == state.pegs[other] for other in range(len(state.pegs)) if other != side)
        assert not step.same_turn
        used += move.number != PASS
        assert json.loads(json.dumps(step.events)) == [list(event) for event in step.events]
        assert decode(LineState, json.loads(json.dumps(encode(after)))) == after
        if after.turn is not None:
            assert after.turn == ((state.turn or 0) + 1) % seats
            assert not any((hand & ~live_cards(after.free)).bit_count() == HAND for hand in after.hands)
    assert used <= 200 - 4 * seats
    check_end(step.state)


def check_end(state: LineState) -> None:
    """The ending said is the one the position shows, found another way."""
    board, free, live = state.board, state.free, live_cards(state.free)
    owners = {square: side for side, squares in enumerate(state.pegs) for square in members(squares)}
    lines = [
        window
        for window in board.windows
        if len({owners.get(square) for square in members(window)} - {None}) == 1 and window & free == 0
    ]
    dead = [hand for hand in state.hands if (hand & ~live).bit_count() == HAND]
    assert (state.ending == "line") == bool(lines)
    if not lines:
        assert state.ending == ("full" if not free else "dead" if dead else "blocked")
        assert state.ending != "blocked" or not (state.stock or any(hand & live for hand in state.hands))
    seen = RULES.observation(state, None)
    assert all(len(line) >= LENGTH for line in seen["lines"])
    places = RULES.outcome(state)
    assert {place.side for place in places if place.rank == 1} == ({seen["winner"]} if lines else set())
    assert [place.score for place in places] == seen["scores"]
    assert seen["left"] == [members(hand) for hand in state.hands]


@each_table
@FEW
@given(SEEDS)
def test_nobody_sees_what_he_cannot_know(seats: int, equipes: int, seed: int) -> None:
    """Hands, the order of the stock and deadness: observation and forced moves are the same in twins."""
    rng, different = Random(seed), 0
    for state, _, _ in match(seats, equipes, seed):
        for viewer in (None, *range(seats)):
            other = twin(state, viewer, rng)
            different += other != state
            assert json.dumps(RULES.observation(other, viewer)) == json.dumps(RULES.observation(state, viewer))
            forced, expected = RULES.forced(other), RULES.forced(state)
            assert (forced is None) == (expected is None)
            if forced and forced[1].number >= DRAW:
                assert forced == expected
    assert different > 20


@each_table
@FEW
@given(SEEDS)
def test_public_events_do_not_tell_hidden_cards(seats: int, equipes: int, seed: int) -> None:
    rng, chance = Random(seed), Chance(bytes(32))
    for state, move, step in match(seats, equipes, seed):
        other = twin(state, state.turn, rng)
        events = RULES.apply(other, state.turn or 0, move, chance).events
        assert events[0] == step.events[0]
        if step.state.turn is not None and RULES.to_act(RULES.apply(other, state.turn or 0, move, chance).state):
            assert events == step.events


@each_table
@FEW
@given(SEEDS)
def test_forced_moves_are_those_that_everybody_can_deduce(seats: int, equipes: int, seed: int) -> None:
    """Forced: one move whatever the hand is. Not forced: some hand of unplayed cards has more than one."""
    for state, _, _ in match(seats, equipes, seed):
        assert state.turn is not None
        size = state.hands[state.turn].bit_count()
        unplayed = [*members(sum(state.hands)), *state.stock]
        lowest = sorted(unplayed)[:size]
        widest = state._replace(
            hands=tuple(
                sum(1 << card for card in lowest) if seat == state.turn else hand for seat, hand in enumerate(state.hands)
            )
        )
        most = len(RULES.legal_moves(widest, state.turn))
        forced = RULES.forced(state)
        assert (forced is not None) == (most == 1)
        if forced is not None:
            assert RULES.legal_moves(state, state.turn) == (forced[1],)
        if size == 0:
            assert forced is not None


def test_dead_cards_alone_force_nothing() -> None:
    """Three dead cards leave one move, the draw, and only their owner may know."""
    rim = sum(1 << square for square in range(90, 100))
    state = LineState(LineOptions(), 1, (), (0b111 << 96, 0b111), tuple(range(20, 60)), (rim, 0), 0, (), None)
    assert RULES.legal_moves(state, 0) == (LineMove(DRAW),)
    assert RULES.forced(state) is None
    assert RULES.observation(state, 0)["dead"] == [96, 97, 98]
    for viewer in (1, None):
        seen = RULES.observation(state, viewer)
        assert seen["dead"] == [] and seen["hand_sizes"] == [3, 3]


def test_forced_when_every_unplayed_card_is_dead_or_has_one_square() -> None:
    """Low cards are gone, the rim is full: everybody can count that this seat has one move whatever it holds."""
    plays = tuple((card % 2, card * SQUARES + card) for card in range(60))
    pegs = (sum(1 << n for n in range(0, 60, 2)) | sum(1 << n for n in range(61, 100)), sum(1 << n for n in range(1, 60, 2)))
    state = LineState(LineOptions(), 1, (), (0b11 << 70, 0b11 << 80), (90, 91), pegs, 0, plays, None)
    assert state.free == 1 << 60
    assert RULES.forced(state) is None  # somebody may hold the 60
    played = (*plays, (0, 60 * SQUARES + 60))
    state = state._replace(plays=played, pegs=(pegs[0] | 1 << 60, pegs[1] ^ 1 << 59), hands=(0b11 << 70, 0b11 << 80))
    assert state.free == 1 << 59
    assert RULES.forced(state) == (0, LineMove(DRAW))
    last = state._replace(plays=plays, pegs=pegs, stock=(), hands=(1 << 60, 0b11 << 80))
    assert RULES.forced(last) == (0, LineMove(60 * SQUARES + 60))  # one card, one square, or the pass: nothing to choose


@pytest.mark.parametrize("level", bots.LEVELS)
@each_table
def test_bots_play_whole_matches_from_what_they_see(seats: int, equipes: int, level: str) -> None:
    """Two tables that differ only in hidden cards get the same move."""
    rng, chance = Random(7), Chance(sha256(b"bots").digest())
    state = RULES.deal(LineOptions(equipes, str(PLATEAUX[seats % 4])), seats, chance)
    while state.turn is not None:
        seed = sha256(str(len(state.plays)).encode()).digest()
        text = bots.choose(RULES.observation(state, state.turn), seed, level)
        other = twin(state, state.turn, rng)
        assert bots.choose(RULES.observation(other, state.turn), seed, level) == text
        state = RULES.apply(state, state.turn, LineMove.parse(text), chance).state


def test_hidden_cards_are_all_that_twins_change() -> None:
    for state, _, _ in match(4, 3, 11):
        other = twin(state, 1, Random(1))
        assert other.hands[1] == state.hands[1] and len(other.stock) == len(state.stock)
        assert [hand.bit_count() for hand in other.hands] == [hand.bit_count() for hand in state.hands]
        assert not any(one & two for one, two in combinations(other.hands, 2))
