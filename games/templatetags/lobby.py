"""Template filters of the pages before a match: pace, terms, names, free places."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from string import ascii_uppercase
from typing import Any
from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from games import paces, registry, selectors, terms
from games.models import Seat, Table, Visibility

register = template.Library()


@register.filter
def player_counts(game: registry.Game) -> str:
    """For how many a game is: "3 or 4 players", "2 to 9 players"."""
    counts = [str(number) for number in game.seats]
    if len(counts) > 2 and game.seats[-1] - game.seats[0] == len(counts) - 1:
        return _("%(low)s to %(high)s players") % {"low": counts[0], "high": counts[-1]}
    return _("%(numbers)s or %(last)s players") % {"numbers": ", ".join(counts[:-1]), "last": counts[-1]}


@register.filter
def difficulty(game: registry.Game) -> str:
    """How hard a game is to learn, in a word."""
    return (_("easy to learn"), _("takes some learning"), _("for experienced players"))[game.difficulty - 1]


@register.filter
def same_again(table: Table) -> str:
    """The address of the new-table form with this table's game, options, number of players and pace filled in."""
    pace = "none" if table.pace is None else table.pace
    chosen = {"game": table.game, "seats": table.seats_wanted, "pace": pace, "competitive": int(table.competitive)}
    if table.stake:
        chosen["stake"] = table.stake
    return f"{reverse('new_table')}?{urlencode({**chosen, 'visibility': table.visibility, **table.options})}"


@register.filter
def sides(table: Table, seats: Sequence[Seat]) -> list[dict[str, Any]]:
    """The sides that people choose from at a waiting table, each with its letter, seats and free places; [] for none."""
    count = registry.get(table.game).sides(table.options, table.seats_wanted)
    return [
        {
            "number": side,
            "letter": ascii_uppercase[side],
            "seats": (sitting := [seat for seat in seats if seat.side == side]),
            "free": range(table.seats_wanted // count - len(sitting)),
        }
        for side in range(count)
    ]


@register.filter
def pace(seconds: int | None) -> str:
    """A pace in words."""
    return paces.pace_label(seconds)


@register.filter
def options(table: Table) -> str:
    """The table's options in one plain sentence."""
    return str(registry.get(table.game).sentence(table.options, table.seats_wanted))


@register.filter(name="terms")
def terms_of(table: Table) -> str:
    """Everything that is fixed at this table, in plain sentences, for somebody who is about to sit."""
    sentences = [options(table), paces.pace_sentence(table.pace)]
    if table.competitive:
        sentences.append(_("Competitive: registered players only, no bots, and the result counts for the leaderboard."))
        if table.stake:
            sentences.append(_("Each player stakes %(tokens)s.") % {"tokens": terms.tokens(table.stake)})
    else:
        sentences.append(_("Friendly: guests and bots are welcome, and nothing is counted."))
    if table.visibility == Visibility.LINK:
        sentences.append(_("Only people with the link can see it."))
    return " ".join(sentences)


@register.filter
def free_places(table: Table, seats: Sequence[Seat]) -> int:
    """How many places are left."""
    return max(0, table.seats_wanted - len(seats))


@register.filter
def free_list(table: Table, seats: Sequence[Seat]) -> range:
    """One item for each place left, to loop over."""
    return range(free_places(table, seats))


@register.filter
def seat_name(seat: Seat) -> str:
    """Who sits there, as everybody sees it."""
    return selectors.seat_name(seat)


@register.filter
def time_left(deadline: datetime) -> str:
    """How long until a deadline, rounded down: "3 days left", "21 h left", "5 min left"."""
    left = int((deadline - timezone.now()).total_seconds())
    if left < 60:
        return _("less than a minute left")
    unit = 86400 if left > 2 * 86400 else 3600 if left >= 3600 else 60
    return _("%(time)s left") % {"time": terms.duration(left - left % unit)}


@register.simple_tag(takes_context=True)
def invite_url(context: template.Context, table: Table) -> str:
    """The address to send to somebody: with the token when the table is hidden. Only for people who sit there."""
    address = context["request"].build_absolute_uri(table.get_absolute_url())
    return f"{address}?i={table.token}" if table.visibility == Visibility.LINK else address


@register.filter
def players(table: Table) -> str:
    """The names of everybody at a table, as running text."""
    return terms.people([selectors.seat_name(seat) for seat in table.seats.all()])


@register.filter
def opponents(table: Table, mine: Seat) -> str:
    """The names of the others at a table, as running text."""
    return terms.people([selectors.seat_name(seat) for seat in table.seats.all() if seat.pk != mine.pk])
