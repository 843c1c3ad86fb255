"""Reads of the ledger and of the standings: leaderboards, ranks, what a match paid, what a profile shows.

Pages of a leaderboard are found by key (XP, time, id), never by OFFSET, and a rank is 1 + the number of people with more
XP: the same on every page, 1, 1, 3 for ties.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Count, Prefetch, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import registry
from games import selectors as tables
from games.models import Seat, Status, Table, Visibility
from ranking import periods
from ranking.awards import POINTS, Reason
from ranking.ledger import OVERALL
from ranking.models import Standing, XPEntry

if TYPE_CHECKING:
    from accounts.models import User

PAGE_SIZE = 50
ABOVE_ME = 5
"""How many people the page "my position" shows above me."""

ORDER = ("-xp", "reached_at", "id")
REVERSED = ("xp", "-reached_at", "-id")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Cursor(NamedTuple):
    """A place in the total order of a ladder: that of one standing."""

    xp: int
    reached_at: datetime
    id: int

    @classmethod
    def of(cls, standing: Standing) -> Cursor:
        """The place of a standing."""
        return cls(standing.xp, standing.reached_at, standing.pk)

    @classmethod
    def parse(cls, text: str) -> Cursor:
        """Read what `str` wrote; ValueError for anything else."""
        found = re.fullmatch(r"(-?\d{1,9})_(\d{1,16})_(\d{1,18})", text, re.ASCII)
        if not found:
            raise ValueError(text)
        xp, microseconds, pk = map(int, found.groups())
        return cls(xp, EPOCH + timedelta(microseconds=microseconds), pk)

    def __str__(self) -> str:
        return f"{self.xp}_{(self.reached_at - EPOCH) // timedelta(microseconds=1)}_{self.id}"


class Row(NamedTuple):
    """One line of a leaderboard."""

    rank: int
    standing: Standing


@dataclass(frozen=True, slots=True)
class Page:
    """Some lines of a leaderboard; `previous` and `next` are the cursors to go on from, None at the ends."""

    rows: list[Row]
    previous: Cursor | None
    next: Cursor | None


def ladders() -> tuple[str, ...]:
    """The keys of all ladders: all games together, then each game."""
    return (OVERALL, *registry.GAMES)


def ladder_name(ladder: str) -> str:
    """The name of a ladder in the reader's language."""
    return _("All games") if ladder == OVERALL else str(registry.get(ladder).name)


def _ladder(ladder: str, period: str) -> QuerySet[Standing]:
    return Standing.objects.filter(ladder=ladder, period=period).select_related("user").order_by(*ORDER)


def _after(rows: QuerySet[Standing], place: Cursor, count: int) -> list[Standing]:
    """The next `count` standings below a place: first those with the same XP, then the others (two ranges of the index)."""
    later = Q(reached_at__gt=place.reached_at) | Q(id__gt=place.id)
    found = list(rows.filter(later, xp=place.xp, reached_at__gte=place.reached_at)[:count])
    if len(found) < count:
        found += rows.filter(xp__lt=place.xp)[: count - len(found)]
    return found


def _before(rows: QuerySet[Standing], place: Cursor, count: int) -> list[Standing]:
    """The nearest `count` standings above a place, in the order of the ladder."""
    upwards = rows.order_by(*REVERSED)
    earlier = Q(reached_at__lt=place.reached_at) | Q(id__lt=place.id)
    found = list(upwards.filter(earlier, xp=place.xp, reached_at__lte=place.reached_at)[:count])
    if len(found) < count:
        found += upwards.filter(xp__gt=place.xp)[: count - len(found)]
    return found[::-1]


def ranks(ladder: str, period: str, points: Iterable[int]) -> dict[int, int]:
    """The rank of everybody who has exactly so many XP, for each of `points`: 1 + how many people have more."""
    wanted = sorted(set(points), reverse=True)
    if not wanted:
        return {}
    rows = Standing.objects.filter(ladder=ladder, period=period).order_by()
    rank = 1 + rows.filter(xp__gt=wanted[0]).count()
    found = {wanted[0]: rank}
    if len(wanted) > 1:
        # How many share each number of points between the best and the last one wanted.
        sizes = rows.filter(xp__lte=wanted[0], xp__gt=wanted[-1]).values_list("xp").annotate(n=Count("pk"))
        above = sorted(sizes, reverse=True)
        for points_wanted in wanted[1:]:
            found[points_wanted] = rank + sum(n for xp, n in above if xp > points_wanted)
    return found


def _ranked(ladder: str, period: str, standings: list[Standing]) -> list[Row]:
    rank_of = ranks(ladder, period, (standing.xp for standing in standings))
    return [Row(rank_of[standing.xp], standing) for standing in standings]


def top(ladder: str, period: str, count: int) -> list[Row]:
    """The first `count` lines of a leaderboard."""
    return _ranked(ladder, period, list(_ladder(ladder, period)[:count]))


def page(ladder: str, period: str, *, after: Cursor | None = None, before: Cursor | None = None, size: int = PAGE_SIZE) -> Page:
    """A page of a leaderboard: from the top, below `after`, or above `before`."""
    rows = _ladder(ladder, period)
    if before is not None:
        found = _before(rows, before, size + 1)
        if len(found) > size:
            return _page(ladder, period, found[1:], above=True, below=True)
        after = None
    found = list(rows[: size + 1]) if after is None else _after(rows, after, size + 1)
    return _page(ladder, period, found[:size], above=after is not None, below=len(found) > size)


def page_around(ladder: str, period: str, standing: Standing, *, size: int = PAGE_SIZE) -> Page:
    """The page on which somebody stands in sixth place, or higher when there are not so many above."""
    rows, place = _ladder(ladder, period), Cursor.of(standing)
    above = _before(rows, place, ABOVE_ME + 1)
    kept = above[-ABOVE_ME:]
    below = _after(rows, place, size - len(kept))
    shown = [*kept, standing, *below][:size]
    return _page(ladder, period, shown, above=len(above) > len(kept), below=len(kept) + 1 + len(below) > size)


def _page(ladder: str, period: str, shown: list[Standing], *, above: bool, below: bool) -> Page:
    return Page(
        _ranked(ladder, period, shown),
        previous=Cursor.of(shown[0]) if above and shown else None,
        next=Cursor.of(shown[-1]) if below and shown else None,
    )


def position(user: User, ladder: str, period: str) -> Row | None:
    """Somebody's own line, None when he has no XP there."""
    standing = _ladder(ladder, period).filter(user=user).first()
    if standing is None:
        return None
    return Row(ranks(ladder, period, [standing.xp])[standing.xp], standing)


def first_month(ladder: str) -> str | None:
    """The first month in which anybody earned XP on a ladder."""
    months = Standing.objects.filter(ladder=ladder, period__lt=periods.ALL)
    return months.order_by("period").values_list("period", flat=True).first()


class AwardRow(NamedTuple):
    """What a match paid one player: his name, his XP, and a sentence that says why."""

    name: str
    xp: int
    sentence: str


def awards_of(table: Table) -> list[AwardRow]:
    """What a finished competitive match paid, winners first; empty for every other table (see `awards_note`)."""
    if not table.competitive or table.status != Status.FINISHED:
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
    return _("No points: the site decided more than half of the moves.")


def awards_note(table: Table) -> str:
    """Why a table that is over pays nobody; "" when it does pay, or is not over yet."""
    if not table.over:
        return ""
    if not table.competitive:
        return _("Friendly match: it does not count for the leaderboard.")
    if table.status == Status.CANCELLED:
        return _("The match was called off: nobody earns points.")
    return ""


class LadderLine(NamedTuple):
    """One ladder on a profile page."""

    ladder: str
    name: str
    rank: int
    standing: Standing


class Match(NamedTuple):
    """A finished match on a profile page; `xp` is None when it was friendly."""

    table: Table
    title: str
    opponents: list[str]
    place: int | None
    players: int
    xp: int | None


def lines_of(user: User) -> list[LadderLine]:
    """Somebody's all-time XP and rank on each ladder where he has any."""
    mine = {row.ladder: row for row in Standing.objects.filter(user=user, period=periods.ALL)}
    return [
        LadderLine(ladder, ladder_name(ladder), ranks(ladder, periods.ALL, [mine[ladder].xp])[mine[ladder].xp], mine[ladder])
        for ladder in ladders()
        if ladder in mine
    ]


def matches_finished(user: User) -> int:
    """How many matches somebody has played to the end, friendly ones included."""
    return Seat.objects.filter(user=user, table__status=Status.FINISHED).count()


def last_matches(user: User, count: int = 10) -> list[Match]:
    """Somebody's last finished public matches, newest first."""
    seats = Seat.objects.select_related("user").order_by("number")
    last = list(
        Table.objects.filter(seats__user=user, status=Status.FINISHED, visibility=Visibility.PUBLIC)
        .order_by("-ended_at", "-id")
        .prefetch_related(Prefetch("seats", queryset=seats))[:count]
    )
    paid = dict(XPEntry.objects.filter(user=user, table__in=last).values_list("table_id", "delta"))
    return [_match(table, user, paid.get(table.pk)) for table in last]


def _match(table: Table, user: User, xp: int | None) -> Match:
    seats = list(table.seats.all())
    place = next(seat.place for seat in seats if seat.user_id == user.pk)
    opponents = [tables.seat_name(seat) for seat in seats if seat.user_id != user.pk]
    return Match(table, table.title, opponents, place, len(seats), xp)
