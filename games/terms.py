"""The words of cards and games, in the reader's language: the only place where they are written.

Cards come as canonical texts ("7O", "10E"). A text alone does not tell its deck ("7C" is a cup or a heart), so whoever
names a card of another deck than the Spanish one says which. A card has three names: its index (the letters in its
corner), its plain name ("ace of coins") and its name with the article ("the ace of coins"), which sentences use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any

from django.utils.formats import date_format, number_format
from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _

SPANISH, FRENCH, CROWNS, NUMBERS = "spanish", "french", "crowns", "numbers"
"""The decks: Spanish; French (A 2 … 10 V D R); Five Crowns (3 … 13 in five French suits, and JK); plain numbers."""
SUITS = {"O": "oros", "C": "copas", "E": "espadas", "B": "bastos"}
"""Letter of a Spanish suit -> its name in the card sprite and in the style sheets."""
FRENCH_SUITS = {"P": "pique", "C": "coeur", "K": "carreau", "T": "trefle", "E": "etoile"}
"""The same for the French suits and the star of Five Crowns."""
JOKER = "JK"

Event = Sequence[Any]

_KINDS = {"1": "ace", "10": "sota", "11": "knight", "12": "king"}
_FRENCH_KINDS = {"A": "ace", "V": "jack", "D": "queen", "R": "king"}
_CROWNS_KINDS = {"11": "jack", "12": "queen", "13": "king"}


def split(card: str) -> tuple[int, str]:
    """Printed rank and suit letter of a card text: "10E" -> (10, "E")."""
    return int(card[:-1]), card[-1]


def kind(card: str, deck: str = SPANISH) -> str:
    """Which court card or ace it is: "ace", "sota" (the Spanish jack), "jack", "knight", "queen",
    "king", "joker"; "" for a card with a number."""
    if deck == CROWNS:
        return "joker" if card == JOKER else _CROWNS_KINDS.get(card[:-1], "")
    return {SPANISH: _KINDS, FRENCH: _FRENCH_KINDS, NUMBERS: {}}[deck].get(card[:-1], "")


def suit_class(card: str, deck: str = SPANISH) -> str:
    """The suit's name in the sprite and the style sheets, from a card text or a suit letter."""
    return (SUITS if deck == SPANISH else FRENCH_SUITS)[card[-1]]


Words = Mapping[str, str]


def _once_a_language(table: Callable[[], Words]) -> Callable[[], Words]:
    """A table of words is asked for hundreds of times a page, so it is translated once a language."""
    known: dict[str, Words] = {}

    @wraps(table)
    def words() -> Words:
        language = get_language() or ""
        if language not in known:
            known[language] = table()
        return known[language]

    return words


@_once_a_language
def _spanish_suits() -> Words:
    return {
        "O": pgettext("Spanish suit", "Coins"),
        "C": pgettext("Spanish suit", "Cups"),
        "E": pgettext("Spanish suit", "Swords"),
        "B": pgettext("Spanish suit", "Clubs"),
    }


@_once_a_language
def _french_suits() -> Words:
    return {
        "P": pgettext("French suit", "Spades"),
        "C": pgettext("French suit", "Hearts"),
        "K": pgettext("French suit", "Diamonds"),
        "T": pgettext("French suit", "Clubs"),
        "E": pgettext("suit of Five Crowns", "Stars"),
    }


@_once_a_language
def _spanish_corners() -> Words:
    return {
        "ace": pgettext("corner of a Spanish card: ace", "A"),
        "sota": pgettext("corner of a Spanish card: jack", "J"),
        "knight": pgettext("corner of a Spanish card: knight", "Kn"),
        "king": pgettext("corner of a Spanish card: king", "K"),
    }


@_once_a_language
def _french_corners() -> Words:
    return {
        "ace": pgettext("corner of a French card: ace", "A"),
        "jack": pgettext("corner of a French card: jack", "J"),
        "queen": pgettext("corner of a French card: queen", "Q"),
        "king": pgettext("corner of a French card: king", "K"),
        "joker": pgettext("corner of a joker", "Jo"),
    }


@_once_a_language
def _plain_names() -> Words:
    """The names of cards without a number; "": that of one with a number."""
    return {
        "": "%(number)s",
        "ace": pgettext("card", "ace"),
        "jack": pgettext("French card", "jack"),
        "sota": pgettext("Spanish card", "jack"),
        "knight": pgettext("card", "knight"),
        "queen": pgettext("card", "queen"),
        "king": pgettext("card", "king"),
        "joker": pgettext("card", "joker"),
    }


@_once_a_language
def _names_with_article() -> Words:
    return {
        "": pgettext("card", "the %(number)s"),
        "ace": pgettext("card", "the ace"),
        "jack": pgettext("French card", "the jack"),
        "sota": pgettext("Spanish card", "the jack"),
        "knight": pgettext("card", "the knight"),
        "queen": pgettext("card", "the queen"),
        "king": pgettext("card", "the king"),
        "joker": pgettext("card", "the joker"),
    }


@_once_a_language
def _of_spanish_suits() -> Words:
    return {
        "O": pgettext("Spanish card", "%(rank)s of coins"),
        "C": pgettext("Spanish card", "%(rank)s of cups"),
        "E": pgettext("Spanish card", "%(rank)s of swords"),
        "B": pgettext("Spanish card", "%(rank)s of clubs"),
    }


@_once_a_language
def _of_french_suits() -> Words:
    return {
        "P": pgettext("French card", "%(rank)s of spades"),
        "C": pgettext("French card", "%(rank)s of hearts"),
        "K": pgettext("French card", "%(rank)s of diamonds"),
        "T": pgettext("French card", "%(rank)s of clubs"),
        "E": pgettext("card of Five Crowns", "%(rank)s of stars"),
    }


def suit_name(letter: str, deck: str = SPANISH) -> str:
    """The suit as a heading: "Coins"."""
    return (_spanish_suits() if deck == SPANISH else _french_suits())[letter]


def rank_index(rank: int) -> str:
    """What stands in the corner of a Spanish card of this printed rank."""
    return card_index(f"{rank}O")


def card_index(card: str, deck: str = SPANISH) -> str:
    """The corner of a card: "10E" -> "J"."""
    if deck == NUMBERS:
        return card
    return (_spanish_corners() if deck == SPANISH else _french_corners()).get(kind(card, deck), card[:-1])


def card_name(card: str, deck: str = SPANISH) -> str:
    """The plain name: "ace of coins", "5 of clubs"."""
    return _of_suit(card, _plain_names(), deck)


def the_card(card: str, deck: str = SPANISH) -> str:
    """The name with its article, as sentences use it: "the ace of coins", "the 5 of clubs"."""
    return _of_suit(card, _names_with_article(), deck)


def _of_suit(card: str, names: Words, deck: str) -> str:
    """A name of the card, with its suit where it has one."""
    if deck == NUMBERS:
        return names[""] % {"number": card}
    if card == JOKER:
        return names["joker"]
    rank = names[kind(card, deck)] % {"number": card[:-1]}
    return (_of_spanish_suits() if deck == SPANISH else _of_french_suits())[card[-1]] % {"rank": rank}


def card_count(number: int) -> str:
    """ "1 card", "13 cards"."""
    return ngettext("%(number)s card", "%(number)s cards", number) % {"number": number}


def points(number: int) -> str:
    """ "1 point", "18 points", "−25 points" (with a real minus)."""
    text = f"−{-number}" if number < 0 else str(number)
    return ngettext("%(number)s point", "%(number)s points", abs(number)) % {"number": text}


def tokens(number: int) -> str:
    """ "1 token", "1,500 tokens", with the separators of the reader's language."""
    return ngettext("%(number)s token", "%(number)s tokens", number) % {"number": number_format(number, force_grouping=True)}


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


def number_wanted(low: int, high: int, step: int = 1, seats: int | None = None) -> str:
    """Which numbers an option takes, as a request: all of them by `step`, or those for so many seats."""
    words = {"low": low, "high": high, "step": step, "seats": seats}
    if seats is not None:
        return _("With %(seats)s players, choose a number from %(low)s to %(high)s.") % words
    if step > 1:
        return _("Choose a multiple of %(step)s from %(low)s to %(high)s.") % words
    return _("Choose a number from %(low)s to %(high)s.") % words


def one_of_wanted(labels: Sequence[Any]) -> str:
    """Which values an option takes, by their labels."""
    return _("Choose one of these: %(values)s.") % {"values": ", ".join(str(label) for label in labels)}


def table_sentence(event: Event, names: Sequence[str]) -> str | None:
    """A public fact of any table that is no move of its game, as a sentence; None for a kind not known here."""
    kind, rest = str(event[0]), list(event[1:])
    if kind in _SEAT_SENTENCES:
        return _SEAT_SENTENCES[kind]() % {"name": names[rest[0]]}
    if kind == "winners":
        return winners_sentence([names[seat] for seat in rest[0]])
    if kind == "uncounted":
        return uncounted_sentence(str(rest[0]))
    if kind == "stop_expired":
        return _("Not everybody agreed in time: the match goes on.")
    if kind == "cancelled":
        return cancelled_sentence(str(rest[0]) if rest else "")
    if kind == "rewound":
        return _("The staff took the match back to the position after move %(ply)s.") % {"ply": rest[0]}
    if kind == "prolonged":
        return _("The staff gave %(duration)s more to whoever is to play.") % {"duration": duration(int(rest[0]))}
    if kind == "looked":
        return _("Somebody of the staff looked at the hidden cards.")
    if kind == "paused":
        return _("The clocks stood still for maintenance: deadlines were moved by %(duration)s.") % {
            "duration": duration(int(rest[0]))
        }
    if kind == "extended":
        return _("The site was down: deadlines were moved by %(duration)s.") % {"duration": duration(int(rest[0]))}
    if kind == "started":
        return _("The match starts.")
    return None


# Called for the reader's language, hence functions.
_SEAT_SENTENCES: Mapping[str, Callable[[], str]] = {
    "automatic": lambda: _("%(name)s is away: the site plays this seat until its player takes back the hand."),
    "handed": lambda: _("The staff handed %(name)s's seat to the site until its player takes back the hand."),
    "took_back": lambda: _("%(name)s is back and plays again."),
    "ended_by": lambda: _("%(name)s ended the match."),
    "abandoned": lambda: _("%(name)s has abandoned the match. The site plays this seat to the end."),
    "stop_asked": lambda: _("%(name)s proposes to stop the match without a result."),
    "stop_agreed": lambda: _("%(name)s agrees to stop."),
    "stop_refused": lambda: _("%(name)s does not want to stop: the match goes on."),
    "penalised": lambda: _("The others have decided: %(name)s is penalised for abandoning."),
    "not_penalised": lambda: _("%(name)s is not penalised for abandoning."),
}


def winners_sentence(names: Sequence[str]) -> str:
    """Who has won a match that somebody abandoned; no names: nobody."""
    if not names:
        return _("Nobody wins the match.")
    return ngettext("%(names)s wins the match.", "%(names)s win the match.", len(names)) % {"names": people(names)}


def uncounted_sentence(reason: str) -> str:
    """Why a competitive match does not count, from `Table.uncounted`; "" when it does."""
    reasons = {
        "same_address": _("Two players of this table use the same Internet address, so the match does not count."),
        "void": _("The staff has declared this match void: it does not count."),
    }
    return reasons.get(reason, "")


def cancelled_sentence(reason: str) -> str:
    """Why a match or a table was cancelled, from `Table.end`."""
    reasons = {
        "absent": _("Everybody was away: the match is cancelled."),
        "idle": _("Nobody has played for a long time: the match is cancelled."),
        "never_started": _("The table never filled up and was closed."),
        "empty": _("Everybody has left: the table is closed."),
        "staff": _("The staff has cancelled the match."),
        "alone": _("The only player has ended the match."),
        "left": _("Everybody has left: the match is cancelled."),
        "agreed": _("Everybody agreed to stop: the match is cancelled."),
    }
    return reasons.get(reason, _("The match is cancelled."))


def by_sentence(by: str) -> str:
    """What the log adds to a move that its player did not choose; "" for one that he did."""
    notes = {
        "clock": _("played by the site, time was up"),
        "forced": _("only move, played by the site"),
        "only": _("only move, played at once"),
        "left": _("played by the site"),
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
    if code == "out_of_range" and {"low", "high"} <= params.keys():
        return number_wanted(params["low"], params["high"], params.get("step", 1), params.get("seats"))
    return sentences.get(code, _("This move is not allowed now."))
