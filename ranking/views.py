"""The leaderboard and the public profile pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth import get_user_model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts import limits
from ranking import boards, periods, selectors
from ranking.boards import Board, Cursor
from ranking.ledger import OVERALL


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which part of which leaderboard an address names; `mine` is the page with the reader's own place."""

    ladder: str = OVERALL
    period: str = periods.ALL
    after: Cursor | None = None
    before: Cursor | None = None
    mine: bool = False

    @classmethod
    def read(cls, query: Any, now: Any) -> Wanted:
        """Read a query string; ValueError for a ladder, period or cursor that cannot be."""
        ladder = query.get("game", OVERALL)
        if ladder not in boards.ladders():
            raise ValueError(ladder)
        after, before = query.get("after"), query.get("before")
        return cls(
            ladder,
            periods.parse(query.get("period", periods.ALL), now),
            Cursor.parse(after) if after else None,
            Cursor.parse(before) if before else None,
            "me" in query,
        )

    @property
    def board(self) -> Board:
        """The board it is a part of."""
        return Board(self.ladder, self.period)

    def query(self, **changes: Any) -> str:
        """The query string of this leaderboard from its top, with `changes`."""
        return "?" + urlencode({"game": self.ladder, "period": self.period, **changes})


@require_safe
@never_cache
def leaderboard(request: HttpRequest) -> HttpResponse:
    """One page of one ladder in one period; 422 for a query string that means nothing."""
    now = timezone.now()
    try:
        wanted, status = Wanted.read(request.GET, now), 200
    except ValueError:
        wanted, status = Wanted(), 422
    board = wanted.board
    me = board.position(request.user) if request.user.is_authenticated else None
    if me and wanted.mine:
        page = board.page_around(me.standing)
    else:
        page = board.page(after=wanted.after, before=wanted.before)
    context = {
        "malformed": status == 422,
        "page": page,
        "me": me,
        "people": board.people() if me else None,
        "ladder": wanted.ladder,
        "ladders": [(key, boards.ladder_name(key), wanted.query(game=key)) for key in boards.ladders()],
        "kind": periods.kind(wanted.period),
        "period_name": periods.label(wanted.period),
        "links": links(wanted, page, now),
    }
    return render(request, "ranking/leaderboard.html", context, status=status)


def links(wanted: Wanted, page: boards.Page, now: Any) -> dict[str, str]:
    """The query strings of the places one can go to from here; a place that is not there has none."""
    found = {
        "all": wanted.query(period=periods.ALL),
        "month": wanted.query(period=periods.month_of(now)),
        "week": wanted.query(period=periods.week_of(now)),
        "top": wanted.query(),
        "mine": wanted.query(me=1) + "#me",
    }
    kind = periods.kind(wanted.period)
    if kind != periods.ALL:
        first = boards.first_period(wanted.ladder, kind)
        if first and first < wanted.period:
            found["earlier"] = wanted.query(period=periods.shift(wanted.period, -1))
        if wanted.period < (periods.month_of(now) if kind == "month" else periods.week_of(now)):
            found["later"] = wanted.query(period=periods.shift(wanted.period, 1))
    if page.previous:
        found["previous"] = wanted.query(before=page.previous)
    if page.next:
        found["next"] = wanted.query(after=page.next)
    return found


@require_safe
@never_cache
def profile(request: HttpRequest, pk: int) -> HttpResponse:
    """What everybody may know of a registered player: name, points, ranks, last public matches. 404 for guests."""
    limits.check("profile", limits.by_address(request))
    if pk > 2**63 - 1:
        raise Http404
    shown = get_object_or_404(get_user_model(), pk=pk, is_guest=False, is_active=True)
    context = {
        "shown": shown,
        "finished": selectors.matches_finished(shown),
        "lines": selectors.lines_of(shown),
        "matches": selectors.last_matches(shown),
        "myself": request.user == shown,
    }
    return render(request, "ranking/profile.html", context)
