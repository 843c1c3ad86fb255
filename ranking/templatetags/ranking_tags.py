"""Template tags of ranking: what a match paid, sizes and words of charts."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.translation import gettext as _

from games import terms
from games.models import Table
from ranking import charts, selectors

register = template.Library()


@register.filter
def signed(number: int) -> str:
    """ "+30", "−20" (with a real minus), "0"."""
    return f"−{-number}" if number < 0 else f"{number:+}" if number else "0"


@register.filter
def chart_height(count: int) -> int:
    """How high a drawing of so many bars is."""
    return count * charts.ROW


@register.filter
def chart_id(number: int) -> str:
    """An id for one of several charts of a page."""
    return f"chart-{number}"


@register.filter
def spell(seconds: int) -> str:
    """How long somebody takes for a turn: "40 s", "12 min", "3 h", "2 days"."""
    if seconds < 60:
        return _("%(number)s s") % {"number": seconds}
    unit = 60 if seconds < 3600 else 3600 if seconds < 2 * 86400 else 86400
    return terms.duration(round(seconds / unit) * unit)


@register.inclusion_tag("ranking/awards.html")
def match_awards(table: Table) -> dict[str, Any]:
    """What a table that is over paid its players, or the sentence why it pays nobody. Nothing while it runs.

    Depends on the table and the language only, so fragments of one version stay equal to the byte.
    """
    return {"rows": selectors.awards_of(table), "note": selectors.awards_note(table)}
