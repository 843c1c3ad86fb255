"""Tags that draw cards and icons from the sprite, write times, and order the seats of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from django import template
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games import terms

if TYPE_CHECKING:
    from games.models import Seat, Table

register = template.Library()

_FIGURES = {"jack": "V", "queen": "D", "king": "R"}
"""The busts of the French figures in the sprite."""
MOST_RECENT = 6
"""Sentences in the strip by the board."""


@register.simple_tag
def icon(name: str) -> SafeString:
    """A decorative icon of the sprite: `{% icon "i-robot" %}`."""
    return format_html('<svg class="icon" aria-hidden="true"><use href="{}#{}"/></svg>', static("cards.svg"), name)


class _Face(NamedTuple):
    """What the sprite has for a card: its classes, the mark in its corner, the one symbol of a small card, the drawing of a
    large one."""

    classes: str
    mini: str
    one: str
    many: str


def _face(text: str, deck: str) -> _Face:
    if text == terms.JOKER:
        return _Face("fr jk", "etoile-m", "joker", "joker")
    suit, kind = terms.suit_class(text, deck), terms.kind(text, deck)
    if deck == terms.SPANISH:
        figure = kind not in ("", "ace")
        art = text if figure else "oros-as" if text == "1O" else suit
        return _Face(suit, f"{suit}-m", art, f"{text}-f" if figure else text)
    figure_of = _FIGURES.get(kind, "")
    return _Face(f"fr {suit}", f"{suit}-m", figure_of or suit, f"{suit}-{figure_of or text[:-1].replace('A', '1')}")


@register.simple_tag
def card(text: str, extra: str = "", alone: bool = True, deck: str = terms.SPANISH) -> SafeString:
    """A card face: `{% card "10P" deck="french" %}`. `extra`: more classes; `alone`: it carries its own name (else the
    control round it does); `deck`: which deck the text is of (`terms.SPANISH` … `terms.NUMBERS`); "" means Spanish."""
    deck = deck or terms.SPANISH
    name = terms.card_name(text, deck)
    named = format_html('role="img" aria-label="{}"', name) if alone else SafeString('aria-hidden="true"')
    more = f" {extra}" if extra else ""
    if deck == terms.NUMBERS:
        return format_html('<span class="card number{}" {}><b>{}</b></span>', more, named, text)
    face, sprite = _face(text, deck), static("cards.svg")
    corner = format_html('<b>{}</b><svg class="mn"><use href="{}#{}"/></svg>', terms.card_index(text, deck), sprite, face.mini)
    return format_html(
        '<span class="card {}{}" {}><span class="ix">{}</span><svg class="{}"><use href="{}#{}"/></svg>'
        '<svg class="many"><use href="{}#{}"/></svg><span class="ix bis">{}</span></span>',
        face.classes,
        more,
        named,
        corner,
        "one fig" if terms.kind(text, deck) not in ("", "ace") else "one",
        sprite,
        face.one,
        sprite,
        face.many,
        corner,
    )


@register.simple_tag
def card_back(extra: str = "") -> SafeString:
    """The back of a card."""
    return format_html(
        '<span class="card back {}" aria-hidden="true"><svg><use href="{}#dos-1"/></svg></span>', extra, static("cards.svg")
    )


@register.filter
def card_name(text: str, deck: str = terms.SPANISH) -> str:
    """The plain name of a card: `{{ "7O"|card_name }}`, `{{ "10P"|card_name:"french" }}`."""
    return terms.card_name(text, deck)


@register.filter
def duration(seconds: int) -> str:
    """A pace in words: `{{ table.pace|duration }}`."""
    return terms.duration(seconds)


@register.simple_tag(takes_context=True)
def when(context: template.Context, value: datetime | None) -> SafeString | str:
    """A moment as `<time>`: in the reader's own zone, or Paris time with the zone named. live.js rewrites it.

    The text never depends on the present time, so equal fragments stay equal bytes.
    """
    if value is None:
        return ""
    local = timezone.localtime(value)
    text = terms.moment(local)
    if not getattr(getattr(context.get("request"), "player", None), "timezone", ""):
        text = _("%(moment)s (Paris time)") % {"moment": text}
    return format_html('<time datetime="{}">{}</time>', value.isoformat(timespec="seconds"), text)


@register.simple_tag
def in_play_order(
    seats: Sequence[Seat], names: Sequence[str], observation: Mapping[str, Any], board: Mapping[str, Any], me: Seat | None
) -> list[dict[str, Any]]:
    """The seats as the viewer sees them: the next player first, round the table, himself last."""
    first = 0 if me is None or me.number is None else me.number + 1
    numbers = [(first + step) % len(seats) for step in range(len(seats))]
    by_number = {seat.number: seat for seat in seats}
    return [
        {
            "seat": by_number[number],
            "number": number,
            "name": names[number],
            "me": me is not None and me.number == number,
            "active": number in observation["to_act"],
            "play": board["players"][number],
        }
        for number in numbers
    ]


@register.simple_tag
def pip(suit: str) -> SafeString:
    """The small one-colour mark of a suit."""
    return format_html('<svg class="mn" aria-hidden="true"><use href="{}#{}-m"/></svg>', static("cards.svg"), suit)


@register.simple_tag
def symbol(suit: str) -> SafeString:
    """The coloured symbol of a suit."""
    return format_html('<svg aria-hidden="true"><use href="{}#{}"/></svg>', static("cards.svg"), suit)


@register.filter
def standing(seats: Sequence[Seat], names: Sequence[str]) -> list[dict[str, Any]]:
    """Place, name, score and `left` (its player has abandoned) of every seat of a finished table, best first."""
    ranked = sorted(seats, key=lambda seat: (seat.place or len(seats), seat.number or 0))
    return [
        {"place": seat.place, "name": names[seat.number or 0], "score": seat.score or 0, "left": seat.abandoned}
        for seat in ranked
    ]


@register.filter
def uncounted(table: Table) -> str:
    """Why a competitive match does not count; "" when it does."""
    return terms.uncounted_sentence(table.uncounted)


@register.filter
def people(names: Sequence[str]) -> str:
    """Names as running text."""
    return terms.people(list(names))


@register.filter
def points(number: int) -> str:
    """ "18 points"."""
    return terms.points(number)


@register.filter
def tokens(number: int) -> str:
    """ "50 tokens"."""
    return terms.tokens(number)


@register.filter
def card_count(number: int) -> str:
    """ "13 cards"."""
    return terms.card_count(number)


@register.filter
def by_note(by: str) -> str:
    """What the log adds to a move its player did not choose."""
    return terms.by_sentence(by or "")


@register.filter
def cancelled(reason: str) -> str:
    """Why a table was cancelled."""
    return terms.cancelled_sentence(reason)


@register.filter
def signed(number: int) -> str:
    """A gain with its sign: "+13", "0", "−5"."""
    return f"+{number}" if number > 0 else str(number).replace("-", "−")


@register.simple_tag
def recent_rows(
    me: Seat | None, since: Sequence[Mapping[str, Any]], log: Sequence[Mapping[str, Any]], names: Sequence[str]
) -> list[dict[str, Any]]:
    """What the strip by the board tells: the last facts since the reader's last move, passes in a row folded into one.

    A spectator gets the last facts of the table. Of notes only the important one stays: that time was up.
    """
    rows: list[dict[str, Any]] = []
    for row in list(since if me else log)[-MOST_RECENT * 2 :]:
        passed = row["kind"] == "passed"
        if passed and rows and rows[-1]["aside"]:
            rows[-1]["who"].append(names[row["seat"]])
            rows[-1]["sentence"] = terms.passes(rows[-1]["who"])
            continue
        note = terms.by_sentence("clock") if row["by"] == "clock" else ""
        rows.append({"sentence": row["sentence"], "note": note, "aside": passed, "who": [names[row["seat"]]] if passed else []})
    return rows[-MOST_RECENT:]
