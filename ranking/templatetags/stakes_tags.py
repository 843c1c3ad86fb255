"""Template tags for the table page: who gets what before anybody sits, and what the tokens of a match became."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from accounts import wallet
from games import registry, terms
from games.engine.shares import split
from games.models import Seat, Status, Table
from ranking.awards import PENALTY, POINTS
from ranking.templatetags.ranking_tags import signed

register = template.Library()


class Line(NamedTuple):
    """One case, with the points and the tokens it brings."""

    case: str
    points: str
    tokens: str


@register.inclusion_tag("ranking/before_match.html")
def at_stake(table: Table) -> dict[str, Any]:
    """Who gets what at a competitive table, in each case; nothing for a friendly one."""
    return {"table": table, "lines": _lines(table) if table.competitive else [], "pot": table.stake * table.seats_wanted}


def _lines(table: Table) -> list[Line]:
    sides = registry.get(table.game).sides(table.options, table.seats_wanted)
    own = _("his stake") if table.stake else "–"
    nothing = _("nothing") if table.stake else "–"
    return [
        *(_side_line(table, sides) if sides else _winner_lines(table)),
        Line(_("Everybody else who plays to the end"), signed(POINTS), nothing),
        Line(_("If nobody wins: everybody who plays to the end"), signed(POINTS), own),
        Line(_("Whoever abandons"), _("0 or −%(points)s") % {"points": PENALTY}, nothing),
        Line(_("Whoever the clock played for more than half of the time"), "0", nothing),
        Line(_("Match called off, or two players at one Internet address"), "0", own),
    ]


def _winner_lines(table: Table) -> list[Line]:
    points, pot = signed(POINTS * table.seats_wanted), table.stake * table.seats_wanted
    lines = [Line(_("The winner"), points, _won(pot, 1))]
    for tied in range(2, table.seats_wanted + 1):
        case = ngettext("%(number)s winner with the same score: each", "%(number)s winners with the same score: each", tied)
        lines.append(Line(case % {"number": tied}, points, _won(pot, tied)))
    return lines


def _side_line(table: Table, sides: int) -> list[Line]:
    members = table.seats_wanted // sides
    return [
        Line(
            _("Each player of the winning side"),
            signed(POINTS * table.seats_wanted),
            _won(table.stake * table.seats_wanted, members),
        )
    ]


def _won(pot: int, winners: int) -> str:
    """What each of so many winners gets; a rest goes one each in seat order."""
    if not pot:
        return "–"
    parts = sorted(set(split(pot, range(winners)).values()))
    return pgettext("between two numbers", " or ").join(number_format(part, force_grouping=True) for part in parts)


@register.inclusion_tag("ranking/receipt.html")
def receipt(table: Table, seats: Sequence[Seat], names: Sequence[str]) -> dict[str, Any]:
    """What the tokens of a staked match that is over became; nothing for any other table. `seats` and `names` by number."""
    if not table.stake or not table.over:
        return {"rows": []}
    brought = wallet.receipts(table.code)
    found = [(brought[seat.user_id], name) for seat, name in zip(seats, names, strict=True) if seat.user_id in brought]
    rows = [
        {"name": name, "net": signed(net), "got": terms.tokens(table.stake + net)}
        for net, name in sorted(found, key=lambda pair: -pair[0])
    ]
    finished = table.status == Status.FINISHED and table.counts
    return {"rows": rows if finished else [], "stake": table.stake, "back": not finished and table.started_at is not None}
