"""Reads of the ledger for the pages: what a match paid, what a profile shows. Leaderboards: `ranking.boards`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Prefetch, Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import selectors as tables
from games import terms
from games.models import Seat, Status, Table, Visibility
from ranking.awards import POINTS, Reason
from ranking.models import XPEntry

if TYPE_CHECKING:
    from accounts.models import User


class AwardRow(NamedTuple):
    """What a match paid one player: his name, his XP, and a sentence that says why."""

    name: str
    xp: int
    sentence: str


def awards_of(table: Table) -> list[AwardRow]:
    """What a finished match that counts paid and took, winners first; empty for every other table (see `awards_note`)."""
    if not table.counts or table.status != Status.FINISHED:
        return []
    entries = XPEntry.objects.filter(table=table).select_related("user").order_by("-delta", "id")
    return [AwardRow(entry.user.display_name, entry.delta, _why(Reason(entry.reason), entry.delta)) for entry in entries]


def _why(reason: Reason, delta: int) -> str:
    if reason is Reason.WIN:
        players = delta // POINTS
        text = ngettext(
            "Winner: %(points)d points for %(count)d player.",
            "Winner: %(points)d points for each of the %(count)d players.",
            players,
        )
        return text % {"points": POINTS, "count": players}
    if reason is Reason.FINISH:
        return _("Played to the end: %(points)d points.") % {"points": POINTS}
    sentences = {
        Reason.ABSENT: _("No points: the site decided more than half of the moves."),
        Reason.ABANDON: _("No points: abandoned the match."),
        Reason.PENALTY: _("Penalised by the others for abandoning."),
    }
    return sentences[reason]


def awards_note(table: Table) -> str:
    """Why a table that is over pays nobody; "" when it does pay, or is not over yet."""
    if not table.over:
        return ""
    if not table.competitive:
        return _("Friendly match: it does not count for the leaderboard.")
    if table.status == Status.CANCELLED:
        return _("The match was called off: nobody earns points.")
    return terms.uncounted_sentence(table.uncounted)


class Match(NamedTuple):
    """A finished match on a profile page; `xp` is None when it was friendly."""

    table: Table
    title: str
    opponents: list[str]
    place: int | None
    players: int
    xp: int | None


def last_matches(user: User, count: int = 10) -> list[Match]:
    """Somebody's last finished public matches, newest first."""
    seats = Seat.objects.select_related("user").order_by("number")
    last = list(
        Table.objects.filter(seats__user=user, status=Status.FINISHED, visibility=Visibility.PUBLIC)
        .order_by("-ended_at", "-id")
        .prefetch_related(Prefetch("seats", queryset=seats))[:count]
    )
    entries = XPEntry.objects.filter(user=user, table__in=last).order_by()
    paid = dict(entries.values_list("table_id").annotate(xp=Sum("delta")))
    return [_match(table, user, paid.get(table.pk)) for table in last]


def _match(table: Table, user: User, xp: int | None) -> Match:
    seats = list(table.seats.all())
    place = next(seat.place for seat in seats if seat.user_id == user.pk)
    opponents = [tables.seat_name(seat) for seat in seats if seat.user_id != user.pk]
    return Match(table, table.title, opponents, place, len(seats), xp)
