"""Whole random matches of every variant: invariants, secrecy, forced moves, bots."""

import json
from collections.abc import Iterator
from hashlib import sha256
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.cinq import bots
from games.cinq.rules import DECK, DRAW, LADDERS, PASS, PIEGEUR, RULEBOOK, TEXTS, CardMove, CinqOptions, CinqState
from games.engine.cards import members
from games.engine.chance import Chance
from games.engine.codec import decode, encode
from games.engine.rules import Illegal, Step

RULES = RULEBOOK[1]
VARIANTS = [("classique", 2), ("classique", 3), ("classique", 4), ("piegeur", 3), ("piegeur", 4)]
MOVES = [CardMove.parse(text) for text in TEXTS]
ENDS = DECK.mask(rank + suit for suit in DECK.suits for rank in ("1", "12"))
SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=8, deadline=None, derandomize=True, database=None)
CARTES = (10, 12, 15)


def match(mode: str, seats: int, seed: int, limite: int = 30) -> Iterator[tuple[CinqState, CardMove, Step[CinqState]]]:
    """(state, move, step) for each ply of a random match."""
    rng, chance = Random(seed), Chance(sha256(str(seed).encode()).digest())
    state = RULES.deal(CinqOptions(mode, limite, CARTES[seed % 3]), seats, chance)
    while state.turn is not None:
        move = rng.choice(RULES.legal_moves(state, state.turn))
        step = RULES.apply(state, state.turn, move, chance)
        yield state, move, step
        state = step.state


@pytest.mark.parametrize(("mode", "seats"), VARIANTS)
@FEW
@given(SEEDS)
def test_offered_moves_are_exactly_the_legal_ones(mode: str, seats: int, seed: int) -> None:
    chance = Chance(bytes(32))
    for state, _, _ in match(mode, seats, seed, limite=10):
        assert state.turn is not None
        offered = RULES.legal_moves(state, state.turn)
        assert offered
        assert list(offered) == sorted(offered, key=lambda move: move.number)
        assert len(offered) == 1 or all(move.number < DRAW for move in offered)
        seen = RULES.observation(state, state.turn)
        assert seen["legal"] == [str(move) for move in offered]
        for move in MOVES:
            why = RULES.why_not(seen, str(move))
            if move in offered:
                RULES.apply(state, state.turn, move, chance)
                assert why is None
            else:
                with pytest.raises(Illegal) as refused:
                    RULES.apply(state, state.turn, move, chance)
                assert why is not None
                assert refused.value.args == why.args


@pytest.mark.parametrize(("mode", "seats"), VARIANTS)
@FEW
@given(SEEDS)
def test_invariants(mode: str, seats: int, seed: int) -> None:
    passes, plies = 0, 0
    for state, move, step in match(mode, seats, seed):
        everywhere = [*state.hands, state.table, sum(1 << card for card in state.stock)]
        assert sum(everywhere) == (1 << DECK.size) - 1
        passes = passes + 1 if move.number == PASS else 0
        assert passes < seats
        plies = plies + 1 if state.plays else 1
        assert plies <= DECK.size * (seats + 1)
        assert step.same_turn == (move.number == DRAW)
        assert json.loads(json.dumps(step.events)) == [list(event) for event in step.events]
        assert decode(CinqState, json.loads(json.dumps(encode(step.state)))) == step.state
        ended = step.state.sheet != state.sheet
        if mode == PIEGEUR and move.number < DRAW:
            assert ended == ((state.table | 1 << move.number) & ENDS == ENDS)
        if ended:
            check_score(step.state)
    totals = tuple(map(sum, zip(*step.state.sheet, strict=True)))
    assert step.state.totals == totals
    assert max(totals) >= 30 > max(total - score for total, score in zip(totals, step.state.sheet[-1], strict=True))
    assert {seat for seat, place in enumerate(RULES.outcome(step.state)) if place.rank == 1} == set(step.events[-1][1])


def check_score(state: CinqState) -> None:
    last, scores = state.last_hand, state.sheet[-1]
    assert last is not None
    left = [hand.bit_count() for hand in last.left]
    table = sum(1 << number for _, number in last.plays if number < DRAW)
    if state.options.mode == PIEGEUR:
        assert sum(last.left) & ~LADDERS[PIEGEUR].dead(table) == 0
        assert sum(scores) <= sum(left)
        assert all((score == 0 or count == min(left)) for score, count in zip(scores, left, strict=True))
    else:
        assert sum(scores) == 5 + sum(left)
        assert left.count(0) == 1


def reshuffled(state: CinqState, viewer: int | None, rng: Random) -> CinqState:
    """A state that differs only in what the viewer cannot know: live hidden cards change places, so do dead ones."""
    dead = LADDERS[state.options.mode].dead(state.table)
    hidden = [card for seat, hand in enumerate(state.hands) if seat != viewer for card in members(hand)]
    known = state.opening if len(state.hands) > 2 else None  # with two players, one more card that the other cannot know
    hidden = [card for card in [*hidden, *state.stock] if card != known]
    swap = list(range(DECK.size))
    for kind in ([card for card in hidden if dead >> card & 1], [card for card in hidden if not dead >> card & 1]):
        for card, other in zip(kind, rng.sample(kind, len(kind)), strict=True):
            swap[card] = other
    hands = tuple(sum(1 << swap[card] for card in members(hand)) for hand in state.hands)
    drawn = None if state.drawn is None else swap[state.drawn]
    opening = None if state.opening is None else swap[state.opening]
    return state._replace(hands=hands, stock=tuple(swap[card] for card in state.stock), drawn=drawn, opening=opening)


@pytest.mark.parametrize(("mode", "seats"), VARIANTS)
@FEW
@given(SEEDS)
def test_nobody_sees_what_he_cannot_know(mode: str, seats: int, seed: int) -> None:
    rng, different = Random(seed), 0
    for state, _, _ in match(mode, seats, seed, limite=10):
        for viewer in (None, *range(seats)):
            other = reshuffled(state, viewer, rng)
            different += other != state
            assert json.dumps(RULES.observation(other, viewer)) == json.dumps(RULES.observation(state, viewer))
    assert different > 50


@pytest.mark.parametrize(("mode", "seats"), VARIANTS)
@FEW
@given(SEEDS)
def test_forced_moves_are_the_listed_ones(mode: str, seats: int, seed: int) -> None:
    for state, _, _ in match(mode, seats, seed):
        assert state.turn is not None
        offered, forced = RULES.legal_moves(state, state.turn), RULES.forced(state)
        listed = offered[0].number >= DRAW or state.drawn is not None or state.hands[state.turn].bit_count() == 1
        if listed:
            assert state.opening is None
            assert forced == (state.turn, offered[0])
            assert len(offered) == 1
        else:
            assert forced is None


def test_the_opening_five_is_not_forced() -> None:
    state = RULES.deal(CinqOptions(), 4, Chance(bytes(32)))
    assert len(RULES.legal_moves(state, state.starter)) == 1
    assert RULES.forced(state) is None


@pytest.mark.parametrize(("mode", "seats"), VARIANTS)
def test_bots_play_whole_matches_from_what_they_see(mode: str, seats: int) -> None:
    rng, chance = Random(7), Chance(sha256(b"bots").digest())
    state = RULES.deal(CinqOptions(mode, 20), seats, chance)
    while state.turn is not None:
        seed = sha256(str(len(state.plays)).encode()).digest()
        text = bots.choose(RULES.observation(state, state.turn), seed)
        other = reshuffled(state, state.turn, rng)
        assert bots.choose(RULES.observation(other, state.turn), seed) == text
        state = RULES.apply(state, state.turn, CardMove.parse(text), chance).state


def test_bots_break_ties_by_the_seed_alone() -> None:
    seen = {"mode": "classique", "legal": ["5O", "5C"], "hand": ["5O", "5C"], "played": {"O": [], "C": []}}
    choices = [bots.choose(seen, seed) for seed in range(40)]
    assert set(choices) == {"5O", "5C"}
    assert choices == [bots.choose(seen, seed) for seed in range(40)]
    assert {bots.choose(seen, bytes([seed])) for seed in range(20)} == {"5O", "5C"}


@pytest.mark.parametrize(
    ("mode", "legal", "hand", "played", "best"),
    [
        ("classique", ["4O", "4C"], ["4O", "4C", "1C"], {"O": [5], "C": [5]}, "4C"),  # the way to one's own far card
        ("classique", ["1O", "4C"], ["1O", "4C"], {"O": [2, 3, 4, 5], "C": [5]}, "1O"),  # an end opens nothing to others
        ("piegeur", ["1O", "7C"], ["1O", "2O", "7C"], {"O": [5], "C": [5]}, "7C"),  # never jump one's own card
        ("piegeur", ["1O", "6C"], ["1O", "6C"], {"O": [2, 5], "C": [5]}, "6C"),  # save the endangered card
        ("piegeur", ["12O", "5C"], ["12O", "5C", "1C"], {"O": [5, 11], "C": []}, "5C"),  # open where one holds an end
    ],
)
def test_bots_know_the_advice(mode: str, legal: list[str], hand: list[str], played: dict[str, list[int]], best: str) -> None:
    assert {bots.choose({"mode": mode, "legal": legal, "hand": hand, "played": played}, seed) for seed in range(5)} == {best}


def test_bots_do_not_play_off_turn() -> None:
    with pytest.raises(ValueError, match="not to act"):
        bots.choose({"mode": "classique", "legal": []}, 1)


def test_a_drawn_card_is_shown_to_its_owner_only() -> None:
    for state, move, step in match("classique", 2, 3):
        if move.number == DRAW:
            me = state.turn
            assert me is not None
            assert RULES.observation(step.state, me)["drawn"] == DECK.cards[state.stock[0]]
            for viewer in (1 - me, None):
                assert RULES.observation(step.state, viewer)["drawn"] is None
                assert RULES.observation(step.state, viewer)["drew"] is True
