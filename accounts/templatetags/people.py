"""What the reader and another person are to each other, for the pages that show people."""

from __future__ import annotations

from typing import Any

from django import template

from accounts import ties
from accounts.models import User

register = template.Library()


@register.simple_tag(takes_context=True)
def tie_to(context: dict[str, Any], other: User) -> str:
    """What `other` is to the reader, a word of `ties.relation`; "" where no button has a place."""
    request = context.get("request")
    return ties.relation(getattr(request, "player", None), other)


@register.simple_tag(takes_context=True)
def requests_waiting(context: dict[str, Any]) -> int:
    """How many people wait for the reader's answer to their request."""
    request = context.get("request")
    return ties.requests_waiting(getattr(request, "player", None))
