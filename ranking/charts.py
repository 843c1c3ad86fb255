"""Charts drawn here as SVG: numbers in, coordinates out; the templates `chart_*.html` only print them. Classes, no styles.

A drawing is 340 units wide and shown at about that many pixels, on a phone as on a desktop, so its letters stay legible.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.utils.formats import number_format

WIDTH, LEFT, RIGHT, TOP, LINE_HEIGHT, FOOT = 340, 46, 14, 12, 150, 26
BAR, ROW = 12, 40


class Line(NamedTuple):
    """A curve: its points as text, the last one, and the scale."""

    height: int
    points: str
    last: tuple[float, float]
    ticks: list[tuple[float, str]]


class Bar(NamedTuple):
    """A bar: where its row begins, how long it is, what stands above it and behind it."""

    y: int
    width: float
    label: Any
    value: str


def line(values: Sequence[float]) -> Line | None:
    """The curve of at least two values, equally far apart, on a scale of round numbers."""
    if len(values) < 2:
        return None
    low, high, step = _scale(min(values), max(values))
    bottom = LINE_HEIGHT - FOOT
    spots = [
        (
            round(LEFT + (WIDTH - LEFT - RIGHT) * index / (len(values) - 1), 1),
            round(bottom - (bottom - TOP) * (value - low) / (high - low), 1),
        )
        for index, value in enumerate(values)
    ]
    ticks = [
        (round(bottom - (bottom - TOP) * (mark - low) / (high - low), 1), number_format(mark, use_l10n=True, force_grouping=True))
        for mark in range(low, high + 1, step)
    ]
    return Line(LINE_HEIGHT, " ".join(f"{x},{y}" for x, y in spots), spots[-1], ticks)


def _scale(low: float, high: float) -> tuple[int, int, int]:
    """Round numbers below and above, two to five steps apart."""
    steps = (digit * 10**power for power in range(12) for digit in (1, 2, 5))
    step = next(step for step in steps if (high - low) / step <= 4)
    floor = int(low // step * step)
    return floor, max(int(-(-high // step) * step), floor + step), step


def bars(rows: Sequence[tuple[Any, float, str]], most: float | None = None) -> list[Bar]:
    """One bar for each (label, number, text of the number); `most` is the number of a whole bar."""
    whole = most or max((number for _label, number, _text in rows), default=0) or 1
    room = WIDTH - 64
    return [Bar(index * ROW, round(room * number / whole, 1), label, text) for index, (label, number, text) in enumerate(rows)]
