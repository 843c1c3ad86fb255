"""Leaderboards: pages of a ladder by key (XP, time, id), never by OFFSET, and ranks that are the same on every page.

Equal XP share a rank (1, 1, 3): it is 1 + the number of people with more, which `ranking.rungs` sums. A board may be of some
people only (`among`: their ids): then the ranks are those among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from games import registry
from ranking import rungs
from ranking.ledger import OVERALL
from ranking.models import Standing

if TYPE_CHECKING:
    from accounts.models import User

PAGE_SIZE = 50
AROUND_ME = 5
"""How many people the page "my position" shows above me, and below."""

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


@dataclass(frozen=True, slots=True)
class Board:
    """A ladder in a period; `among` are the only people on it (None: everybody)."""

    ladder: str
    period: str
    among: frozenset[int] | None = None

    @property
    def rows(self) -> QuerySet[Standing]:
        """Its standings in their total order, with their people."""
        rows = Standing.objects.filter(ladder=self.ladder, period=self.period).select_related("user").order_by(*ORDER)
        return rows if self.among is None else rows.filter(user_id__in=self.among)

    def people(self) -> int:
        """How many people stand on it."""
        return rungs.people(self.ladder, self.period) if self.among is None else self.rows.count()

    def ranks(self, points: Iterable[int]) -> dict[int, int]:
        """The rank of everybody who has exactly so many XP, for each of `points`."""
        if self.among is None:
            return rungs.ranks(self.ladder, self.period, points)
        wanted = set(points)
        better = list(self.rows.filter(xp__gt=min(wanted)).values_list("xp", flat=True)) if wanted else []
        return {xp: 1 + sum(other > xp for other in better) for xp in wanted}

    def top(self, count: int) -> list[Row]:
        """Its first `count` lines."""
        return self._ranked(list(self.rows[:count]))

    def page(self, *, after: Cursor | None = None, before: Cursor | None = None, size: int = PAGE_SIZE) -> Page:
        """A page of it: from the top, below `after`, or above `before`."""
        if before is not None:
            found = _before(self.rows, before, size + 1)
            if len(found) > size:
                return self._page(found[1:], above=True, below=True)
            after = None
        found = list(self.rows[: size + 1]) if after is None else _after(self.rows, after, size + 1)
        return self._page(found[:size], above=after is not None, below=len(found) > size)

    def page_around(self, standing: Standing) -> Page:
        """Somebody with the five people above him and the five below, fewer at the ends."""
        place = Cursor.of(standing)
        above, below = _before(self.rows, place, AROUND_ME + 1), _after(self.rows, place, AROUND_ME + 1)
        shown = [*above[-AROUND_ME:], standing, *below[:AROUND_ME]]
        return self._page(shown, above=len(above) > AROUND_ME, below=len(below) > AROUND_ME)

    def position(self, user: User) -> Row | None:
        """Somebody's own line, None when he has no XP here."""
        standing = self.rows.filter(user=user).first()
        return None if standing is None else self._ranked([standing])[0]

    def _ranked(self, standings: list[Standing]) -> list[Row]:
        rank_of = self.ranks(standing.xp for standing in standings)
        return [Row(rank_of[standing.xp], standing) for standing in standings]

    def _page(self, shown: list[Standing], *, above: bool, below: bool) -> Page:
        return Page(
            self._ranked(shown),
            previous=Cursor.of(shown[0]) if above and shown else None,
            next=Cursor.of(shown[-1]) if below and shown else None,
        )


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


def first_period(ladder: str, kind: str) -> str | None:
    """The first month, or week, in which anybody earned XP on a ladder."""
    rows = Standing.objects.filter(ladder=ladder)
    rows = rows.filter(period__lt="A") if kind == "month" else rows.filter(period__gte="W", period__lt="X")
    return rows.order_by("period").values_list("period", flat=True).first()
