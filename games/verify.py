"""Checks the record of a finished table offline: `python -m games.verify FILE`. Standard library only, no site.

The record must hold together: the commitment covers the seed, the seats were drawn by lot, every ply is legal in the deal
the seeds give, every state hash and the result agree. What it cannot tell: names and dates, who decided a ply, who left.
"""

import json
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from games.engine import abandonment
from games.engine.chance import Chance, commitment, deal_key, state_hash
from games.engine.codec import canonical, canonical_json
from games.engine.record import HASH_EVERY, BadRecord, Record, read, replay, rewound_to
from games.engine.rules import BadOptions, Illegal, Malformed, Rules


class Failed(Exception):
    """The record does not hold; the message is a sentence for its reader."""


def check(text: str) -> Iterator[str]:
    """Yield a line for each thing proved; raise Failed at the first thing that does not hold."""
    try:
        record = read(text)
    except BadRecord as error:
        raise Failed(f"this is no record: {error}") from None
    if record.seed is None:
        raise Failed("not verifiable before the end: the record has no server seed yet")
    if commitment(record.code, record.game, record.version, record.options, record.seed) != record.commitment:
        raise Failed("the commitment does not cover this seed, code, game, version and options")
    yield "commitment: the seed is the one committed to before anybody sat down"
    rules, options = _rules(record), _json(record.options)
    if not record.joined:
        if record.plies or record.result:
            raise Failed("plies or a result, but nobody was seated")
        yield "the table never started: nothing was dealt"
        return
    chance = Chance(deal_key(record.seed, _client_seeds(record)))
    if _seating(record, rules, options, chance) != record.joined:
        raise Failed("the seats were not drawn from these seeds")
    yield f"seats: drawn by lot, {len(record.joined)} people"
    yield from _replayed(record, rules, options, chance)


def _rules(record: Record) -> Rules[Any, Any, Any]:
    """The rulebook version a record names; only a plain word may be imported."""
    try:
        if not re.fullmatch(r"[a-z][a-z_]{0,30}", record.game):
            raise ImportError
        book = import_module(f"games.{record.game}.rules").RULEBOOK
    except (ImportError, AttributeError):
        raise Failed(f"unknown game: {record.game[:40]}") from None
    if record.version not in book:
        raise Failed(f"no version {record.version} of the rules of {record.game}")
    rules: Rules[Any, Any, Any] = book[record.version]
    return rules


def _seating(record: Record, rules: Rules[Any, Any, Any], data: dict[str, Any], chance: Chance) -> tuple[int, ...]:
    """The seats as the lot gives them, sides included where the game has sides."""
    try:
        sides = rules.sides(rules.read_options(data), record.seats)
        chosen = record.sides if sides < record.seats else ()
        if chosen != record.sides or (sides < record.seats and (len(chosen) != record.seats or max(chosen) >= sides)):
            raise Failed("the sides that people chose do not fit the game")
        return chance.seating(record.seats, chosen)
    except BadOptions as error:
        raise Failed(f"the options do not fit: {error}") from None
    except ValueError as error:
        raise Failed(f"the seats do not fit: {error}") from None


def _json(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except ValueError:
        data = None
    if not isinstance(data, dict) or canonical_json(data) != text:
        raise Failed("the options are no canonical JSON object")
    return data


def _client_seeds(record: Record) -> tuple[str, ...]:
    if len(record.client_seeds) != record.seats:
        raise Failed(f"{record.seats} seats but {len(record.client_seeds)} client seeds")
    return record.client_seeds


def _replayed(record: Record, rules: Rules[Any, Any, Any], data: dict[str, Any], chance: Chance) -> Iterator[str]:
    """Deal again and play every ply; compare hashes and result."""
    if any(ply.notation is None for ply in record.plies):
        raise Failed("a notation is hidden though the table is over")
    if any((rewound_to(ply.notation or "") is not None) != (ply.by == "staff") for ply in record.plies):
        raise Failed("the staff makes no moves, and nobody else rewinds")
    ply, last = 0, len(record.plies)
    try:
        steps = replay(
            rules, rules.read_options(data), record.seats, chance, ((entry.seat, entry.notation or "") for entry in record.plies)
        )
        state = next(steps).state
        for ply, step in enumerate(steps, 1):
            state = step.state
            known = record.plies[ply - 1].state_hash
            if known is None and (ply % HASH_EVERY == 0 or ply == last):
                raise Failed(f"the state hash after ply {ply} is missing")
            if known is not None and known != state_hash(chance.key, canonical(state)):
                raise Failed(f"the state after ply {ply} does not have the recorded hash")
    except BadOptions as error:
        raise Failed(f"the options do not fit: {error}") from None
    except (Illegal, Malformed) as error:
        raise Failed(f"ply {ply + 1} cannot be played: {error}") from None
    yield f"plies: {last} replayed in the same deal, every state hash agrees"
    yield _result(record, rules, state)


def _result(record: Record, rules: Rules[Any, Any, Any], state: Any) -> str:
    """Compare the places with those that the plies, and the people who left, lead to (rules 7.6)."""
    outcome, out = rules.outcome(state), {seat for seat, _ply in record.out}
    live = abandonment.live_sides([place.side for place in outcome], out)
    if rules.to_act(state) and record.result is None:
        return "result: none, the match was stopped before its end"
    if rules.to_act(state) and len(live) != 1:
        raise Failed("a result, but the match was not played to its end")
    if not live or record.result != abandonment.places(outcome, out, by_total=rules.by_total):
        raise Failed("the result is not the one these plies lead to")
    return "result: agrees, given who has left" if out else "result: agrees"


def main(arguments: list[str]) -> int:
    """Print what was proved; 0 when everything holds, else 1."""
    if len(arguments) != 1:
        print("usage: python -m games.verify FILE")
        return 1
    try:
        for line in check(Path(arguments[0]).read_bytes().decode()):
            print("ok  ", line)
    except (Failed, OSError, UnicodeDecodeError) as error:
        print("FAIL", error)
        return 1
    print("VERIFIED")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
