"""Provable dealing: commitment, key, named shuffles and state hashes, to the byte an independent verifier must follow.

A seed is 32 secret bytes drawn elsewhere; nothing here draws anything. Each shuffle has a name (`"hand/3"`), so the order
of calls does not matter, and its result is kept in `Chance.results` so that a running table is never dealt again.
"""

import hmac
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from struct import unpack
from typing import TypeVar, overload

T = TypeVar("T")
SCRIPTED_KEY = bytes(32)


def commitment(code: str, game: str, version: int, options_json_text: str, seed: bytes) -> str:
    """The hex SHA-256 published before anybody sits: it fixes the table, its rules, its options and the seed."""
    return sha256(f"cinqsite/1\n{code}\n{game}\n{version}\n{options_json_text}\n{seed.hex()}".encode()).hexdigest()


def normalise_client_seed(text: str) -> str:
    """A client seed as it is hashed: Unicode NFC. Raises ValueError when it has no UTF-8 form."""
    normal = unicodedata.normalize("NFC", text)
    normal.encode()
    return normal


def deal_key(seed: bytes, client_seeds: Sequence[str]) -> bytes:
    """The 32-byte key of every shuffle of a table, from the server seed and the client seeds in order of sitting down."""
    digests = (sha256(normalise_client_seed(text).encode()).hexdigest() for text in client_seeds)
    return hmac.digest(seed, "\n".join(digests).encode(), "sha256")


def state_hash(key: bytes, state_json: str) -> str:
    """16 hex digits that pin a canonical state text; keyed, since a plain hash of a late hand could be guessed."""
    return hmac.digest(key, state_json.encode(), "sha256").hex()[:16]


def _words(key: bytes, label: str) -> Iterator[int]:
    """The endless 32-bit big-endian words of a label: block i is HMAC-SHA-256(key, label 0x00 i)."""
    prefix = label.encode() + b"\0"
    block = 0
    while True:
        yield from unpack(">8I", hmac.digest(key, prefix + block.to_bytes(8, "big"), "sha256"))
        block += 1


def _permutation(key: bytes, label: str, count: int) -> list[int]:
    """Fisher-Yates from 0, 1 ... count-1, downwards, with rejection so that every order is equally likely."""
    words = _words(key, label)
    order = list(range(count))
    for i in range(count - 1, 0, -1):
        bound = (1 << 32) - (1 << 32) % (i + 1)
        word = next(words)
        while word >= bound:
            word = next(words)
        j = word % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


class Chance:
    """The named shuffles of one table.

    `key` comes from `deal_key`; `stored` holds results dealt before, and these win. `results` has every result known,
    as index lists fit for JSON; `asked` names the shuffles used since this object was made.
    """

    def __init__(self, key: bytes, stored: Mapping[str, Sequence[int]] | None = None) -> None:
        self.key = key
        self.results: dict[str, list[int]] = {label: list(order) for label, order in (stored or {}).items()}
        self.asked: set[str] = set()

    @overload
    def shuffle(self, label: str, items: int) -> tuple[int, ...]: ...
    @overload
    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]: ...
    def shuffle(self, label: str, items: int | Sequence[T]) -> tuple[int, ...] | tuple[T, ...]:
        """The items (an int means 0 ... items-1) in this label's order. Raises ValueError on a stored misfit."""
        count = items if isinstance(items, int) else len(items)
        self.asked.add(label)
        order = self.results.get(label)
        if order is None:
            order = self.results[label] = self._order(label, count)
        elif len(order) != count or sorted(order) != list(range(count)):
            raise ValueError(f"the stored result of {label!r} does not shuffle {count} items")
        return tuple(order) if isinstance(items, int) else tuple([items[i] for i in order])

    def first(self, label: str, count: int) -> int:
        """A number below `count` drawn by lot: the first item of the label's shuffle."""
        return self.shuffle(label, count)[0]

    def seating(self, seats: int, chosen: Sequence[int] = ()) -> tuple[int, ...]:
        """Who gets which seat: item s is the `joined` number (order of sitting down) of the person at seat s.

        In games with sides, `chosen[j]` is the side (0, 1 ...) that person j chose when he sat: the lot `sides` orders the
        sides (seat s belongs to the side drawn at place s mod sides), then `seats` the people inside each. Raises
        ValueError unless the sides are equally large.
        """
        order = self.shuffle("seats", seats)
        if not chosen:
            return order
        sides = max(chosen) + 1
        people = [[joined for joined in order if chosen[joined] == side] for side in range(sides)]
        if any(len(side) * sides != seats for side in people):
            raise ValueError("the sides are not equally large")
        drawn = self.shuffle("sides", sides)
        return tuple(people[drawn[seat % sides]][seat // sides] for seat in range(seats))

    def _order(self, label: str, count: int) -> list[int]:
        return _permutation(self.key, label, count)


class ScriptedChance(Chance):
    """Fixed shuffles for tests and worked examples, under the all-zero key.

    `canonical=True` leaves labels without a script in canonical order; otherwise they raise LookupError.
    """

    def __init__(self, script: Mapping[str, Sequence[int]], *, canonical: bool = False) -> None:
        super().__init__(SCRIPTED_KEY, script)
        self._canonical = canonical

    def _order(self, label: str, count: int) -> list[int]:
        if not self._canonical:
            raise LookupError(f"no script for {label!r}")
        return list(range(count))


def self_test() -> None:
    """Known answers for every step above; raises RuntimeError, and then no table may be dealt (reliability D.5, 33)."""
    seed = bytes(range(32))
    key = deal_key(seed, ["e\u0301t\u00e9", "bot/1"])
    known = (
        commitment("0123456789", "cinq", 1, "{}", seed),
        key.hex(),
        _permutation(key, "hand/1", 40)[:12],
        _permutation(key, "reshuffle/2/1", 108)[-6:],
        state_hash(key, "{}"),
    )
    if known != KNOWN_ANSWERS:
        raise RuntimeError("the dealing code does not give its known answers")


KNOWN_ANSWERS = (
    "a9e7cf49fed471e787f1d4b27fcd1862443b3a4506b46909036063c0d724223f",
    "bde0d3eaa9ca772044d7c60bb6e8dac7f83e325c30673d0be14a53f965ec457c",
    [27, 21, 26, 9, 4, 20, 13, 30, 38, 28, 15, 35],
    [10, 74, 101, 7, 21, 32],
    "23fad9983fa5eab4",
)
