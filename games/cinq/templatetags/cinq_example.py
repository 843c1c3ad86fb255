"""Drawn positions for the rules page and the home page. What a drawn card may do is computed by the rules, never written."""

from __future__ import annotations

from typing import Any

from django import template

from games import terms
from games.cinq import display
from games.cinq.rules import DECK, LADDERS

register = template.Library()


def position(mode: str, played: str, hand: str, pick: str = "") -> dict[str, Any]:
    """A position to draw: the suits (king at the top) and the hand, each card with its state.

    `played` and `hand` are card texts with blanks between them; `pick` is the card about to be laid. States of a slot:
    on, fit (a card of the hand may be laid there), dead, bar. States of a held card: can, dead, wait.
    """
    ladders, table, held = LADDERS[mode], DECK.mask(played.split()), DECK.mask(hand.split())
    fits, dead = ladders.playable(table), ladders.dead(table)

    def slot(card: str) -> dict[str, str]:
        bit = 1 << DECK.numbers[card]
        state = "on" if table & bit else "dead" if dead & bit else "fit" if fits & held & bit else "bar"
        return {"index": terms.card_index(card), "state": state}

    def holding(card: str) -> dict[str, Any]:
        bit = 1 << DECK.numbers[card]
        state = "can" if fits & bit else "dead" if dead & bit else "wait"
        return {"text": card, "state": state, "picked": card == pick}

    return {
        "suits": [
            {
                "name": terms.suit_name(letter),
                "class": terms.suit_class(letter),
                "slots": [slot(f"{rank}{letter}") for rank in reversed(DECK.ranks)],
            }
            for letter in DECK.suits
        ],
        "hand": [holding(card) for card in hand.split()],
        "playable": [terms.the_card(card) for card in hand.split() if fits >> DECK.numbers[card] & 1],
    }


@register.inclusion_tag("cinq/example.html")
def example(mode: str, played: str, hand: str, pick: str = "") -> dict[str, Any]:
    """Draw a position: the four ladders, and below them the hand."""
    return position(mode, played, hand, pick)


@register.filter
def play_label(card: str) -> str:
    """What the confirm button of a table says for this card."""
    return display.move_label(card)
