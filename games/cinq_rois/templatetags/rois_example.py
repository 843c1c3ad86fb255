"""Drawn hands for the rules page and the home page of Les Cinq Rois. Groups and points are computed by the rules."""

from __future__ import annotations

from typing import Any

from django import template

from games import terms
from games.cinq_rois import melds
from games.cinq_rois.cards import NUMBERS, TEXTS, hand_of
from games.cinq_rois.display import group_label
from games.cinq_rois.melds import Law

register = template.Library()


@register.inclusion_tag("cinq_rois/example.html")
def hand_of_rank(cards: str, rank: int, free_sets: bool = False) -> dict[str, Any]:
    """A hand as the site groups it when `rank` is wild: the groups, and what is left over with its points."""
    law = Law(rank, free_sets)
    found = melds.best(hand_of(cards.split()), law)
    groups = [{"label": group_label(meld.kind), "ok": True, "cards": _shown(meld.cards, law)} for meld in found.melds]
    if found.rest:
        groups.append({"label": terms.points(found.points), "ok": False, "cards": _shown(found.rest, law)})
    return {"groups": groups}


@register.inclusion_tag("cinq_rois/example.html")
def one_group(cards: str, rank: int, free_sets: bool = False) -> dict[str, Any]:
    """Cards as they are written, and whether all of them can be laid together."""
    law, kinds = Law(rank, free_sets), [NUMBERS[card] for card in cards.split()]
    found = melds.best(tuple(sorted(kinds)), law)
    fits = len(found.melds) == 1 and not found.rest
    return {"groups": [{"label": group_label(found.melds[0].kind) if fits else "", "ok": fits, "cards": _shown(kinds, law)}]}


def _shown(cards: Any, law: Law) -> list[dict[str, Any]]:
    return [{"card": TEXTS[card], "wild": card in melds.wilds(law) and TEXTS[card] != terms.JOKER} for card in cards]
