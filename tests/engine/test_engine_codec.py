"""Values to JSON and back by the types of their fields."""

import json
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

from games.engine.codec import canonical, canonical_json, decode, encode


@dataclass(frozen=True, slots=True)
class Inner:
    name: str
    on: bool = False


class Outer(NamedTuple):
    inner: Inner
    maybe: int | None
    many: tuple[int, ...]
    pairs: tuple[tuple[int, str], ...]
    last: Inner | None = None


VALUE = Outer(Inner("é"), None, (1, 2), ((3, "x"),), Inner("y", True))


def test_round_trip_keeps_types() -> None:
    back = decode(Outer, json.loads(json.dumps(encode(VALUE))))
    assert back == VALUE
    assert type(back.inner) is Inner
    assert type(back.pairs[0]) is tuple


def test_canonical_text_has_sorted_keys_and_no_spaces() -> None:
    assert canonical(VALUE) == (
        '{"inner":{"name":"é","on":false},"last":{"name":"y","on":true},"many":[1,2],"maybe":null,"pairs":[[3,"x"]]}'
    )
    assert canonical_json({"b": 1, "a": [True, None]}) == '{"a":[true,null],"b":1}'


@pytest.mark.parametrize(
    "change",
    [
        {"maybe": True},
        {"maybe": "1"},
        {"many": 3},
        {"many": [1.0]},
        {"pairs": [[1]]},
        {"inner": {"name": "x"}},
        {"inner": []},
        {"inner": {"name": "x", "on": 1}},
        {"other": 1},
    ],
)
def test_other_shapes_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"expected|needs exactly"):
        decode(Outer, {**encode(VALUE), **change})


@pytest.mark.parametrize("value", [1.5, {1}, object()])
def test_unknown_types_are_refused(value: object) -> None:
    with pytest.raises(TypeError):
        encode(value)


@pytest.mark.parametrize("kind", [float, int | str, list[int]])
def test_unknown_field_types_are_refused(kind: Any) -> None:
    with pytest.raises(TypeError):
        decode(kind, [])
