"""What every version of every game's rules must keep; a new folder with a rules.py is taken in by itself."""

import json
from collections.abc import Iterator
from hashlib import sha256
from importlib import import_module
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

import games
from games.engine.chance import Chance
from games.engine.codec import canonical, decode, encode
from games.engine.record import replay
from games.engine.rules import BadOptions, Illegal, Malformed, Rules, Step

AnyRules = Rules[Any, Any, Any]
KEYS = sorted(path.parent.name for path in Path(games.__file__).parent.glob("*/rules.py") if path.parent.name != "engine")
REQUIRED = {"hand", "hand_sizes", "to_act", "scores", "hand_number", "legal"}
JUNK = ["", " ", "?", "\0", "\n", "pass ", " pass", "passe", "8Z", "é", "٣O", "x" * 5000, "7O\n", "[]", "null"]


def tables() -> Iterator[Any]:
    """(rules, options, seats): the defaults and each other word of each option, with the fewest and the most seats that fit;
    the defaults with every number of seats."""
    for key in KEYS:
        for version, rules in import_module(f"games.{key}.rules").RULEBOOK.items():
            words = {name: values for name, values in rules.choices.items() if isinstance(values[0], str)}
            changes = [{}, *({name: word} for name, values in words.items() for word in values)]
            for change in changes:
                options = rules.read_options(change)
                if change and options == rules.read_options({}):
                    continue
                fitting = [seats for seats in rules.seats if _fits(rules, options, seats)]
                for seats in fitting if not change else sorted({fitting[0], fitting[-1]}):
                    yield pytest.param(rules, options, seats, id="-".join([f"{key}{version}", *change.values(), str(seats)]))


def _fits(rules: AnyRules, options: Any, seats: int) -> bool:
    try:
        rules.check(options, seats)
    except BadOptions:
        return False
    return True


each_table = pytest.mark.parametrize(("rules", "options", "seats"), list(tables()))
each_rules = pytest.mark.parametrize(
    ("key", "version", "rules"),
    [(key, version, rules) for key in KEYS for version, rules in import_module(f"games.{key}.rules").RULEBOOK.items()],
)


def chance(name: str = "contract") -> Chance:
    return Chance(sha256(name.encode()).digest())


def match(rules: AnyRules, options: Any, seats: int, name: str, most: int = 200) -> Iterator[tuple[Any, int, Any, Step[Any]]]:
    """(state, seat, move, step) for the first `most` plies of a random match; whoever of those to act may act."""
    return islice(_whole_match(rules, options, seats, name), most)


def _whole_match(rules: AnyRules, options: Any, seats: int, name: str) -> Iterator[tuple[Any, int, Any, Step[Any]]]:
    rng, deals = Random(name), chance(name)
    state = rules.deal(options, seats, deals)
    while to_act := rules.to_act(state):
        seat = rng.choice(to_act)
        move = rng.choice(rules.legal_moves(state, seat))
        step = rules.apply(state, seat, move, deals)
        yield state, seat, move, step
        state = step.state


def plain(value: Any) -> bool:
    return bool(json.loads(json.dumps(value)) == value)


@each_rules
def test_declarations(key: str, version: int, rules: AnyRules) -> None:
    assert (rules.key, rules.version) == (key, version)
    default = rules.read_options({})
    assert rules.read_options(rules.options_json(default)) == default
    assert plain(rules.options_json(default))
    with pytest.raises(BadOptions):
        rules.read_options({"no such option": 1})
    with pytest.raises(BadOptions):
        rules.check(default, max(rules.seats) + 1)


@each_rules
@pytest.mark.parametrize("text", JUNK, ids=[repr(text[:8]) for text in JUNK])
def test_junk_is_malformed(key: str, version: int, rules: AnyRules, text: str) -> None:
    with pytest.raises(Malformed) as refused:
        rules.Move.parse(text)
    assert plain(refused.value.params)
    assert len(json.dumps(refused.value.params)) < 300


@each_table
def test_moves_are_offered_to_those_who_owe_one(rules: AnyRules, options: Any, seats: int) -> None:
    for state, seat, move, _ in match(rules, options, seats, "offer"):
        to_act = rules.to_act(state)
        for other in range(seats):
            offered = rules.legal_moves(state, other)
            assert bool(offered) == (other in to_act)
            assert len(set(offered)) == len(offered)
            assert all(rules.Move.parse(str(each)) == each for each in offered)
            if other not in to_act:
                with pytest.raises(Illegal, match="not_your_turn"):
                    rules.apply(state, other, move, chance())
        forced = rules.forced(state)
        assert forced is None or rules.legal_moves(state, forced[0]) == (forced[1],)
        assert seat in to_act


@each_table
def test_observations(rules: AnyRules, options: Any, seats: int) -> None:
    for state, seat, move, _ in match(rules, options, seats, "observe"):
        for viewer in (None, *range(seats)):
            seen = rules.observation(state, viewer)
            assert seen.keys() >= REQUIRED
            assert plain(seen)
            assert seen["to_act"] == list(rules.to_act(state))
            offered = () if viewer is None else rules.legal_moves(state, viewer)
            # Where a choice is too wide to list (five cards of ten), the observation says what to choose from.
            assert seen["legal"] == [str(each) for each in offered] or (seen["legal"] == [] and seen.get("choose"))
        assert rules.observation(state, None)["hand"] == []
        assert rules.why_not(rules.observation(state, seat), str(move)) is None


@each_table
def test_states_are_immutable_and_survive_json(rules: AnyRules, options: Any, seats: int) -> None:
    deals = chance("json")
    for state, seat, move, step in match(rules, options, seats, "json"):
        before = canonical(state)
        assert rules.apply(state, seat, move, deals).state == step.state
        assert canonical(state) == before
        assert decode(rules.State, json.loads(before)) == state
        assert plain([list(event) for event in step.events])
        assert all(isinstance(event[0], str) for event in step.events)
        hash(state)
    assert decode(rules.State, encode(step.state)) == step.state


@each_table
def test_the_end_and_the_replay(rules: AnyRules, options: Any, seats: int) -> None:
    plies = list(match(rules, options, seats, "end", most=1500))
    last = plies[-1][3].state
    places = rules.outcome(last)
    assert len(places) == seats
    assert min(place.rank for place in places) in (1, 2)
    if not rules.to_act(last):
        assert all(rules.legal_moves(last, seat) == () for seat in range(seats))
    moves = [(seat, str(move)) for _, seat, move, _ in plies]
    again = list(replay(rules, options, seats, chance("end"), moves))
    assert [step.state for step in again[1:]] == [step.state for _, _, _, step in plies]
    assert plain([list(event) for event in again[0].events])


@each_table
def test_bots_choose_a_legal_text_every_time(rules: AnyRules, options: Any, seats: int) -> None:
    bots = import_module(f"games.{rules.key}.bots")
    for number, (state, seat, _, _) in enumerate(match(rules, options, seats, "bots", most=60)):
        seen = rules.observation(state, seat)
        for level in bots.LEVELS if number % 12 == 0 else bots.LEVELS[:1]:
            text = bots.choose(seen, number.to_bytes(32, "big"), level=level)
            rules.apply(state, seat, rules.Move.parse(text), chance("bots"))
            assert bots.choose(json.loads(json.dumps(seen)), number.to_bytes(32, "big"), level=level) == text
