"""Tags that draw cards and icons from the sprite, write times, and order the seats of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django import template
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games import terms

if TYPE_CHECKING:
    from games.models import Seat

register = template.Library()

_FIGURES = (10, 11, 12)
MOST_RECENT = 6
"""Sentences in the strip by the board."""


@register.simple_tag
def icon(name: str) -> SafeString:
    """A decorative icon of the sprite: `{% icon "i-robot" %}`."""
    return format_html('<svg class="icon" aria-hidden="true"><use href="{}#{}"/></svg>', static("cards.svg"), name)


@register.simple_tag
def card(text: str, extra: str = "", alone: bool = True) -> SafeString:
    """A Spanish card face. `extra`: more classes; `alone`: it carries its own name (else the control round it does)."""
    rank, _suit = terms.split(text)
    suit, sprite = terms.suit_class(text), static("cards.svg")
    figure = rank in _FIGURES
    art = text if figure else "oros-as" if text == "1O" else suit
    corner = format_html('<b>{}</b><svg class="mn"><use href="{}#{}-m"/></svg>', terms.card_index(text), sprite, suit)
    named = format_html('role="img" aria-label="{}"', terms.card_name(text)) if alone else SafeString('aria-hidden="true"')
    return format_html(
        '<span class="card {}{}" {}><span class="ix">{}</span><svg class="{}"><use href="{}#{}"/></svg>'
        '<svg class="many"><use href="{}#{}"/></svg><span class="ix bis">{}</span></span>',
        suit,
        f" {extra}" if extra else "",
        named,
        corner,
        "one fig" if figure else "one",
        sprite,
        art,
        sprite,
        f"{text}-f" if figure else text,
        corner,
    )


@register.simple_tag
def card_back(extra: str = "") -> SafeString:
    """The back of a card."""
    return format_html(
        '<span class="card back {}" aria-hidden="true"><svg><use href="{}#dos-1"/></svg></span>', extra, static("cards.svg")
    )


@register.filter
def card_name(text: str) -> str:
    """The plain name of a card: `{{ "7O"|card_name }}`."""
    return terms.card_name(text)


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
            "initial": names[number].removeprefix("Bot ")[:1].upper(),
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
    """Place, name and score of every seat of a finished table, best first."""
    ranked = sorted(seats, key=lambda seat: (seat.place or len(seats), seat.number or 0))
    return [{"place": seat.place, "name": names[seat.number or 0], "score": seat.score or 0} for seat in ranked]


@register.filter
def people(names: Sequence[str]) -> str:
    """Names as running text."""
    return terms.people(list(names))


@register.filter
def points(number: int) -> str:
    """ "18 points"."""
    return terms.points(number)


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
