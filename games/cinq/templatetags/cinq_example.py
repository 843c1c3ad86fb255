"""Drawn positions of Cinq for its rules page and the home page."""

from __future__ import annotations

from typing import Any

from django import template

from games.cinq.rules import DECK, LADDERS
from games.layout_display import drawn_position

register = template.Library()


@register.inclusion_tag("games/ladder_example.html")
def example(mode: str, played: str, hand: str, pick: str = "") -> dict[str, Any]:
    """Draw a position: the four ladders, and below them the hand."""
    return drawn_position(LADDERS[mode], [int(rank) for rank in DECK.ranks], played, hand, pick)
