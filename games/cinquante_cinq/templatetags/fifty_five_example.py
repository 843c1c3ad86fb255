"""Drawn positions for the rules page and the home page of 55. Who wins and what may be played is computed by the rules."""

from __future__ import annotations

from typing import Any

from django import template

from games import terms
from games.cinquante_cinq.display import why
from games.cinquante_cinq.tricks import DECK, SUITS, TRUMPS
from games.engine.rules import Illegal

register = template.Library()


def _cards(texts: str) -> list[str]:
    return texts.split()


@register.inclusion_tag("cinquante_cinq/example_ranking.html")
def ranking(suit: str, as_trump: bool) -> dict[str, Any]:
    """Every card of a suit from the highest down, as the trump or as a plain suit."""
    number = DECK.suits.index(suit)
    other = next(each for each in SUITS if each != number)
    cards = TRUMPS[number].ranking if as_trump else TRUMPS[other].plain[number]
    return {"cards": [DECK.cards[card] for card in cards]}


@register.inclusion_tag("cinquante_cinq/example_trick.html")
def trick(texts: str, trump: str) -> dict[str, Any]:
    """A trick in order of play, its winner marked."""
    cards = _cards(texts)
    best = TRUMPS[DECK.suits.index(trump)].winner([DECK.numbers[card] for card in cards])
    return {
        **_trump(trump),
        "cards": [{"card": card, "led": place == 0, "wins": place == best} for place, card in enumerate(cards)],
    }


@register.inclusion_tag("cinquante_cinq/example_hand.html")
def hand_on(texts: str, led: str, trump: str) -> dict[str, Any]:
    """A hand and the card led: what may be played on it, and why the rest may not."""
    law, cards = TRUMPS[DECK.suits.index(trump)], _cards(texts)
    legal = law.legal(DECK.mask(cards), DECK.numbers[led])
    follows = law.is_trump(DECK.numbers[led])
    refusal = Illegal("must_follow_trump") if follows else Illegal("must_follow", {"suit": led[-1]})
    hand = [{"card": card, "can": bool(legal >> DECK.numbers[card] & 1)} for card in cards]
    return {
        **_trump(trump),
        "led": led,
        "hand": hand,
        "why": "" if all(each["can"] for each in hand) else why(refusal.code, refusal.params),
    }


def _trump(letter: str) -> dict[str, str]:
    return {"class": terms.suit_class(letter, terms.FRENCH), "name": terms.suit_name(letter, terms.FRENCH)}
