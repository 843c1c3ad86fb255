"""Months and weeks are those of Paris, whatever the time zone of the moment."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.utils import translation

from ranking import periods


@pytest.mark.parametrize(
    ("moment", "month", "week"),
    [
        (datetime(2026, 10, 31, 22, 59, 59, tzinfo=UTC), "2026-10", "W2026-44"),
        (datetime(2026, 10, 31, 23, 0, tzinfo=UTC), "2026-11", "W2026-44"),
        (datetime(2026, 6, 30, 21, 59, 59, tzinfo=UTC), "2026-06", "W2026-27"),
        (datetime(2026, 6, 30, 22, 0, tzinfo=UTC), "2026-07", "W2026-27"),
        (datetime(2026, 12, 31, 23, 30, tzinfo=UTC), "2027-01", "W2026-53"),
    ],
)
def test_month_and_week_of(moment, month, week):
    assert periods.month_of(moment) == month
    assert periods.periods_of(moment) == ("all", month, week)


def test_a_week_begins_on_monday_in_paris():
    assert periods.week_of(datetime(2026, 11, 22, 22, 59, 59, tzinfo=UTC)) == "W2026-47"
    assert periods.week_of(datetime(2026, 11, 22, 23, 0, tzinfo=UTC)) == "W2026-48"


BAD_WEEKS = ("W2025-53", "W2026-00", "W2026-54", "2026-W48", "weeks")


def test_parse():
    now = datetime(2026, 11, 10, tzinfo=UTC)
    assert [periods.parse(text, now) for text in ("all", "month", "2025-01", "week", "W2026-53")] == [
        "all", "2026-11", "2025-01", "W2026-46", "W2026-53",
    ]  # fmt: skip
    for bad in (
        "",
        "2026-13",
        "2026-00",
        "2026-1",
        "1999-01",
        "W2025-53",
        "W2026-00",
        "W2026-54",
        "2026-W48",
        "２０２６-01",
        "2026-11\n",
        "all ",
    ):
        with pytest.raises(ValueError):
            periods.parse(bad, now)


@pytest.mark.parametrize(
    ("month", "by", "result"),
    [
        ("2026-12", 1, "2027-01"),
        ("2026-01", -1, "2025-12"),
        ("2026-05", 14, "2027-07"),
        ("W2026-53", 1, "W2027-01"),
    ],
)
def test_shift(month, by, result):
    assert periods.shift(month, by) == result


@pytest.mark.parametrize(("language", "text"), [("fr", "novembre 2026"), ("es", "noviembre de 2026"), ("en", "November 2026")])
def test_label(language, text):
    with translation.override(language):
        assert periods.kind("2026-11") == "month" and periods.kind("W2026-48") == "week" and periods.kind("all") == "all"
        assert "23" in periods.label("W2026-48")
        assert periods.label("2026-11").casefold() == text.casefold()
