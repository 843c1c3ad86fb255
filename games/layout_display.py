"""How a table of ladders is drawn and told: what the displays of Cinq and Six fous have in common.

Pure presentation: nothing here knows more than the observation it is given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games import terms
from games.engine.layout import Layout

Observation = Mapping[str, Any]
Event = Sequence[Any]

WORDS = ("draw", "pass")
"""Moves that are no cards."""


@dataclass(frozen=True)
class Picture:
    """A table of ladders as one reader sees it: the layout of its game, the printed ranks in play, what is known, who plays."""

    layout: Layout
    ranks: tuple[int, ...]
    observation: Observation
    names: Sequence[str]

    @cached_property
    def table(self) -> int:
        """The cards played, as a mask of the layout's deck."""
        return self.layout.table_of(self.observation["played"])

    def suits(self) -> list[dict[str, Any]]:
        """The four ladders for `games/ladders.html`."""
        return [self._ladder(letter) for letter in self.layout.deck.suits]

    def sentences(self) -> list[str]:
        """The four ladders in words."""
        return [self._sentence(letter) for letter in self.layout.deck.suits]

    def _ladder(self, letter: str) -> dict[str, Any]:
        """One suit, king at the top, every rank always there."""
        authors = {text: seat for seat, text in self.observation["plays"]}
        fresh = self._fresh()
        slots = []
        for rank in reversed(self.ranks):
            card = f"{rank}{letter}"
            state = self._slot_state(card)
            by = authors.get(card) if state == "on" else None
            slots.append(
                {
                    "card": card,
                    "index": terms.rank_index(rank),
                    "state": state,
                    "by": by,
                    "title": "" if by is None else _slot_title(card, self.names[by]),
                    "fresh": card in fresh,
                }
            )
        return {
            "letter": letter,
            "name": terms.suit_name(letter),
            "class": terms.SUITS[letter],
            "slots": slots,
            "summary": self._sentence(letter),
            "open": self.observation["ladders"][letter] is not None,
        }

    def _slot_state(self, card: str) -> str:
        """on: lies there; can: I may play it now; dead; next: fits the table; bar: neither."""
        rank, letter = terms.split(card)
        if rank in self.observation["played"][letter]:
            return "on"
        if card in self.observation["legal"]:
            return "can"
        table, bit = self.table, 1 << self.layout.deck.numbers[card]
        if self.layout.dead(table) & bit:
            return "dead"
        return "next" if self.layout.playable(table) & bit and not self.observation["finished"] else "bar"

    def _fresh(self) -> set[str]:
        """Cards laid since my last move in this hand; for others, the last card laid."""
        plays, me = self.observation["plays"], self.observation["me"]
        found: set[str] = set()
        for seat, text in reversed(plays):
            if seat == me:
                break
            found.add(text)
            if me is None and text not in WORDS:
                break
        return found

    def _sentence(self, letter: str) -> str:
        """One suit in words, for the text view and for screen readers."""
        ends, name = self.observation["ladders"][letter], terms.suit_name(letter)
        if ends is None:
            pivot = self.layout.deck.ranks[self.layout.pivot]
            return _("%(suit)s: closed, the %(pivot)s comes first.") % {"suit": name, "pivot": pivot}
        dead = self.layout.dead(self.table)
        gone = [rank for rank in self.ranks if dead >> self.layout.deck.numbers[f"{rank}{letter}"] & 1]
        span = {
            "suit": name,
            "low": terms.rank_index(ends[0]),
            "high": terms.rank_index(ends[1]),
            "dead": ", ".join(terms.rank_index(rank) for rank in gone),
        }
        if ends[0] == ends[1]:
            return _("%(suit)s: %(low)s alone.") % span
        if gone:
            return _("%(suit)s: from %(low)s to %(high)s; dead: %(dead)s.") % span
        return _("%(suit)s: from %(low)s to %(high)s.") % span


def drawn_position(layout: Layout, ranks: Sequence[int], played: str, hand: str, pick: str = "") -> dict[str, Any]:
    """A position for `games/ladder_example.html`: the suits (king at the top) and a hand, each card with its state.

    What a drawn card may do is computed by the rules, never written. `played` and `hand` are card texts with blanks between
    them; `pick` is the card about to be laid. States of a slot: on, fit (a card of the hand may be laid there), dead, bar.
    States of a held card: can, dead, wait.
    """
    deck = layout.deck
    table, held = deck.mask(played.split()), deck.mask(hand.split())
    fits, dead = layout.playable(table), layout.dead(table)

    def slot(card: str) -> dict[str, str]:
        bit = 1 << deck.numbers[card]
        state = "on" if table & bit else "dead" if dead & bit else "fit" if fits & held & bit else "bar"
        return {"index": terms.card_index(card), "state": state}

    def holding(card: str) -> dict[str, Any]:
        bit = 1 << deck.numbers[card]
        state = "can" if fits & bit else "dead" if dead & bit else "wait"
        return {"text": card, "state": state, "picked": card == pick}

    return {
        "suits": [
            {
                "name": terms.suit_name(letter),
                "class": terms.suit_class(letter),
                "slots": [slot(f"{rank}{letter}") for rank in reversed(ranks)],
            }
            for letter in deck.suits
        ],
        "hand": [holding(card) for card in hand.split()],
    }


def _slot_title(card: str, name: str) -> str:
    return pgettext("card of the layout", "%(card)s, by %(name)s") % {"card": terms.card_name(card), "name": name}


def caption(observation: Observation) -> str:
    """The line under the title."""
    return _("Hand %(hand)s · limit %(limit)s") % {"hand": observation["hand_number"], "limit": observation["limite"]}


def move_label(text: str) -> str:
    """What the confirm button says: the move by its name."""
    if text == "draw":
        return _("Draw a card")
    if text == "pass":
        return _("Pass")
    return _("Play %(card)s") % {"card": terms.the_card(text)}


def why(layout: Layout, code: str, params: Mapping[str, Any]) -> str:
    """Why a move is refused, as a sentence of the rules, from the code and params of an `Illegal`."""
    named = {key: terms.the_card(card) for key, card in params.items() if isinstance(card, str) and card in layout.deck.numbers}
    sentences = {
        "not_in_hand": _("You do not hold %(card)s."),
        "must_open_with": _("This hand opens with %(opening)s."),
        "closed_suit": _("This suit is closed: %(pivot)s comes first."),
        "not_adjacent": _("Only a neighbour of the run fits, and it goes from %(low)s to %(high)s."),
        "dead": _("This card is dead: it lies between %(low)s and %(high)s."),
        "must_play": _("You hold a card that fits, so you have to play one."),
    }
    if code not in sentences:
        return terms.error_sentence(code, params)
    if code == "not_adjacent" and params.get("low") == params.get("high"):
        return _("Only a neighbour of %(low)s fits.") % named
    return sentences[code] % named


def demand(layout: Layout, observation: Observation) -> str:
    """What the turn asks of the player, when the rules narrow it down; "" otherwise."""
    if not observation["legal"]:
        return ""
    if observation["opening_card"]:
        return why(layout, "must_open_with", {"opening": observation["opening_card"]})
    if "pass" in observation["legal"]:
        return _("None of your cards fits: you pass.")
    if not any(observation["played"].values()):
        return _("The table is empty: lead any %(pivot)s.") % {"pivot": layout.deck.ranks[layout.pivot]}
    return ""


def held_card(observation: Observation, card: str, refusal: str, *, dead: bool = False, drawn: bool = False) -> dict[str, Any]:
    """A card of my hand for `games/card_hand.html`: may it be played, and if not, why (`refusal`: "" for nothing to say)."""
    return {
        "card": card,
        "name": terms.card_name(card),
        "label": move_label(card),
        "playable": card in observation["legal"],
        "dead": dead,
        "drawn": drawn,
        "why": refusal,
    }


def forced(observation: Observation) -> dict[str, str] | None:
    """The draw or the pass, when it is the only thing left to do."""
    return next(({"move": text, "label": move_label(text)} for text in WORDS if text in observation["legal"]), None)


def choices(observation: Observation) -> list[str]:
    """The cards that may be played now."""
    return [text for text in observation["legal"] if text not in WORDS]


def dead_text(count: int) -> str:
    """ "2 dead", for a seat; "" for none."""
    return ngettext("%(number)s dead", "%(number)s dead", count) % {"number": count} if count else ""


def in_words(picture: Picture, hand: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The whole table in sentences; `hand` are the held cards."""
    observation = picture.observation
    players = [
        _("%(name)s: %(cards)s, %(points)s.")
        % {
            "name": picture.names[seat],
            "cards": terms.card_count(observation["hand_sizes"][seat]),
            "points": terms.points(observation["scores"][seat]),
        }
        for seat in range(observation["seats"])
    ]
    held = [{"name": card["name"], "why": card["why"], "playable": card["playable"]} for card in hand]
    return {"suits": picture.sentences(), "hand": held, "players": players}


def last_hand(observation: Observation, names: Sequence[str]) -> dict[str, Any] | None:
    """The hand before this one, laid open: who won, what everybody had left."""
    last = observation["last_hand"]
    if last is None:
        return None
    rows = [
        {
            "name": names[seat],
            "cards": cards,
            "count": terms.card_count(len(cards)),
            "score": last["scores"][seat],
            "total": last["totals"][seat],
            "won": seat in last["winners"],
        }
        for seat, cards in enumerate(last["left"])
    ]
    return {
        "number": last["hand_number"],
        "sentence": hand_sentence(last["hand_number"], last["scores"], last["winners"], names),
        "rows": rows,
        "fresh": not any(seat == observation["me"] for seat, _text in observation["plays"]),
    }


def sheet(observation: Observation, names: Sequence[str]) -> dict[str, Any] | None:
    """The score sheet: one row a finished hand, the total below; None before the first hand is over."""
    if not observation["sheet"]:
        return None
    rows = [{"label": number, "scores": scores} for number, scores in enumerate(observation["sheet"], start=1)]
    return {"names": list(names), "rows": rows, "totals": observation["scores"], "me": observation["me"]}


def sentence(event: Event, names: Sequence[str]) -> str | None:
    """A fact that both games know, as a sentence; None for one of another kind."""
    kind, rest = event[0], list(event[1:])
    if kind == "played":
        return _("%(name)s plays %(card)s.") % {"name": names[rest[0]], "card": terms.the_card(rest[1])}
    if kind == "passed":
        return _("%(name)s passes.") % {"name": names[rest[0]]}
    if kind == "deal":
        return _("Hand %(hand)s is dealt, %(name)s starts.") % {"hand": rest[0], "name": names[rest[1]]}
    if kind == "match":
        return _match_sentence(rest[0], rest[1], names)
    return terms.table_sentence(event, names)


def hand_sentence(hand: int, scores: Sequence[int], winners: Sequence[int], names: Sequence[str]) -> str:
    """Who won a hand, and with how much."""
    won = terms.people([names[seat] for seat in winners])
    gain = terms.points(scores[winners[0]])
    if len(winners) > 1:
        if len({scores[seat] for seat in winners}) > 1:
            return _("Hand %(hand)s: %(names)s share it.") % {"hand": hand, "names": won}
        return _("Hand %(hand)s: %(names)s share it and score %(points)s each.") % {"hand": hand, "names": won, "points": gain}
    return _("Hand %(hand)s: %(name)s wins it and scores %(points)s.") % {"hand": hand, "name": won, "points": gain}


def _match_sentence(winners: Sequence[int], totals: Sequence[int], names: Sequence[str]) -> str:
    won, total = terms.people([names[seat] for seat in winners]), terms.points(totals[winners[0]])
    if len(winners) > 1:
        return _("The match is a tie: %(names)s win with %(points)s each.") % {"names": won, "points": total}
    return _("%(name)s wins the match with %(points)s.") % {"name": won, "points": total}
