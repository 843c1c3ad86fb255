"""Provable dealing: the bytes, the stored results, and that shuffles are fair."""

import hashlib
import hmac
import math
import unicodedata
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import chance as module
from games.engine.chance import (
    SCRIPTED_KEY,
    Chance,
    ScriptedChance,
    commitment,
    deal_key,
    normalise_client_seed,
    self_test,
    state_hash,
)


def plain_shuffle(key: bytes, label: str, count: int) -> list[int]:
    """The published recipe, written a second time as literally as possible."""
    words: list[int] = []
    order, block = list(range(count)), 0
    for i in range(count - 1, 0, -1):
        while True:
            if not words:
                digest = hmac.new(key, label.encode("utf-8") + b"\x00" + block.to_bytes(8, "big"), hashlib.sha256).digest()
                words = [int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4)]
                block += 1
            word = words.pop(0)
            if word < 2**32 - 2**32 % (i + 1):
                break
        j = word % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(st.binary(min_size=32, max_size=32), st.text(max_size=12), st.integers(0, 130))
def test_shuffle_follows_the_published_recipe(key: bytes, label: str, count: int) -> None:
    assert list(Chance(key).shuffle(label, count)) == plain_shuffle(key, label, count)


def test_words_that_would_favour_low_numbers_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    """2**32 - 1 is the one word too many for three items, and fits two."""
    top = 2**32 - 1
    monkeypatch.setattr(module, "_words", lambda key, label: iter([top, top - 1, 0]))
    assert Chance(SCRIPTED_KEY).shuffle("hand/1", 3) == (1, 0, 2)
    monkeypatch.setattr(module, "_words", lambda key, label: iter([top]))
    assert Chance(SCRIPTED_KEY).shuffle("hand/1", 2) == (0, 1)


@pytest.mark.parametrize("code", ["0123456789", "cafécafé"])
def test_commitment_and_key_follow_the_published_recipe(code: str) -> None:
    seed = hashlib.sha256(code.encode()).digest()
    text = f'cinqsite/1\n{code}\ncinq\n1\n{{"limite":30}}\n{seed.hex()}'
    assert commitment(code, "cinq", 1, '{"limite":30}', seed) == hashlib.sha256(text.encode()).hexdigest()
    clients = ["E\u0301", "bot/1", ""]
    hexes = [hashlib.sha256(unicodedata.normalize("NFC", client).encode()).hexdigest() for client in clients]
    assert deal_key(seed, clients) == hmac.new(seed, "\n".join(hexes).encode(), hashlib.sha256).digest()


def test_client_seeds_are_normalised() -> None:
    assert normalise_client_seed("e\u0301") == "\u00e9"
    assert deal_key(bytes(32), ["e\u0301"]) == deal_key(bytes(32), ["\u00e9"])
    assert deal_key(bytes(32), ["a", "b"]) != deal_key(bytes(32), ["b", "a"])
    with pytest.raises(ValueError, match="surrogate"):
        normalise_client_seed("\ud800")


def test_state_hash_depends_on_key_and_state() -> None:
    assert state_hash(SCRIPTED_KEY, "{}") == hmac.new(bytes(32), b"{}", hashlib.sha256).hexdigest()[:16]
    assert len({state_hash(SCRIPTED_KEY, "{}"), state_hash(b"1" * 32, "{}"), state_hash(SCRIPTED_KEY, "[]")}) == 3


def test_self_test_notices_a_changed_shuffle(monkeypatch: pytest.MonkeyPatch) -> None:
    self_test()
    monkeypatch.setattr(module, "_permutation", lambda key, label, count: list(range(count)))
    with pytest.raises(RuntimeError):
        self_test()


def test_results_are_recorded_and_win_over_the_key() -> None:
    first = Chance(b"a" * 32)
    hand, odd = first.shuffle("hand/1", 40), first.first("odd", 3)
    again = Chance(b"b" * 32, first.results)
    assert again.shuffle("hand/1", 40) == hand
    assert again.first("odd", 3) == odd
    assert again.shuffle("hand/2", 40) != first.shuffle("hand/2", 40)
    assert set(again.results) == {"hand/1", "odd", "hand/2"}
    assert first.shuffle("seats", "abc") == tuple("abc"[i] for i in first.results["seats"])
    assert first.seating(3) == tuple(first.results["seats"])


@pytest.mark.parametrize("stored", [[0, 1], [0, 1, 1], [1, 2, 3]])
def test_stored_result_that_does_not_fit_is_refused(stored: list[int]) -> None:
    with pytest.raises(ValueError, match="hand/1"):
        Chance(SCRIPTED_KEY, {"hand/1": stored}).shuffle("hand/1", 3)


def test_order_of_calls_does_not_matter() -> None:
    one, two = Chance(b"k" * 32), Chance(b"k" * 32)
    labels = ["hand/1", "odd", "hand/2"]
    for label in labels:
        one.shuffle(label, 40)
    for label in reversed(labels):
        two.shuffle(label, 40)
    assert one.results == two.results


def test_scripted_chance() -> None:
    scripted = ScriptedChance({"hand/1": [2, 0, 1]})
    assert scripted.key == bytes(32)
    assert scripted.shuffle("hand/1", "abc") == ("c", "a", "b")
    with pytest.raises(LookupError, match="hand/2"):
        scripted.shuffle("hand/2", 3)
    assert ScriptedChance({}, canonical=True).shuffle("hand/2", 3) == (0, 1, 2)


def test_ten_thousand_seeds_give_ten_thousand_deals() -> None:
    deals = {Chance(deal_key(seed.to_bytes(32, "big"), ["a", "b"])).shuffle("hand/1", 40) for seed in range(10_000)}
    assert len(deals) == 10_000


def real_shuffle(number: int) -> list[int]:
    return list(Chance(number.to_bytes(32, "big")).shuffle("hand/1", 40))


def swap_with_any(number: int) -> list[int]:
    rng, order = Random(number), list(range(40))
    for i in range(40):
        j = int(rng.random() * 40)
        order[i], order[j] = order[j], order[i]
    return order


def byte_modulo(number: int) -> list[int]:
    rng, order = Random(number), list(range(40))
    for i in range(39, 0, -1):
        j = rng.getrandbits(8) % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def sattolo(number: int) -> list[int]:
    rng, order = Random(number), list(range(40))
    for i in range(39, 0, -1):
        j = int(rng.random() * i)
        order[i], order[j] = order[j], order[i]
    return order


def unevenness(shuffle: Callable[[int], list[int]], rounds: int = 20_000) -> float:
    """Chi-square of position x card, as a number of standard deviations from what fair shuffles give."""
    counts = [[0] * 40 for _ in range(40)]
    for number in range(rounds):
        for row, card in zip(counts, shuffle(number), strict=True):
            row[card] += 1
    expected, freedom = rounds / 40, 39 * 39
    chi = sum((count - expected) ** 2 / expected for row in counts for count in row) * 39 / 40
    return (chi - freedom) / math.sqrt(2 * freedom)


def test_shuffles_are_even() -> None:
    assert abs(unevenness(real_shuffle)) < 3.5


@pytest.mark.parametrize("bug", [swap_with_any, byte_modulo, sattolo])
def test_the_evenness_test_rejects_planted_bugs(bug: Callable[[int], list[int]]) -> None:
    assert unevenness(bug) > 8
