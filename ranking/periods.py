"""Periods of the leaderboards: all time, and the months as Paris counts them."""

from __future__ import annotations

import re
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import gettext as _

ALL = "all"
PARIS = ZoneInfo("Europe/Paris")
MONTH = re.compile(r"20\d\d-(0[1-9]|1[0-2])", re.ASCII)


def month_of(moment: datetime) -> str:
    """The Paris month of an aware datetime: "2026-11"."""
    return moment.astimezone(PARIS).strftime("%Y-%m")


def periods_of(moment: datetime) -> tuple[str, ...]:
    """Every period in which something that happened at `moment` counts."""
    return (ALL, month_of(moment))


def parse(text: str, now: datetime) -> str:
    """A period as an address names it: "all", "month" (the present one) or "YYYY-MM"; ValueError for anything else."""
    if text == ALL:
        return ALL
    if text == "month":
        return month_of(now)
    if MONTH.fullmatch(text):
        return text
    raise ValueError(text)


def shift(month: str, by: int) -> str:
    """The month `by` months later (earlier if negative): shift("2026-12", 1) is "2027-01"."""
    year, number = divmod(int(month[:4]) * 12 + int(month[5:]) - 1 + by, 12)
    return f"{year:04}-{number + 1:02}"


def label(period: str) -> str:
    """A period in the reader's language: "All time", "November 2026"."""
    if period == ALL:
        return _("All time")
    return date_format(date(int(period[:4]), int(period[5:]), 1), "YEAR_MONTH_FORMAT")
