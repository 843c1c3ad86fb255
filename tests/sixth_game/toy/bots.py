"""The automatic player of the toy game: the lowest card."""

from collections.abc import Mapping
from typing import Any

LEVELS = ("prudent", "malin")


def choose(observation: Mapping[str, Any], seed: bytes | int, level: str = "prudent") -> str:
    """The first legal text."""
    return str(observation["legal"][0])
