"""The automatic players of 55: they decide from what they see, and the same seed gives the same move."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from random import Random
from typing import Any

import pytest

from games.cinquante_cinq import bots
from games.cinquante_cinq.auction import CALLS, standing
from games.cinquante_cinq.exchange import best_trump, keep, proposals, worth
from games.cinquante_cinq.playout import GROUNDS, Tricks
from games.cinquante_cinq.rules import AUCTION, DISCARD, PLAY, RULEBOOK, FiftyFiveMove, FiftyFiveOptions, FiftyFiveState
from games.cinquante_cinq.sampling import Lot, Unseen
from games.cinquante_cinq.tricks import ACE_OF_HEARTS, DECK, TRUMPS
from games.engine.chance import Chance
from games.engine.rules import Illegal
from tests.games.cinquante_cinq.twins import twin

RULES = RULEBOOK[1]
SEED = bytes(range(32))


@pytest.fixture
def few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer worlds: what is tested here does not depend on their number."""
    for name in ("CARD_WORLDS", "PLAN_WORLDS", "CALL_WORLDS"):
        monkeypatch.setattr(bots, name, 40)


def match(seats: int, level: str, seed: int, sides: int = 0, plies: int = 400) -> list[tuple[FiftyFiveState, str, bytes]]:
    """(state, text, seed of the decision) of each decision of a match that bots play; forced moves are played at once."""
    chance, decisions = Chance(sha256(str(seed).encode()).digest()), []
    state: FiftyFiveState = RULES.deal(FiftyFiveOptions(equipes=sides), seats, chance)
    for ply in range(plies):
        if state.turn is None:
            break
        forced = RULES.forced(state)
        if forced is not None:
            move = forced[1]
        else:
            lot = sha256(f"{seed}/{ply}/{state.turn}".encode()).digest()
            text = bots.choose(RULES.observation(state, state.turn), lot, level)
            decisions.append((state, text, lot))
            move = FiftyFiveMove.parse(text)
        state = RULES.apply(state, state.turn, move, chance).state
    return decisions


@pytest.mark.parametrize("level", bots.LEVELS)
@pytest.mark.parametrize(("seats", "sides"), [(2, 0), (4, 0), (4, 2), (9, 3)])
@pytest.mark.usefixtures("few_worlds")
def test_the_same_move_at_tables_that_differ_in_hidden_cards_only(level: str, seats: int, sides: int) -> None:
    rng, phases, different = Random(seats), set(), 0
    for state, text, lot in match(seats, level, seats, sides, plies=60):
        assert state.turn is not None
        phases.add(state.phase)
        other = twin(state, state.turn, rng)
        different += other != state
        seen = RULES.observation(other, state.turn)
        assert text in seen["legal"]
        assert bots.choose(json.loads(json.dumps(seen)), lot, level) == text
    assert phases == {AUCTION, DISCARD, "trump", PLAY}
    assert different > 10


@pytest.mark.parametrize("seats", [2, 3, 4, 6, 9])
def test_prudents_end_a_match(seats: int) -> None:
    decisions = match(seats, "prudent", seats, plies=3000)
    state, text, _ = decisions[-1]
    assert len(state.sheet) < 40
    assert state.turn is not None
    assert text in RULES.observation(state, state.turn)["legal"]


def test_a_seed_is_a_seed() -> None:
    state = RULES.deal(FiftyFiveOptions(), 4, Chance(bytes(32)))
    seen = RULES.observation(state, state.turn)
    assert bots.choose(seen, SEED, "malin") == bots.choose(seen, SEED, "malin")
    assert bots.choose(seen, 5) == bots.choose(seen, 6)


def test_no_level_and_no_turn() -> None:
    state = RULES.deal(FiftyFiveOptions(), 4, Chance(bytes(32)))
    with pytest.raises(ValueError, match="no such level"):
        bots.choose(RULES.observation(state, state.turn), SEED, "fou")
    with pytest.raises(ValueError, match="not to act"):
        bots.choose(RULES.observation(state, state.dealer), SEED)


@pytest.mark.parametrize(
    ("calls", "hand", "text"),
    [
        ("", "5T VT AC RT RK", "60"),
        ("", "2C 4C 7K 8P 9T", "20"),
        ("60", "5T VT AC RT RK", "pass"),
        ("20 pass", "5T VT AC RT RK", "hold"),
        ("25 pass", "2C 4C 7K 8P 9T", "pass"),
        ("pass pass", "5T VT AC RT RK", "10"),
        ("10 pass hold", "5T VT AC RT RK", "15"),
    ],
)
def test_a_prudent_player_bids_what_his_hand_is_worth(calls: str, hand: str, text: str) -> None:
    """Three seats, seat 0 deals; whoever is on turn holds these cards."""
    said = calls.split()
    turn = standing(3, 0, [CALLS[call] for call in said]).turn
    state = RULES.deal(FiftyFiveOptions(), 3, Chance(bytes(32)))._replace(dealer=0, turn=1)
    for call in said:
        assert state.turn is not None
        state = RULES.apply(state, state.turn, FiftyFiveMove.parse(call), Chance(bytes(32))).state
    assert state.turn == turn
    hands = tuple(DECK.mask(hand.split()) if seat == turn else 0 for seat in range(3))
    assert bots.choose(RULES.observation(state._replace(hands=hands), turn), SEED) == text


def test_the_exchange_keeps_the_best() -> None:
    ten = DECK.mask(["5T", "VT", "AC", "2T", "RK", "9C", "4C", "7K", "8P", "3P"])
    assert DECK.suits[best_trump(ten)] == "T"
    assert set(DECK.texts(keep(ten, 3))) == {"5T", "VT", "AC", "2T", "RK"}
    assert worth(ten, 3) > worth(ten, 0)
    found = proposals(ten)
    assert ten & ~keep(ten, 3) in found
    assert all(cards.bit_count() == 5 and not cards & ~ten for cards in found)
    assert list(found) == sorted(set(found))


@pytest.mark.parametrize("suit", range(4))
def test_a_ground_agrees_with_the_rules(suit: int) -> None:
    """Every card on every lead: what may be played, and what beats what."""
    law, ground, rng = TRUMPS[suit], GROUNDS[suit], Random(suit)
    for led in range(DECK.size):
        hand = sum(1 << card for card in rng.sample([card for card in range(DECK.size) if card != led], 5))
        number = ground.number[led]
        mine = ground.renumbered(hand)
        legal = mine & ground.allowed[number] if mine & ground.binding[number] else mine
        assert legal == ground.renumbered(law.legal(hand, led))
        for card in range(DECK.size):
            if card != led:
                wins = law.winner([led, card]) == 1
                assert bool(ground.beats[number] >> ground.number[card] & 1) == wins
    assert ground.card[-1] == law.ranking[0]
    assert ground.number[ACE_OF_HEARTS] >= ground.first_trump


@pytest.mark.parametrize("seats", [2, 4, 9])
def test_a_playout_is_a_legal_deal(seats: int) -> None:
    """Quick play makes only moves that the rules allow, and counts the same winners and the same bonus."""
    chance = Chance(sha256(f"playout{seats}".encode()).digest())
    state: FiftyFiveState = RULES.deal(FiftyFiveOptions(cible=1000), seats, chance)
    for deal in range(12):
        while state.phase != PLAY:
            assert state.turn is not None
            text = bots.choose(RULES.observation(state, state.turn), SEED)
            state = RULES.apply(state, state.turn, FiftyFiveMove.parse(text), chance).state
        assert state.trump is not None
        assert state.declarer is not None
        assert state.turn is not None
        ground = GROUNDS[state.trump]
        quick = Tricks(ground, [ground.renumbered(hand) for hand in state.hands], state.turn)
        while len(state.sheet) == deal:
            card = quick.choice(state.declarer, seats)
            quick.lay(card)
            assert state.turn is not None
            move = FiftyFiveMove("card", ground.card[card])
            try:
                state = RULES.apply(state, state.turn, move, chance).state
            except Illegal as refused:
                pytest.fail(f"the playout is not legal: {refused}")
        assert (tuple(quick.won), quick.bonus) == (state.sheet[-1].won, state.sheet[-1].bonus)


@pytest.mark.usefixtures("few_worlds")
def test_worlds_agree_with_what_was_seen() -> None:
    checked = 0
    for state, _, lot in match(5, "prudent", 3, plies=120):
        if state.phase != PLAY:
            continue
        assert state.turn is not None
        seen = RULES.observation(state, state.turn)
        unseen = Unseen(seen)
        for seat, cards in enumerate(unseen.missing):
            assert not state.hands[seat] & cards
            checked += bool(cards)
        world = unseen.deal(Lot(lot))
        assert [len(cards) for cards in world[:-1]] == seen["hand_sizes"]
        dealt = [card for seat, cards in enumerate(world[:-1]) if seat != state.turn for card in cards]
        assert len(set(dealt)) == len(dealt)
        assert set(dealt) <= set(unseen.cards)
        assert not {card for _, card in state.plays} & set(dealt)
    assert checked > 20


def test_a_lot_is_fair_and_never_ends() -> None:
    lot, counts = Lot(SEED), [0] * 10
    for _ in range(3000):
        counts[lot.shuffle(list(range(10)), 3)[0]] += 1
    assert all(230 < count < 370 for count in counts)


Position = Callable[..., FiftyFiveState]


def test_a_malin_takes_the_trick_that_wins_the_match(at_tricks: Position) -> None:
    """Seat 1 needs five points and is last to play: only the king takes the trick."""
    plays: tuple[tuple[int, int], ...] = ((0, DECK.numbers["DK"]),)
    state = at_tricks("2P 3P 4P 6P", "RK 2K RP DP VP", trump="T", turn=1, plays=plays, cible=55, totals=(50, 50))
    seen: dict[str, Any] = RULES.observation(state, 1)
    assert bots.choose(seen, SEED, "malin") == "RK"
