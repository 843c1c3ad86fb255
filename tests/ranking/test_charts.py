"""Coordinates of the charts: inside the drawing, in order, on round scales."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking import charts


def test_one_value_is_no_curve():
    assert charts.line([]) is None
    assert charts.line([5]) is None


@given(st.lists(st.integers(-2000, 200_000), min_size=2, max_size=60))
def test_a_curve_stays_inside_and_between_its_marks(values):
    line = charts.line(values)
    spots = [tuple(map(float, spot.split(","))) for spot in line.points.split()]
    assert len(spots) == len(values) and spots[-1] == line.last
    assert all(charts.LEFT <= x <= charts.WIDTH - charts.RIGHT for x, _y in spots)
    assert all(charts.TOP - 0.1 <= y <= line.height - charts.FOOT + 0.1 for _x, y in spots)
    assert [x for x, _y in spots] == sorted(x for x, _y in spots)
    assert 2 <= len(line.ticks) <= 7
    high, low = max(values), min(values)
    assert spots[values.index(high)][1] <= spots[values.index(low)][1]


@pytest.mark.parametrize(
    ("low", "high", "scale"),
    [(0, 0, (0, 1, 1)), (0, 7, (0, 8, 2)), (1480, 1530, (1480, 1540, 20)), (-30, 990, (-500, 1000, 500))],
)
def test_scales_are_round(low, high, scale):
    assert charts._scale(low, high) == scale


def test_bars_share_one_measure():
    rows = [("a", 1, "1"), ("b", 4, "4")]
    bars = charts.bars(rows)
    assert [bar.y for bar in bars] == [0, charts.ROW]
    assert bars[1].width == 4 * bars[0].width
    assert charts.bars([("a", 0.5, "50 %")], most=1)[0].width * 2 == pytest.approx(charts.WIDTH - 64)
    assert charts.bars([]) == [] and charts.bars([("a", 0, "0")])[0].width == 0
