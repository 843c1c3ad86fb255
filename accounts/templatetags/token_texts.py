"""Template filters of the page of tokens."""

from __future__ import annotations

from django import template
from django.utils.formats import number_format

from accounts.models import TokenEntry, TokenReason

register = template.Library()
OF_TABLES = {TokenReason.STAKE, TokenReason.POT, TokenReason.SHARED, TokenReason.REFUND, TokenReason.VOID}


@register.filter
def of_table(entry: TokenEntry) -> bool:
    """Whether the cause of a movement is a table, named by its code."""
    return entry.reason in OF_TABLES


@register.filter
def plus(number: int) -> str:
    """ "+1,000", "−50" (with a real minus)."""
    text = str(number_format(abs(number), force_grouping=True))
    return f"−{text}" if number < 0 else f"+{text}"
