"""Drawn positions of Six fous for its rules page and the home page."""

from __future__ import annotations

from typing import Any

from django import template

from games.layout_display import drawn_position
from games.six_fous.display import RANKS
from games.six_fous.rules import LADDERS

register = template.Library()


@register.inclusion_tag("games/ladder_example.html")
def example(jeu: int, played: str, hand: str, pick: str = "") -> dict[str, Any]:
    """Draw a position of the deck of 40 or 48: the four ladders, and below them the hand."""
    return drawn_position(LADDERS, RANKS[jeu], played, hand, pick)
