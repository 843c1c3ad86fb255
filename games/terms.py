"""The words of cards and games, in the reader's language: the only place where they are written.

Cards come as canonical texts ("7O", "10E"). A card has three names: its index (the letters in its corner), its plain
name ("ace of coins") and its name with the article ("the ace of coins"), which sentences use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

SUITS = {"O": "oros", "C": "copas", "E": "espadas", "B": "bastos"}
"""Letter of a Spanish suit -> its name in the card sprite and in the style sheets."""

Event = Sequence[Any]


def split(card: str) -> tuple[int, str]:
    """Printed rank and suit letter of a card text: "10E" -> (10, "E")."""
    return int(card[:-1]), card[-1]


def suit_class(card: str) -> str:
    """The suit's name in the sprite and the style sheets, from a card text or a suit letter."""
    return SUITS[card[-1]]


def suit_name(letter: str) -> str:
    """The suit as a heading: "Coins"."""
    names = {
        "O": pgettext("Spanish suit", "Coins"),
        "C": pgettext("Spanish suit", "Cups"),
        "E": pgettext("Spanish suit", "Swords"),
        "B": pgettext("Spanish suit", "Clubs"),
    }
    return names[letter]


def rank_index(rank: int) -> str:
    """What stands in the corner of a Spanish card of this printed rank."""
    letters = {
        1: pgettext("corner of a Spanish card: ace", "A"),
        10: pgettext("corner of a Spanish card: jack", "J"),
        11: pgettext("corner of a Spanish card: knight", "Kn"),
        12: pgettext("corner of a Spanish card: king", "K"),
    }
    return letters.get(rank, str(rank))


def card_index(card: str) -> str:
    """The corner of a card: "10E" -> "J"."""
    return rank_index(split(card)[0])


def card_name(card: str) -> str:
    """The plain name: "ace of coins", "5 of clubs"."""
    rank, suit = split(card)
    ranks = {
        1: pgettext("card", "ace"),
        10: pgettext("card", "jack"),
        11: pgettext("card", "knight"),
        12: pgettext("card", "king"),
    }
    return _of_suit(suit) % {"rank": ranks.get(rank, str(rank))}


def the_card(card: str) -> str:
    """The name with its article, as sentences use it: "the ace of coins", "the 5 of clubs"."""
    rank, suit = split(card)
    ranks = {
        1: pgettext("card", "the ace"),
        10: pgettext("card", "the jack"),
        11: pgettext("card", "the knight"),
        12: pgettext("card", "the king"),
    }
    number = pgettext("card", "the %(number)s") % {"number": rank}
    return _of_suit(suit) % {"rank": ranks.get(rank, number)}


def _of_suit(letter: str) -> str:
    frames = {
        "O": pgettext("Spanish card", "%(rank)s of coins"),
        "C": pgettext("Spanish card", "%(rank)s of cups"),
        "E": pgettext("Spanish card", "%(rank)s of swords"),
        "B": pgettext("Spanish card", "%(rank)s of clubs"),
    }
    return frames[letter]


def card_count(number: int) -> str:
    """ "1 card", "13 cards"."""
    return ngettext("%(number)s card", "%(number)s cards", number) % {"number": number}


def points(number: int) -> str:
    """ "1 point", "18 points"."""
    return ngettext("%(number)s point", "%(number)s points", number) % {"number": number}


def people(names: Sequence[str]) -> str:
    """A list of names as running text: "Ada, Bruno and Léa"."""
    if len(names) < 2:
        return "".join(names)
    return pgettext("list of names", "%(first)s and %(last)s") % {"first": ", ".join(names[:-1]), "last": names[-1]}


def passes(names: Sequence[str]) -> str:
    """Passes in a row, folded: "Ada passes.", "Ada and Bruno pass."."""
    who = list(dict.fromkeys(names))
    return ngettext("%(names)s passes.", "%(names)s pass.", len(who)) % {"names": people(who)}


def duration(seconds: int) -> str:
    """A pace or an extension in its largest fitting unit: "24 h", "3 days", "5 min"."""
    if seconds >= 2 * 86400 and seconds % 86400 == 0 and seconds > 48 * 3600:
        return ngettext("%(number)s day", "%(number)s days", seconds // 86400) % {"number": seconds // 86400}
    if seconds >= 3600:
        return _("%(number)s h") % {"number": -(-seconds // 3600)}
    return _("%(number)s min") % {"number": -(-seconds // 60)}


def moment(value: Any) -> str:
    """A date and time of the active time zone: "Thu 3 Dec, 18:45"."""
    return date_format(value, pgettext("date format: Thu 3 Dec, 18:45", "D j M, H:i"))


def table_sentence(event: Event, names: Sequence[str]) -> str | None:
    """A public fact of any table that is no move of its game, as a sentence; None for a kind not known here."""
    kind, rest = str(event[0]), list(event[1:])
    if kind in ("automatic", "took_back", "ended_by"):
        return _seat_sentence(kind, names[rest[0]])
    if kind == "cancelled":
        return cancelled_sentence(str(rest[0]) if rest else "")
    if kind == "extended":
        return _("The site was down: deadlines were moved by %(duration)s.") % {"duration": duration(int(rest[0]))}
    if kind == "started":
        return _("The match starts.")
    return None


def _seat_sentence(kind: str, name: str) -> str:
    if kind == "automatic":
        return _("%(name)s is away: the site plays this seat until its player takes back the hand.") % {"name": name}
    if kind == "took_back":
        return _("%(name)s is back and plays again.") % {"name": name}
    return _("%(name)s ended the match.") % {"name": name}


def cancelled_sentence(reason: str) -> str:
    """Why a match or a table was cancelled, from `Table.end`."""
    reasons = {
        "absent": _("Everybody was away: the match is cancelled."),
        "idle": _("Nobody has played for a long time: the match is cancelled."),
        "never_started": _("The table never filled up and was closed."),
        "empty": _("Everybody has left: the table is closed."),
        "alone": _("The only player has ended the match."),
    }
    return reasons.get(reason, _("The match is cancelled."))


def by_sentence(by: str) -> str:
    """What the log adds to a move that its player did not choose; "" for one that he did."""
    notes = {
        "clock": _("played by the site, time was up"),
        "forced": _("only move, played by the site"),
        "staff": _("played by the staff"),
    }
    return notes.get(by, "")


def error_sentence(code: str, params: Mapping[str, Any]) -> str:
    """The sentence of a refusal common to all games, from its stable code; a game's own come from its display."""
    sentences = {
        "not_your_turn": _("It is not your turn."),
        "not_a_move": _("That is not a move of this game."),
        "stale": _("The table has changed since this page was shown. Look again before you play."),
        "over": _("This match is over."),
        "other_payload": _("This click was already used for another move. Please choose again."),
        "unknown_option": _("This game has no such option."),
        "wrong_type": _("One of the options has a value of the wrong kind."),
        "out_of_range": _("One of the options has a value that this game does not offer."),
    }
    if code == "seats" and {"low", "high"} <= params.keys():
        return _("This game is for %(low)s to %(high)s players.") % {"low": params["low"], "high": params["high"]}
    return sentences.get(code, _("This move is not allowed now."))
