"""Cinq for people: an observation becomes what the board template draws, an event becomes a sentence.

Pure presentation: nothing here knows more than the observation it is given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import terms
from games.cinq.rules import DECK, LADDERS, PIEGEUR, Cinq

Observation = Mapping[str, Any]
Event = Sequence[Any]

_RANKS: Final = tuple(int(rank) for rank in DECK.ranks)
_RULES: Final = Cinq()


def board(observation: Observation, names: Sequence[str]) -> dict[str, Any]:
    """What `cinq/board.html` draws: ladders, hand, forced move, players' figures, the last hand laid open."""
    return {
        "caption": caption(observation),
        "suits": [_ladder(observation, letter, names) for letter in DECK.suits],
        "hand": [_held(observation, card) for card in observation["hand"]],
        "forced": _forced(observation),
        "choices": [text for text in observation["legal"] if text not in ("draw", "pass")],
        "demand": _demand(observation),
        "stock": observation["stock_size"] if observation["seats"] == 2 else None,
        "players": [_player(observation, seat) for seat in range(observation["seats"])],
        "last": _last_hand(observation, names),
        "text": _as_text(observation, names),
    }


def caption(observation: Observation) -> str:
    """The line under the title."""
    return _("Hand %(hand)s · limit %(limit)s") % {
        "hand": observation["hand_number"],
        "limit": observation["limite"],
    }


def move_label(text: str) -> str:
    """What the confirm button says: the move by its name."""
    if text == "draw":
        return _("Draw a card")
    if text == "pass":
        return _("Pass")
    return _("Play %(card)s") % {"card": terms.the_card(text)}


def why(code: str, params: Mapping[str, Any]) -> str:
    """Why a move is refused, as a sentence of the rules, from the code and params of an `Illegal`."""
    named = {key: terms.the_card(value) for key, value in params.items() if isinstance(value, str) and value in DECK.numbers}
    sentences = {
        "not_in_hand": _("You do not hold %(card)s."),
        "must_open_with": _("This hand opens with %(opening)s."),
        "closed_suit": _("This suit is closed: %(pivot)s comes first."),
        "not_adjacent": _("Only a neighbour of the run fits, and it goes from %(low)s to %(high)s."),
        "dead": _("This card is dead: it lies between %(low)s and %(high)s."),
        "must_play": _("You hold a card that fits, so you have to play one."),
        "must_play_drawn": _("You have to play the card you drew, %(card)s."),
        "must_draw": _("There is a stock: draw a card before you pass."),
        "already_drawn": _("You have drawn already in this turn."),
        "no_stock": _("There is no stock left to draw from."),
        "piegeur_needs_three": _("Cinq piégeur needs three or four players."),
    }
    if code not in sentences:
        return terms.error_sentence(code, params)
    if code == "not_adjacent" and params.get("low") == params.get("high"):
        return _("Only a neighbour of %(low)s fits.") % named
    return sentences[code] % named


def sentence(event: Event, names: Sequence[str]) -> str:
    """One public fact as a sentence; facts of any table come from `games.terms`."""
    kind, rest = event[0], list(event[1:])
    if kind == "played":
        return _("%(name)s plays %(card)s.") % {"name": names[rest[0]], "card": terms.the_card(rest[1])}
    if kind == "drew":
        return _("%(name)s draws a card.") % {"name": names[rest[0]]}
    if kind == "passed":
        return _("%(name)s passes.") % {"name": names[rest[0]]}
    if kind == "deal":
        return _("Hand %(hand)s is dealt, %(name)s starts.") % {"hand": rest[0], "name": names[rest[1]]}
    if kind == "hand":
        return _hand_sentence(rest[0], rest[1], rest[4], names)
    if kind == "match":
        return _match_sentence(rest[0], rest[1], names)
    return terms.table_sentence(event, names) or ""


def sheet(observation: Observation, names: Sequence[str]) -> dict[str, Any] | None:
    """The score sheet: one row a finished hand, the total below; None before the first hand is over."""
    if not observation["sheet"]:
        return None
    rows = [{"label": number, "scores": scores} for number, scores in enumerate(observation["sheet"], start=1)]
    return {"names": list(names), "rows": rows, "totals": observation["scores"], "me": observation["me"]}


def _ladder(observation: Observation, letter: str, names: Sequence[str]) -> dict[str, Any]:
    """One suit, king at the top, every rank always there."""
    authors = {text: seat for seat, text in observation["plays"]}
    fresh = _fresh(observation)
    slots = []
    for rank in reversed(_RANKS):
        card = f"{rank}{letter}"
        state = _slot_state(observation, card)
        slots.append(
            {
                "card": card,
                "index": terms.rank_index(rank),
                "state": state,
                "by": authors.get(card) if state == "on" else None,
                "title": _slot_title(card, names[authors[card]]) if state == "on" and card in authors else "",
                "fresh": card in fresh,
            }
        )
    return {
        "letter": letter,
        "name": terms.suit_name(letter),
        "class": terms.SUITS[letter],
        "slots": slots,
        "summary": _ladder_sentence(observation, letter),
        "open": observation["ladders"][letter] is not None,
    }


def _slot_title(card: str, name: str) -> str:
    return _("%(card)s, played by %(name)s") % {"card": terms.card_name(card), "name": name}


def _slot_state(observation: Observation, card: str) -> str:
    """on: lies there; can: I may play it now; dead; next: fits the table; bar: neither."""
    rank, letter = terms.split(card)
    if rank in observation["played"][letter]:
        return "on"
    if card in observation["legal"]:
        return "can"
    ladders, table = LADDERS[observation["mode"]], _table(observation)
    bit = 1 << DECK.numbers[card]
    if ladders.dead(table) & bit:
        return "dead"
    return "next" if ladders.playable(table) & bit and not observation["finished"] else "bar"


def _table(observation: Observation) -> int:
    return DECK.mask(f"{rank}{letter}" for letter, ranks in observation["played"].items() for rank in ranks)


def _fresh(observation: Observation) -> set[str]:
    """Cards laid since my last move in this hand; for others, the last card laid."""
    plays, me = observation["plays"], observation["me"]
    found: set[str] = set()
    for seat, text in reversed(plays):
        if seat == me:
            break
        found.add(text)
        if me is None and text not in ("draw", "pass"):
            break
    return found


def _held(observation: Observation, card: str) -> dict[str, Any]:
    """A card of my hand: may it be played, and if not, why."""
    mine = observation["me"] in observation["to_act"]
    playable = card in observation["legal"]
    refusal = None if playable or not mine else _RULES.why_not(observation, card)
    dead = card in observation["dead"]
    return {
        "card": card,
        "name": terms.card_name(card),
        "label": move_label(card),
        "playable": playable,
        "dead": dead,
        "drawn": card == observation["drawn"],
        "why": _why_dead(observation, card) if dead and refusal is None else why(refusal.code, refusal.params) if refusal else "",
    }


def _why_dead(observation: Observation, card: str) -> str:
    letter = card[-1]
    low, high = observation["ladders"][letter]
    return why("dead", {"card": card, "low": f"{low}{letter}", "high": f"{high}{letter}"})


def _forced(observation: Observation) -> dict[str, str] | None:
    """The draw or the pass, when it is the only thing left to do."""
    for text in ("draw", "pass"):
        if text in observation["legal"]:
            return {"move": text, "label": move_label(text)}
    return None


def _demand(observation: Observation) -> str:
    """What the turn asks of the player, when the rules narrow it down; "" otherwise."""
    if not observation["legal"]:
        return ""
    if observation["opening_card"]:
        return why("must_open_with", {"opening": observation["opening_card"]})
    if observation["drawn"] and observation["drawn"] in observation["legal"]:
        return why("must_play_drawn", {"card": observation["drawn"]})
    if not any(observation["played"].values()):
        return _("The table is empty: lead any 5.")
    if "pass" in observation["legal"]:
        return _("None of your cards fits: you pass.")
    if "draw" in observation["legal"]:
        return _("None of your cards fits: draw one.")
    return ""


def _player(observation: Observation, seat: int) -> dict[str, Any]:
    dead = observation["dead_counts"][seat]
    return {
        "cards": observation["hand_sizes"][seat],
        "score": observation["scores"][seat],
        "dead": dead,
        "dead_text": ngettext("%(number)s dead", "%(number)s dead", dead) % {"number": dead} if dead else "",
        "backs": [index < dead for index in range(observation["hand_sizes"][seat])],
        "placed": observation["placed"][seat],
        "starts": observation["starter"] == seat,
    }


def _last_hand(observation: Observation, names: Sequence[str]) -> dict[str, Any] | None:
    """The hand before this one, laid open: who won, what everybody had left."""
    last = observation["last_hand"]
    if last is None:
        return None
    me = observation["me"]
    moved = any(seat == me for seat, _text in observation["plays"])
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
        "sentence": _hand_sentence(last["hand_number"], last["scores"], last["winners"], names),
        "rows": rows,
        "fresh": not moved,
    }


def _hand_sentence(hand: int, scores: Sequence[int], winners: Sequence[int], names: Sequence[str]) -> str:
    won = terms.people([names[seat] for seat in winners])
    gain = terms.points(scores[winners[0]])
    if len(winners) > 1:
        return _("Hand %(hand)s: %(names)s share it and score %(points)s each.") % {"hand": hand, "names": won, "points": gain}
    return _("Hand %(hand)s: %(name)s wins it and scores %(points)s.") % {"hand": hand, "name": won, "points": gain}


def _match_sentence(winners: Sequence[int], totals: Sequence[int], names: Sequence[str]) -> str:
    won, total = terms.people([names[seat] for seat in winners]), terms.points(totals[winners[0]])
    if len(winners) > 1:
        return _("The match is a tie: %(names)s win with %(points)s each.") % {"names": won, "points": total}
    return _("%(name)s wins the match with %(points)s.") % {"name": won, "points": total}


def _ladder_sentence(observation: Observation, letter: str) -> str:
    """One suit in words, for the text view and for screen readers."""
    ends, name = observation["ladders"][letter], terms.suit_name(letter)
    if ends is None:
        return _("%(suit)s: closed, the 5 comes first.") % {"suit": name}
    low, high = ends
    dead = [terms.rank_index(rank) for rank in _dead_ranks(observation, letter)]
    span = {"suit": name, "low": terms.rank_index(low), "high": terms.rank_index(high), "dead": ", ".join(dead)}
    if low == high:
        return _("%(suit)s: %(low)s alone.") % span
    if dead:
        return _("%(suit)s: from %(low)s to %(high)s; dead: %(dead)s.") % span
    return _("%(suit)s: from %(low)s to %(high)s.") % span


def _dead_ranks(observation: Observation, letter: str) -> list[int]:
    if observation["mode"] != PIEGEUR:
        return []
    dead = LADDERS[PIEGEUR].dead(_table(observation))
    return [rank for rank in _RANKS if dead >> DECK.numbers[f"{rank}{letter}"] & 1]


def _as_text(observation: Observation, names: Sequence[str]) -> dict[str, Any]:
    """The whole table in sentences."""
    hand = [
        {"name": held["name"], "why": held["why"], "playable": held["playable"]}
        for held in (_held(observation, card) for card in observation["hand"])
    ]
    players = [
        _("%(name)s: %(cards)s, %(points)s.")
        % {
            "name": names[seat],
            "cards": terms.card_count(observation["hand_sizes"][seat]),
            "points": terms.points(observation["scores"][seat]),
        }
        for seat in range(observation["seats"])
    ]
    return {"suits": [_ladder_sentence(observation, letter) for letter in DECK.suits], "hand": hand, "players": players}
