"""Template tag for the table page: what a match paid."""

from __future__ import annotations

from typing import Any

from django import template

from games.models import Table
from ranking import selectors

register = template.Library()


@register.filter
def signed(number: int) -> str:
    """ "+30", "−20" (with a real minus), "0"."""
    return f"−{-number}" if number < 0 else f"{number:+}" if number else "0"


@register.inclusion_tag("ranking/awards.html")
def match_awards(table: Table) -> dict[str, Any]:
    """What a table that is over paid its players, or the sentence why it pays nobody. Nothing while it runs.

    Depends on the table and the language only, so fragments of one version stay equal to the byte.
    """
    return {"rows": selectors.awards_of(table), "note": selectors.awards_note(table)}
