"""Six fous for people: an observation becomes what the board template draws, an event becomes a sentence.

Pure presentation: nothing here knows more than the observation it is given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from games import layout_display as drawing
from games import terms
from games.layout_display import Event, Observation, Picture, move_label, sheet
from games.six_fous.rules import CARDS, DECK, LADDERS, SixFous

__all__ = ["board", "move_label", "sentence", "sheet", "why"]

RANKS: Final = {jeu: tuple(dict.fromkeys(int(DECK.cards[card][:-1]) for card in cards)) for jeu, cards in CARDS.items()}
"""The printed ranks of each deck."""
_RULES: Final = SixFous()


def board(observation: Observation, names: Sequence[str]) -> dict[str, Any]:
    """What `six_fous/board.html` draws: ladders, the cards set aside, hand, forced pass, the last hand laid open."""
    picture = Picture(LADDERS, RANKS[observation["jeu"]], observation, names)
    hand = [_held(observation, card) for card in observation["hand"]]
    words = drawing.in_words(picture, hand)
    aside = _aside(observation, names)
    words["players"] += [_aside_sentence(pile["name"], pile["cards"]) for pile in aside]
    return {
        "caption": drawing.caption(observation),
        "suits": picture.suits(),
        "aside": aside,
        "hand": hand,
        "forced": drawing.forced(observation),
        "choices": drawing.choices(observation),
        "demand": drawing.demand(LADDERS, observation),
        "players": [_player(observation, seat) for seat in range(observation["seats"])],
        "last": drawing.last_hand(observation, names),
        "text": words,
    }


def why(code: str, params: Mapping[str, Any]) -> str:
    """Why a move is refused, as a sentence of the rules, from the code and params of an `Illegal`."""
    if code == "set_aside":
        return _("You have set aside %(card)s: it is dead.") % {"card": terms.the_card(params["card"])}
    return drawing.why(LADDERS, code, params)


def sentence(event: Event, names: Sequence[str]) -> str:
    """One public fact as a sentence."""
    kind, rest = event[0], list(event[1:])
    if kind == "aside":
        return " ".join(_death_sentence(names[seat], cards) for seat, cards in rest[0])
    if kind == "hand":
        return drawing.hand_sentence(rest[0], rest[1], rest[5], names)
    return drawing.sentence(event, names) or ""


def _death_sentence(name: str, cards: Sequence[str]) -> str:
    return _("%(name)s sets aside %(cards)s.") % {"name": name, "cards": terms.people([terms.the_card(card) for card in cards])}


def _held(observation: Observation, card: str) -> dict[str, Any]:
    """A card of my hand: may it be played, and if not, why. Dead cards are not in the hand any more."""
    mine = observation["me"] in observation["to_act"]
    refusal = _RULES.why_not(observation, card) if mine else None
    return drawing.held_card(observation, card, why(refusal.code, refusal.params) if refusal else "")


def _aside(observation: Observation, names: Sequence[str]) -> list[dict[str, Any]]:
    """The piles of those who have set cards aside, as chips."""
    return [
        {
            "name": names[seat],
            "me": seat == observation["me"],
            "cards": [
                {
                    "card": card,
                    "name": terms.card_name(card),
                    "index": terms.card_index(card),
                    "class": terms.suit_class(card),
                }
                for card in cards
            ],
        }
        for seat, cards in enumerate(observation["aside"])
        if cards
    ]


def _aside_sentence(name: str, cards: Sequence[Mapping[str, Any]]) -> str:
    return _("%(name)s has set aside: %(cards)s.") % {"name": name, "cards": terms.people([card["name"] for card in cards])}


def _player(observation: Observation, seat: int) -> dict[str, Any]:
    """Figures of a seat: live cards, cards placed in this hand, and how many are dead."""
    dead, cards = len(observation["aside"][seat]), observation["hand_sizes"][seat]
    return {
        "cards": cards,
        "score": observation["scores"][seat],
        "dead": dead,
        "dead_text": drawing.dead_text(dead),
        "backs": [False] * cards,
        "note": _("%(number)s placed") % {"number": observation["placed"][seat]},
    }
