"""Whole random deals and matches of 55: invariants, secrecy, forced moves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.cinquante_cinq.auction import TEXTS
from games.cinquante_cinq.moves import CALL, CALL_MOVES, CARD, CARD_MOVES, DISCARD, TRUMP, TRUMP_MOVES, FiftyFiveMove
from games.cinquante_cinq.rules import AUCTION, OVER, PLAY, RULEBOOK, SIDES, FiftyFiveOptions, FiftyFiveState
from games.cinquante_cinq.scoring import trick_points
from games.cinquante_cinq.tricks import DECK, TRICKS
from games.engine.chance import Chance
from games.engine.codec import decode, encode
from games.engine.rules import Illegal, Step
from tests.games.cinquante_cinq.twins import places, twin

RULES = RULEBOOK[1]
TABLES = [(seats, 0) for seats in range(2, 10)] + [(seats, sides) for seats, choices in SIDES.items() for sides in choices]
SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=2, deadline=None, derandomize=True, database=None)
MOST_PLIES = 250
ONE_DEAL = {seats: 6 * seats + 12 for seats in range(2, 10)}
OTHER_MOVES = [*CALL_MOVES.values(), *TRUMP_MOVES, *CARD_MOVES, FiftyFiveMove(DISCARD, 31), FiftyFiveMove(DISCARD, 31 << 30)]


def random_move(state: FiftyFiveState, rng: Random) -> FiftyFiveMove:
    """Any move: for the exchange any five of the ten, not only those proposed."""
    assert state.turn is not None
    if state.phase == DISCARD:
        ten = [card for card in range(DECK.size) if state.hands[state.turn] >> card & 1]
        return FiftyFiveMove(DISCARD, sum(1 << card for card in rng.sample(ten, 5)))
    move: FiftyFiveMove = rng.choice(RULES.legal_moves(state, state.turn))
    return move


def match(
    seats: int, sides: int, seed: int, plies: int = MOST_PLIES, **options: Any
) -> Iterator[tuple[FiftyFiveState, FiftyFiveMove, Step[FiftyFiveState]]]:
    """(state, move, step) for each ply of a random match, at most so many: random play hardly ever ends."""
    rng, chance = Random(seed), Chance(sha256(str(seed).encode()).digest())
    state = RULES.deal(FiftyFiveOptions(equipes=sides, **options), seats, chance)
    for _ in range(plies):
        if state.turn is None:
            return
        move = random_move(state, rng)
        step = RULES.apply(state, state.turn, move, chance)
        yield state, move, step
        state = step.state


each_table = pytest.mark.parametrize(("seats", "sides"), TABLES)


@each_table
@FEW
@given(SEEDS)
def test_invariants(seats: int, sides: int, seed: int) -> None:
    teams = sides or seats
    for state, move, step in match(seats, sides, seed, cible=30):
        after = step.state
        lying = places(state)
        assert len(lying) == len(set(lying)) == 5 * (seats + 1)
        assert step.same_turn == (move.kind == DISCARD)
        assert json.loads(json.dumps(step.events)) == [list(event) for event in step.events]
        assert decode(FiftyFiveState, json.loads(json.dumps(encode(after)))) == after
        if len(after.sheet) > len(state.sheet):
            check_deal(state, after, teams)
        expected = (state.hand_no, state.dealer)
        if after.hand_no > state.hand_no:
            expected = (state.hand_no + 1, (state.dealer + 1) % seats)
        assert (after.hand_no, after.dealer) == expected
        assert after.totals == tuple(sum(deal.gains[side] for deal in after.sheet) for side in range(teams))
        ranks = [place.rank for place in RULES.outcome(after)]
        assert min(ranks) == 1
        assert [place.side for place in RULES.outcome(after)] == [seat % teams for seat in range(seats)]
        if after.phase == OVER:
            assert after.totals[after.winner or 0] >= 30
            assert {seat for seat, rank in enumerate(ranks) if rank == 1} == set(step.events[-1][1])


def check_deal(state: FiftyFiveState, after: FiftyFiveState, teams: int) -> None:
    """A deal is worth 30, or 25 when no trump was played; the defenders always keep theirs."""
    deal = after.sheet[-1]
    if deal.declarer is None:
        assert set(deal.gains) == {0}
        return
    assert len(deal.won) == TRICKS
    points = trick_points(deal.won, deal.bonus)
    assert sum(each for _, each in points) == (25 if deal.bonus is None else 30)
    mine = deal.declarer % teams
    for side, gain in enumerate(deal.gains):
        taken = sum(each for seat, each in points if seat % teams == side)
        if side != mine:
            assert gain == taken
        elif deal.made:
            assert gain == (60 if deal.contract == 60 else taken)
            assert deal.contract == 60 or taken >= deal.contract
        else:
            assert gain == -deal.contract


@each_table
@FEW
@given(SEEDS)
def test_apply_and_why_not_agree_on_every_move(seats: int, sides: int, seed: int) -> None:
    chance = Chance(bytes(32))
    for state, _, _ in match(seats, sides, seed, plies=ONE_DEAL[seats]):
        assert state.turn is not None
        offered, seen = RULES.legal_moves(state, state.turn), RULES.observation(state, state.turn)
        assert offered
        assert len(set(offered)) == len(offered)
        assert seen["legal"] == [str(move) for move in offered]
        assert (seen["choose"] is not None) == (state.phase == DISCARD)
        for move in (*offered, *OTHER_MOVES):
            why = RULES.why_not(seen, str(move))
            assert (move in offered) <= (why is None)
            if why is None:
                RULES.apply(state, state.turn, move, chance)
                assert move in offered or state.phase == DISCARD
                continue
            with pytest.raises(Illegal) as refused:
                RULES.apply(state, state.turn, move, chance)
            assert refused.value.args == why.args


def test_any_five_of_the_ten_may_be_thrown() -> None:
    state = next(state for state, _, _ in match(4, 0, 1) if state.phase == DISCARD)
    assert state.turn is not None
    ten = DECK.texts(state.hands[state.turn])
    for thrown in (ten[:5], ten[5:], ten[::2], ten[1::2]):
        move = FiftyFiveMove.parse("discard " + " ".join(thrown))
        step = RULES.apply(state, state.turn, move, Chance(bytes(32)))
        assert step.events == (("exchanged", state.turn, 5),)
        assert DECK.texts(step.state.thrown) == thrown


@each_table
@FEW
@given(SEEDS)
def test_nobody_sees_what_he_cannot_know(seats: int, sides: int, seed: int) -> None:
    rng, different = Random(seed), 0
    for state, _, _ in match(seats, sides, seed, plies=ONE_DEAL[seats]):
        for viewer in (None, *range(seats)):
            other = twin(state, viewer, rng)
            different += other != state
            assert json.dumps(RULES.observation(other, viewer)) == json.dumps(RULES.observation(state, viewer))
            assert (RULES.forced(other) is None) == (RULES.forced(state) is None)
    assert different > 30


@each_table
@FEW
@given(SEEDS)
def test_events_name_no_hidden_card(seats: int, sides: int, seed: int) -> None:
    """An event names a card only when it is played; of an exchange it tells the number of cards."""
    for _, move, step in match(seats, sides, seed, plies=2 * ONE_DEAL[seats]):
        named = [part for event in step.events for part in event if isinstance(part, str) and part in DECK.numbers]
        assert named == ([str(move)] if move.kind == CARD else [])
        words = {event[0] for event in step.events}
        assert words <= {
            *("deal", "passed", "bid", "held", "declarer", "passed_out"),
            *("exchanged", "trump", "played", "trick", "hand", "match"),
        }


@each_table
@FEW
@given(SEEDS)
def test_forced_moves_are_the_listed_ones(seats: int, sides: int, seed: int) -> None:
    for state, _, _ in match(seats, sides, seed):
        assert state.turn is not None
        offered, forced = RULES.legal_moves(state, state.turn), RULES.forced(state)
        last_card = state.phase == PLAY and state.hands[state.turn].bit_count() == 1
        sixty = state.phase == AUCTION and any(TEXTS[call] == "60" for _, call in state.calls) and state.turn != state.dealer
        if last_card or sixty:
            assert forced == (state.turn, offered[0])
            assert len(offered) == 1
        else:
            assert forced is None


def test_a_single_legal_card_is_not_forced() -> None:
    """Playing it at once would tell the others that no choice was left."""
    lonely = 0
    for seed in range(12):
        for state, _, _ in match(5, 0, seed, plies=150):
            if state.phase == PLAY and len(RULES.legal_moves(state, state.turn)) == 1 and len(state.won) < TRICKS - 1:
                lonely += 1
                assert RULES.forced(state) is None
    assert lonely > 10


@pytest.mark.parametrize(("seats", "sides"), TABLES)
def test_cards_are_dealt_from_the_left_of_the_dealer(seats: int, sides: int) -> None:
    chance = Chance(sha256(b"deal").digest())
    state = RULES.deal(FiftyFiveOptions(equipes=sides), seats, chance)
    deck, dealer = chance.results["hand/1"], chance.results["dealer"][0]
    assert (state.dealer, state.turn) == (dealer, (dealer + 1) % seats)
    for place in range(5 * seats):
        assert state.hands[(dealer + 1 + place) % seats] >> deck[place] & 1
    assert state.kitty == sum(1 << card for card in deck[5 * seats : 5 * seats + 5])


def test_the_table_of_moves_has_every_kind() -> None:
    kinds = {move.kind for _, move, _ in match(4, 0, 5)}
    assert kinds == {CALL, DISCARD, TRUMP, CARD}
