"""Cinq for people: an observation becomes what the board template draws, an event becomes a sentence.

Pure presentation: nothing here knows more than the observation it is given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from games import layout_display as drawing
from games import terms
from games.cinq.rules import DECK, LADDERS, PIEGEUR, Cinq
from games.layout_display import Event, Observation, Picture, move_label, sheet

__all__ = ["board", "caption", "move_label", "sentence", "sheet", "why"]

_RANKS: Final = tuple(int(rank) for rank in DECK.ranks)
_RULES: Final = Cinq()


def board(observation: Observation, names: Sequence[str]) -> dict[str, Any]:
    """What `cinq/board.html` draws: ladders, hand, forced move, players' figures, the last hand laid open."""
    picture = Picture(LADDERS[observation["mode"]], _RANKS, observation, names)
    hand = [_held(observation, card) for card in observation["hand"]]
    return {
        "caption": caption(observation),
        "suits": picture.suits(),
        "hand": hand,
        "forced": drawing.forced(observation),
        "choices": drawing.choices(observation),
        "demand": _demand(observation),
        "stock": observation["stock_size"] if observation["seats"] == 2 else None,
        "players": [_player(observation, seat) for seat in range(observation["seats"])],
        "last": drawing.last_hand(observation, names),
        "text": drawing.in_words(picture, hand),
    }


def caption(observation: Observation) -> str:
    """The line under the title."""
    return drawing.caption(observation)


def why(code: str, params: Mapping[str, Any]) -> str:
    """Why a move is refused, as a sentence of the rules, from the code and params of an `Illegal`."""
    sentences = {
        "must_draw": _("There is a stock: draw a card before you pass."),
        "already_drawn": _("You have drawn already in this turn."),
        "no_stock": _("There is no stock left to draw from."),
        "piegeur_needs_three": _("Cinq piégeur needs three or four players."),
    }
    if code == "must_play_drawn":
        return _("You have to play the card you drew, %(card)s.") % {"card": terms.the_card(params["card"])}
    return sentences.get(code) or drawing.why(LADDERS[PIEGEUR], code, params)


def sentence(event: Event, names: Sequence[str]) -> str:
    """One public fact as a sentence."""
    kind, rest = event[0], list(event[1:])
    if kind == "drew":
        return _("%(name)s draws a card.") % {"name": names[rest[0]]}
    if kind == "hand":
        return drawing.hand_sentence(rest[0], rest[1], rest[4], names)
    return drawing.sentence(event, names) or ""


def _held(observation: Observation, card: str) -> dict[str, Any]:
    """A card of my hand: may it be played, and if not, why."""
    mine = observation["me"] in observation["to_act"]
    refusal = _RULES.why_not(observation, card) if mine and card not in observation["legal"] else None
    dead = card in observation["dead"]
    text = why(refusal.code, refusal.params) if refusal else _why_dead(observation, card) if dead else ""
    return drawing.held_card(observation, card, text, dead=dead, drawn=card == observation["drawn"])


def _why_dead(observation: Observation, card: str) -> str:
    letter = card[-1]
    low, high = observation["ladders"][letter]
    return why("dead", {"card": card, "low": f"{low}{letter}", "high": f"{high}{letter}"})


def _demand(observation: Observation) -> str:
    """What the turn asks of the player, when the rules narrow it down; "" otherwise."""
    if "draw" in observation["legal"]:
        return _("None of your cards fits: draw one.")
    if observation["drawn"] and observation["drawn"] in observation["legal"]:
        return why("must_play_drawn", {"card": observation["drawn"]})
    return drawing.demand(LADDERS[observation["mode"]], observation)


def _player(observation: Observation, seat: int) -> dict[str, Any]:
    dead, cards = observation["dead_counts"][seat], observation["hand_sizes"][seat]
    return {
        "cards": cards,
        "score": observation["scores"][seat],
        "dead": dead,
        "dead_text": drawing.dead_text(dead),
        "backs": [index < dead for index in range(cards)],
    }
