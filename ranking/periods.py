"""Periods of the leaderboards: all time, and the months and weeks as Paris counts them."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import gettext as _

ALL = "all"
PARIS = ZoneInfo("Europe/Paris")
MONTH = re.compile(r"20\d\d-(0[1-9]|1[0-2])", re.ASCII)
WEEK = re.compile(r"W(20\d\d)-(0[1-9]|[1-4]\d|5[0-3])", re.ASCII)


def month_of(moment: datetime) -> str:
    """The Paris month of an aware datetime: "2026-11"."""
    return moment.astimezone(PARIS).strftime("%Y-%m")


def week_of(moment: datetime) -> str:
    """The ISO week, Monday to Sunday in Paris, of an aware datetime: "W2026-48" (the W first: months sort before weeks)."""
    return moment.astimezone(PARIS).strftime("W%G-%V")


def periods_of(moment: datetime) -> tuple[str, ...]:
    """Every period in which something that happened at `moment` counts."""
    return (ALL, month_of(moment), week_of(moment))


def kind(period: str) -> str:
    """What a period is: "all", "month" or "week"."""
    return ALL if period == ALL else "week" if period[0] == "W" else "month"


def parse(text: str, now: datetime) -> str:
    """A period as an address names it: "all", "month" or "week" (the present ones), "YYYY-MM" or "WYYYY-WW"; ValueError for
    anything else."""
    if text in {"month", "week"}:
        return month_of(now) if text == "month" else week_of(now)
    if text == ALL or MONTH.fullmatch(text):
        return text
    if WEEK.fullmatch(text):
        _monday(text)  # ValueError for a 53rd week that its year has not
        return text
    raise ValueError(text)


def shift(period: str, by: int) -> str:
    """The month or week `by` later (earlier if negative): shift("2026-12", 1) is "2027-01"."""
    if kind(period) == "week":
        return (_monday(period) + timedelta(weeks=by)).strftime("W%G-%V")
    year, number = divmod(int(period[:4]) * 12 + int(period[5:]) - 1 + by, 12)
    return f"{year:04}-{number + 1:02}"


def _monday(week: str) -> date:
    return date.fromisocalendar(int(week[1:5]), int(week[6:]), 1)


def label(period: str) -> str:
    """A period in the reader's language: "All time", "November 2026", "Week of 23 November 2026"."""
    if period == ALL:
        return _("All time")
    if kind(period) == "week":
        return _("Week of %(day)s") % {"day": date_format(_monday(period), "DATE_FORMAT")}
    return date_format(date(int(period[:4]), int(period[5:]), 1), "YEAR_MONTH_FORMAT")
