"""A whole table as one text, and its replay: export, archive, golden test, bug report and input of the verifier.

Headers come first, `[Name "JSON string"]`; then a line a ply, `ply seat by notation` (`?` for a notation that hides
something from the reader); after every ten plies and after the last one a line `# ply hash` when the hashes are known.
`rewind 40` is a ply by the staff: the position after ply 40 again, never from before the last shuffle.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from games.engine.chance import Chance
from games.engine.rules import Illegal, Place, Rules, Step

BY = ("player", "clock", "forced", "only", "bot", "staff")
HASH_EVERY = 10
_HEADER = re.compile(r'\[([A-Z][A-Za-z0-9]*) (".*")\]')
_PLY = re.compile(r"([1-9]\d{0,5}) (0|[1-9]\d?) ([a-z]+) (\S.{0,199})", re.ASCII)
_HASH = re.compile(r"# ([1-9]\d{0,5}) ([0-9a-f]{16})", re.ASCII)
_REWIND = re.compile(r"rewind (0|[1-9]\d{0,5})", re.ASCII)
_RESERVED = re.compile(r"Code|Game|Rules|Options|Seats|Joined|Sides|Out|Client\d+|Commitment|Seed|Result", re.ASCII)


class BadRecord(ValueError):
    """A text that is not a record; the message says which line or header and why."""


@dataclass(frozen=True, slots=True)
class Ply:
    """One line: who moved, who decided it, the move's text (None: hidden) and the hash of the state after it."""

    seat: int
    by: str
    notation: str | None
    state_hash: str | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """What a record says.

    `options` is the exact JSON text the commitment covers. `joined[s]` is the order of sitting down of seat s, empty when
    the table never started; `client_seeds` and `sides` (the side each person chose, () without sides) are in that order.
    `out` tells which seats can win nothing any more because their people have left, each with the number of plies made
    then. `seed` is there once the table is over; `result` only when the match was finished, not cancelled. `headers` are
    free: names, dates.
    """

    code: str
    game: str
    version: int
    options: str
    seats: int
    joined: tuple[int, ...]
    client_seeds: tuple[str, ...]
    commitment: str
    seed: bytes | None = None
    result: tuple[Place, ...] | None = None
    plies: tuple[Ply, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    sides: tuple[int, ...] = ()
    out: tuple[tuple[int, int], ...] = ()


def replay(
    rules: Rules[Any, Any, Any], options: Any, seats: int, chance: Chance, moves: Iterable[tuple[int, str]]
) -> Iterator[Step[Any]]:
    """The deal with its opening events, then one step per (seat, text), rewinds among them.

    Raises BadOptions, Malformed, Illegal when met.
    """
    state = rules.deal(options, seats, chance)
    yield Step(state, rules.opening(state))
    parse = rules.Move.parse
    # The states since the last shuffle: `states[i]` is that after ply `floor + i`.
    floor, states, asked = 0, [state], len(chance.asked)
    for ply, (seat, text) in enumerate(moves, 1):
        target = rewound_to(text)
        if target is None:
            step = rules.apply(state, seat, parse(text), chance)
        elif floor <= target < ply:
            step = Step(states[target - floor], (("rewound", target),))
        else:
            raise Illegal("rewind", {"ply": target})
        yield step
        state = step.state
        if len(chance.asked) > asked:
            floor, states, asked = ply, [], len(chance.asked)
        states.append(state)


def rewind_text(ply: int) -> str:
    """The notation of a rewind to the position after `ply`."""
    return f"rewind {ply}"


def rewound_to(text: str) -> int | None:
    """The ply that a notation goes back to, None if it is a move."""
    match = _REWIND.fullmatch(text)
    return int(match[1]) if match else None


def write(record: Record, hash_every: int = HASH_EVERY) -> str:
    """The text of a record. Raises ValueError on a free header with a reserved or unfit name."""
    headers = [
        ("Code", record.code),
        ("Game", record.game),
        ("Rules", str(record.version)),
        ("Options", record.options),
        ("Seats", str(record.seats)),
        ("Joined", " ".join(map(str, record.joined))),
        *([("Sides", " ".join(map(str, record.sides)))] if record.sides else []),
        *((f"Client{joined}", text) for joined, text in enumerate(record.client_seeds)),
        ("Commitment", record.commitment),
    ]
    if record.out:
        headers.append(("Out", " ".join(f"{seat}@{ply}" for seat, ply in record.out)))
    if record.seed is not None:
        headers.append(("Seed", record.seed.hex()))
    if record.result is not None:
        headers.append(("Result", " ".join(f"{place.side}/{place.rank}/{place.score}" for place in record.result)))
    for name, value in record.headers.items():
        if _RESERVED.fullmatch(name) or not _HEADER.fullmatch(f'[{name} ""]'):
            raise ValueError(f"no free header may be called {name!r}")
        headers.append((name, value))
    lines = [f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in headers]
    return "\n".join([*lines, "", *_ply_lines(record.plies, hash_every)]) + "\n"


def _ply_lines(plies: tuple[Ply, ...], hash_every: int) -> Iterator[str]:
    for number, ply in enumerate(plies, 1):
        yield f"{number} {ply.seat} {ply.by} {'?' if ply.notation is None else ply.notation}"
        if ply.state_hash is not None and (number % hash_every == 0 or number == len(plies)):
            yield f"# {number} {ply.state_hash}"


def read(text: str) -> Record:
    """The record of a text; Windows line ends are accepted. Raises BadRecord."""
    head, blank, body = text.replace("\r\n", "\n").partition("\n\n")
    if not blank:
        raise BadRecord("an empty line must follow the headers")
    headers = _read_headers(head.split("\n"))
    plies = _read_plies(body.removesuffix("\n").split("\n") if body else [])
    joined = _numbers(headers, "Joined")
    sides = _numbers(headers, "Sides") if "Sides" in headers else ()
    out = _out(headers.pop("Out", None), seats=len(joined), plies=len(plies))
    clients: list[str] = []
    while f"Client{len(clients)}" in headers:
        clients.append(headers.pop(f"Client{len(clients)}"))
    fixed = {name: _take(headers, name) for name in ("Code", "Game", "Options", "Commitment")}
    version, seats = _number(headers, "Rules"), _number(headers, "Seats")
    seed, result = _seed(headers.pop("Seed", None)), _result(headers.pop("Result", None))
    for name in headers:
        if _RESERVED.fullmatch(name):
            raise BadRecord(f"header {name} is out of place")
    return Record(
        fixed["Code"],
        fixed["Game"],
        version,
        fixed["Options"],
        seats,
        joined,
        tuple(clients),
        fixed["Commitment"],
        seed,
        result,
        plies,
        headers,
        sides,
        out,
    )


def _read_headers(lines: list[str]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for line in lines:
        match = _HEADER.fullmatch(line)
        try:
            value = json.loads(match[2]) if match else None
            str(value).encode()
        except ValueError:
            value = None
        if match is None or not isinstance(value, str):
            raise BadRecord(f"no header: {line[:80]}")
        if match[1] in headers:
            raise BadRecord(f"header {match[1]} stands twice")
        headers[match[1]] = value
    return headers


def _read_plies(lines: list[str]) -> tuple[Ply, ...]:
    plies: list[Ply] = []
    for line in lines:
        if found := _HASH.fullmatch(line):
            if int(found[1]) != len(plies) or plies[-1].state_hash is not None:
                raise BadRecord(f"hash out of place: {line}")
            last = plies[-1]
            plies[-1] = Ply(last.seat, last.by, last.notation, found[2])
        elif found := _PLY.fullmatch(line):
            if int(found[1]) != len(plies) + 1 or found[3] not in BY:
                raise BadRecord(f"no ply {len(plies) + 1}: {line[:80]}")
            plies.append(Ply(int(found[2]), found[3], None if found[4] == "?" else found[4]))
        else:
            raise BadRecord(f"neither ply nor hash: {line[:80]}")
    return tuple(plies)


def _take(headers: dict[str, str], name: str) -> str:
    if name not in headers:
        raise BadRecord(f"header {name} is missing")
    return headers.pop(name)


def _number(headers: dict[str, str], name: str) -> int:
    text = _take(headers, name)
    if not re.fullmatch(r"[1-9][0-9]{0,3}", text):
        raise BadRecord(f"header {name} is no number: {text[:20]}")
    return int(text)


def _numbers(headers: dict[str, str], name: str) -> tuple[int, ...]:
    text = _take(headers, name)
    if not re.fullmatch(r"([0-9]{1,2}( [0-9]{1,2})*)?", text):
        raise BadRecord(f"header {name} is no list of numbers: {text[:40]}")
    return tuple(int(part) for part in text.split())


def _out(text: str | None, *, seats: int, plies: int) -> tuple[tuple[int, int], ...]:
    if text is None:
        return ()
    if not re.fullmatch(r"\d{1,2}@\d{1,6}( \d{1,2}@\d{1,6})*", text, re.ASCII):
        raise BadRecord(f"header Out is no list of seat@ply: {text[:40]}")
    pairs = tuple((int(seat), int(ply)) for seat, _, ply in (part.partition("@") for part in text.split(" ")))
    if len({seat for seat, _ply in pairs}) < len(pairs) or any(seat >= seats or ply > plies for seat, ply in pairs):
        raise BadRecord(f"header Out names a seat twice, or one or a ply that is not there: {text[:40]}")
    return pairs


def _seed(text: str | None) -> bytes | None:
    if text is None:
        return None
    if not re.fullmatch(r"[0-9a-f]{64}", text):
        raise BadRecord("header Seed is not 64 hex digits")
    return bytes.fromhex(text)


def _result(text: str | None) -> tuple[Place, ...] | None:
    if text is None:
        return None
    if not re.fullmatch(r"\d+/\d+/-?\d+( \d+/\d+/-?\d+)*", text, re.ASCII):
        raise BadRecord(f"header Result is no list of side/rank/score: {text[:40]}")
    return tuple(Place(*map(int, part.split("/"))) for part in text.split(" "))
