"""States and options to JSON and back, by the types of their fields.

Understood: named tuples, dataclasses, `tuple[X, ...]`, `tuple[X, Y]`, `X | None`, int, str, bool and None. A text from
`canonical` is what state hashes are taken of, so it may never change for a version of the rules.
"""

import json
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
PLAIN = (int, str, bool, NoneType)


def encode(value: Any) -> Any:
    """Plain JSON values: records become objects, tuples lists. Raises TypeError on anything not understood."""
    kind: Any = type(value)
    if kind in PLAIN:
        return value
    names = _names(kind)
    if names is not None:
        return {name: encode(getattr(value, name)) for name in names}
    if kind in (tuple, list):
        return [encode(item) for item in value]
    raise TypeError(f"no JSON form for {kind.__name__}")


def decode(cls: type[T], data: Any) -> T:
    """The value of type `cls` that `encode` wrote as `data`. Raises ValueError when the data has another shape."""
    return _decode(cls, data)  # type: ignore[no-any-return]


def canonical_json(data: Any) -> str:
    """Plain JSON as one text: sorted keys, no spaces."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical(state: Any) -> str:
    """The one text of a state: `encode` as canonical JSON."""
    return canonical_json(encode(state))


@cache
def _names(cls: Any) -> tuple[str, ...] | None:
    if is_dataclass(cls):
        return tuple(field.name for field in fields(cls))
    return getattr(cls, "_fields", None)


@cache
def _hints(cls: Any) -> dict[str, Any]:
    return get_type_hints(cls)


def _decode(kind: Any, data: Any) -> Any:
    if kind in PLAIN:
        if type(data) is not kind:
            raise ValueError(f"{kind.__name__} expected, {type(data).__name__} found")
        return data
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _decode_optional(args, data)
    if origin is tuple:
        return _decode_tuple(args, data)
    names = _names(kind)
    if names is None:
        raise TypeError(f"no JSON form for {kind}")
    if not isinstance(data, dict) or data.keys() != set(names):
        raise ValueError(f"{kind.__name__} needs exactly {', '.join(names)}")
    hints = _hints(kind)
    return kind(**{name: _decode(hints[name], data[name]) for name in names})


def _decode_optional(args: tuple[Any, ...], data: Any) -> Any:
    if data is None and NoneType in args:
        return None
    kinds = [arg for arg in args if arg is not NoneType]
    if len(kinds) != 1:
        raise TypeError("of unions only X | None has a JSON form")
    return _decode(kinds[0], data)


def _decode_tuple(args: tuple[Any, ...], data: Any) -> tuple[Any, ...]:
    endless = len(args) == 2 and args[1] is Ellipsis
    if not isinstance(data, list) or not (endless or len(args) == len(data)):
        raise ValueError(f"a list of {'any number of' if endless else len(args)} items expected")
    if endless:
        return tuple([_decode(args[0], item) for item in data])
    return tuple([_decode(kind, item) for kind, item in zip(args, data, strict=True)])
