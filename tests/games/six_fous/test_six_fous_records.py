"""Golden records of Six fous: they hold, they verify offline, and each shows the ending it is there for."""

import importlib.util
import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest

from games import verify
from games.engine.chance import Chance, deal_key
from games.engine.record import read, replay, write
from games.six_fous.rules import RULEBOOK, PastHand, SixFousState

RECORDS = sorted((Path(__file__).parent / "records").glob("*.txt"))
RULES = RULEBOOK[1]


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_six_fous_records", Path(__file__).parent / "make_records.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def states_of(text: str) -> list[SixFousState]:
    """Every state of a record, from the first deal to the end."""
    record = read(text)
    assert record.seed is not None
    chance = Chance(deal_key(record.seed, record.client_seeds))
    options = RULES.read_options(json.loads(record.options))
    moves = [(ply.seat, ply.notation or "") for ply in record.plies]
    return [step.state for step in replay(RULES, options, record.seats, chance, moves)]


def hands_of(states: list[SixFousState]) -> list[PastHand]:
    """Each finished hand, laid open."""
    return [
        after.last_hand
        for before, after in pairwise(states)
        if after.last_hand is not None and len(after.sheet) > len(before.sheet)
    ]


def left(hand: PastHand) -> list[int]:
    return [cards.bit_count() for cards in hand.left]


def dealt(hand: PastHand) -> set[int]:
    return {placed + rest for placed, rest in zip(hand.placed, left(hand), strict=True)}


def shared_with_remainder(hand: PastHand) -> bool:
    return len(hand.winners) > 1 and sum(left(hand)) % len(hand.winners) > 0


def loser_places_all(hand: PastHand) -> bool:
    return any(not rest and seat not in hand.winners for seat, rest in enumerate(left(hand)))


ENDINGS: dict[str, Callable[[list[SixFousState]], bool]] = {
    "match_tie": lambda states: sum(place.rank == 1 for place in RULES.outcome(states[-1])) == 2,
    "several_reach_the_limit": lambda states: (
        sum(total >= states[-1].options.limite for total in states[-1].totals) > 1
        and sum(place.rank == 1 for place in RULES.outcome(states[-1])) == 1
    ),
    "shared_hand_with_a_remainder": lambda states: any(shared_with_remainder(hand) for hand in hands_of(states)),
    "winner_places_all": lambda states: any(left(hand)[hand.winners[0]] == 0 for hand in hands_of(states)),
    "loser_places_all": lambda states: any(loser_places_all(hand) for hand in hands_of(states)),
    "shared_by_three": lambda states: any(len(hand.winners) == 3 for hand in hands_of(states)),
    "cards_40_seats_3": lambda states: all(dealt(hand) == {13, 14} for hand in hands_of(states)),
    "cards_48_seats_3": lambda states: all(dealt(hand) == {16} for hand in hands_of(states)),
}


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_golden_records_hold(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = read(text)
    assert all(ply.state_hash for ply in record.plies)
    assert write(record, hash_every=1) == text
    assert list(verify.check(text))[-1] == "result: agrees"
    assert list(verify.check(write(record)))[-1] == "result: agrees"


def test_there_is_a_record_of_every_variant_and_ending(maker: ModuleType) -> None:
    assert {path.stem for path in RECORDS} == set(maker.TABLES)
    assert len(RECORDS) >= 10


@pytest.mark.parametrize("name", ENDINGS)
def test_the_record_shows_its_ending(name: str) -> None:
    path = next(path for path in RECORDS if path.stem == name)
    assert ENDINGS[name](states_of(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", ["cards_40_seats_3", "cards_48_seats_4"])
def test_the_maker_still_makes_the_same_record(maker: ModuleType, name: str) -> None:
    """So the prudent bot and the forced moves of version 1 have not changed either."""
    text = next(path for path in RECORDS if path.stem == name).read_text(encoding="utf-8")
    assert maker.make(name) == text
