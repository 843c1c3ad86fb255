"""Whole random matches: invariants, the theorem on the end of a hand, secrecy, forced moves, bots."""

import json
from collections.abc import Iterator
from hashlib import sha256
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.chance import Chance
from games.engine.codec import decode, encode
from games.engine.prospects import Prospect
from games.engine.rules import Illegal, Step
from games.six_fous import bots
from games.six_fous.rules import (
    CARDS,
    DECK,
    LADDERS,
    PASS,
    PIVOT,
    RULEBOOK,
    TEXTS,
    SixFousMove,
    SixFousOptions,
    SixFousState,
    hand_winners,
)
from tests.games.six_fous.twins import twin

RULES = RULEBOOK[1]
VARIANTS = [(jeu, seats) for jeu in (40, 48) for seats in (2, 3, 4)]
MOVES = [SixFousMove.parse(text) for text in TEXTS]
ENDS = DECK.mask(rank + suit for suit in DECK.suits for rank in ("1", "12"))
SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=6, deadline=None, derandomize=True, database=None)


def match(jeu: int, seats: int, seed: int, limite: int = 60) -> Iterator[tuple[SixFousState, SixFousMove, Step[SixFousState]]]:
    """(state, move, step) for each ply of a random match."""
    rng, chance = Random(seed), Chance(sha256(str(seed).encode()).digest())
    state = RULES.deal(SixFousOptions(jeu, limite), seats, chance)
    while state.turn is not None:
        move = rng.choice(RULES.legal_moves(state, state.turn))
        step = RULES.apply(state, state.turn, move, chance)
        yield state, move, step
        state = step.state


@pytest.mark.parametrize(("jeu", "seats"), VARIANTS)
@FEW
@given(SEEDS)
def test_offered_moves_are_exactly_the_legal_ones(jeu: int, seats: int, seed: int) -> None:
    chance = Chance(bytes(32))
    for state, _, _ in match(jeu, seats, seed, limite=20):
        assert state.turn is not None
        offered = RULES.legal_moves(state, state.turn)
        assert offered
        assert list(offered) == sorted(offered, key=lambda move: move.number)
        assert PASS not in {move.number for move in offered[1:]} or len(offered) == 1
        seen = RULES.observation(state, state.turn)
        for move in MOVES:
            why = RULES.why_not(seen, str(move))
            if move in offered:
                assert why is None
                continue
            with pytest.raises(Illegal) as refused:
                RULES.apply(state, state.turn, move, chance)
            assert why is not None
            assert refused.value.args == why.args


@pytest.mark.parametrize(("jeu", "seats"), VARIANTS)
@FEW
@given(SEEDS)
def test_invariants(jeu: int, seats: int, seed: int) -> None:
    deck, passes = sum(1 << card for card in CARDS[jeu]), 0
    for state, move, step in match(jeu, seats, seed):
        assert sum(state.hands) + sum(state.aside) + state.table == deck
        assert all(hand & LADDERS.dead(state.table) == 0 for hand in state.hands)
        assert all(pile & ~LADDERS.dead(state.table) == 0 for pile in state.aside)
        passes = passes + 1 if move.number == PASS else 0
        assert passes < seats
        assert json.loads(json.dumps(step.events)) == [list(event) for event in step.events]
        assert decode(SixFousState, json.loads(json.dumps(encode(step.state)))) == step.state
        ended = step.state.sheet != state.sheet
        if move.number != PASS:
            # The theorem of rules 3.4: a hand is over exactly when all aces and kings lie on the table.
            assert ended == ((state.table | 1 << move.number) & ENDS == ENDS)
        if ended:
            check_score(step.state, jeu)
    totals = tuple(map(sum, zip(*step.state.sheet, strict=True)))
    assert step.state.totals == totals
    assert max(totals) >= 60 > max(total - score for total, score in zip(totals, step.state.sheet[-1], strict=True))
    assert {seat for seat, place in enumerate(RULES.outcome(step.state)) if place.rank == 1} == set(step.events[-1][1])


def check_score(state: SixFousState, jeu: int) -> None:
    last, scores = state.last_hand, state.sheet[-1]
    assert last is not None
    left = [cards.bit_count() for cards in last.left]
    assert sum(last.placed) + sum(left) == jeu
    assert 12 <= sum(last.placed) <= jeu
    winners = hand_winners(last.placed)
    assert last.winners == winners
    bonus = 5 * sum(left[seat] == 0 for seat in winners)
    assert sum(scores) == jeu + bonus - sum(left) % len(winners)
    assert all(scores[seat] == last.placed[seat] for seat in range(len(left)) if seat not in winners)


@pytest.mark.parametrize(("jeu", "seats"), VARIANTS)
@FEW
@given(SEEDS)
def test_nobody_sees_what_he_cannot_know(jeu: int, seats: int, seed: int) -> None:
    rng, different = Random(seed), 0
    for state, _, _ in match(jeu, seats, seed, limite=20):
        for viewer in (None, *range(seats)):
            other = twin(state, viewer, rng)
            different += other != state
            assert json.dumps(RULES.observation(other, viewer)) == json.dumps(RULES.observation(state, viewer))
    assert seats == 2 or different > 10


@pytest.mark.parametrize(("jeu", "seats"), VARIANTS)
@FEW
@given(SEEDS)
def test_forced_moves_are_the_listed_ones(jeu: int, seats: int, seed: int) -> None:
    for state, _, _ in match(jeu, seats, seed):
        assert state.turn is not None
        offered, forced = RULES.legal_moves(state, state.turn), RULES.forced(state)
        if offered[0].number == PASS or state.hands[state.turn].bit_count() == 1:
            assert forced == (state.turn, offered[0])
            assert len(offered) == 1
        else:
            assert forced is None


def test_the_opening_six_is_not_forced() -> None:
    state = RULES.deal(SixFousOptions(), 4, Chance(bytes(32)))
    assert len(RULES.legal_moves(state, state.starter)) == 1
    assert RULES.forced(state) is None


@pytest.mark.parametrize("level", bots.LEVELS)
@pytest.mark.parametrize(("jeu", "seats"), VARIANTS)
def test_bots_play_whole_matches_from_what_they_see(jeu: int, seats: int, level: str) -> None:
    """Tables that differ only in hidden cards get the same move."""
    rng, chance = Random(7), Chance(sha256(b"bots").digest())
    state = RULES.deal(SixFousOptions(jeu, 20), seats, chance)
    while state.turn is not None:
        seed = sha256(str(len(state.plays)).encode()).digest()
        text = bots.choose(RULES.observation(state, state.turn), seed, level)
        if level == "prudent" or len(state.plays) % 4 == 0:
            other = twin(state, state.turn, rng)
            assert bots.choose(RULES.observation(other, state.turn), seed, level) == text
        state = RULES.apply(state, state.turn, SixFousMove.parse(text), chance).state


def test_bots_do_not_play_off_turn() -> None:
    with pytest.raises(ValueError, match="not to act"):
        bots.choose({"legal": []}, 1)
    with pytest.raises(ValueError, match="no such level"):
        bots.choose({"legal": ["pass"]}, 1, "clever")


PLAYED = {"O": [], "C": [], "E": [], "B": []}


@pytest.mark.parametrize(
    ("legal", "hand", "played", "best"),
    [
        (["1O", "10C"], ["1O", "2O", "10C"], {"O": [6], "C": [6]}, "10C"),  # never leap over one's own card
        (["1O", "7C"], ["1O", "7C"], {"O": [2, 6], "C": [6]}, "7C"),  # save the endangered card
        (["12O", "6C"], ["12O", "6C", "1C", "12C"], {"O": [6, 11], "C": []}, "6C"),  # open where one holds both ends
        (["10E", "12O"], ["10E", "12O"], {"O": [6], "E": [6, 7]}, "10E"),  # keep what cannot die
    ],
)
def test_bots_know_the_advice(legal: list[str], hand: list[str], played: dict[str, list[int]], best: str) -> None:
    seen = {"jeu": 40, "legal": legal, "hand": hand, "played": {**PLAYED, **played}}
    assert {bots.choose(seen, seed) for seed in range(5)} == {best}


@pytest.mark.parametrize("jeu", [40, 48])
def test_malin_values_a_card_as_prudent_does(jeu: int) -> None:
    """The quick value of the playouts is the value of rules 11.2."""
    foresight, ranks, judged = bots._FORESIGHT[jeu], bots.RANKS[jeu], 0
    deck = sum(1 << card for card in CARDS[jeu])
    for state, _, _ in match(jeu, 3, 5):
        assert state.turn is not None
        seen = RULES.observation(state, state.turn)
        live = deck & ~state.table & ~LADDERS.dead(state.table)
        for text in seen["legal"]:
            if text != "pass" and state.opening is None:
                value = foresight._worth(1 << DECK.numbers[text], state.hands[state.turn], live)
                assert value == pytest.approx(Prospect.of(seen, text, ranks, PIVOT).leap_worth())
                judged += 1
    assert judged > 100


def test_a_pass_rules_cards_out() -> None:
    """Who passed with coins open at the 6 holds no other coin, in whatever deal malin imagines."""
    foresight, number = bots._FORESIGHT[40], DECK.numbers
    proved = foresight.ruled_out([(0, number["6O"]), (1, PASS)], 3)
    assert DECK.texts(proved[1] & DECK.mask(["5O", "12O", "6C", "1C"])) == ["5O", "12O", "6C"]
    hidden = DECK.mask(["5O", "7O", "1C", "2C"])
    for world in range(10):
        hands = foresight.deal(hidden, {1: 2, 2: 2}, proved, Chance(bytes(32)), str(world))
        assert hands == {1: DECK.mask(["1C", "2C"]), 2: DECK.mask(["5O", "7O"])}
    forced = foresight.deal(DECK.mask(["5O", "7O", "1C"]), {1: 2, 2: 1}, proved, Chance(bytes(32)), "0")
    assert [forced[seat].bit_count() for seat in (1, 2)] == [2, 1]
    with pytest.raises(ValueError, match="more hidden cards"):
        foresight.deal(hidden, {1: 1, 2: 1}, proved, Chance(bytes(32)), "0")
