"""The leaderboard, the seasons, the statistics and the public profile pages."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth import get_user_model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts import limits, ties
from games import registry
from ranking import boards, periods, profiles, punctuality, selectors
from ranking import seasons as finals
from ranking.boards import Board, Cursor
from ranking.ledger import OVERALL
from ranking.models import Rating, Season, SeasonRow


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which part of which leaderboard an address names; `mine` is the page with the reader's own place."""

    ladder: str = OVERALL
    period: str = periods.ALL
    after: Cursor | None = None
    before: Cursor | None = None
    mine: bool = False
    friends: bool = False

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
            query.get("who") == "friends",
        )

    def board(self, user: Any) -> Board:
        """The board it is a part of: everybody's, or that of the reader and his friends."""
        among = ties.friends_of(user.pk) | {user.pk} if self.friends and user.is_authenticated else None
        return Board(self.ladder, self.period, among)

    def query(self, **changes: Any) -> str:
        """The query string of this leaderboard from its top, with `changes`."""
        who = {"who": "friends"} if self.friends else {}
        return "?" + urlencode({"game": self.ladder, "period": self.period, **who, **changes})


@require_safe
@never_cache
def leaderboard(request: HttpRequest) -> HttpResponse:
    """One page of one ladder in one period; 422 for a query string that means nothing."""
    now = timezone.now()
    try:
        wanted, status = Wanted.read(request.GET, now), 200
    except ValueError:
        wanted, status = Wanted(), 422
    if finals.is_closed(wanted.period, now):
        # The final list of a month that is over is the only one.
        return redirect(f"{reverse('season', args=[wanted.period])}?{urlencode({'game': wanted.ladder})}")
    board = wanted.board(request.user)
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
        "friends": board.among is not None,
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
        "everybody": replace(wanted, friends=False).query(),
        "friends": replace(wanted, friends=True).query(),
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
def seasons(request: HttpRequest) -> HttpResponse:
    """The months that are closed."""
    rows = [(row, periods.label(row.month)) for row in finals.closed()]
    return render(request, "ranking/seasons.html", {"seasons": rows})


@require_safe
def season(request: HttpRequest, month: str) -> HttpResponse:
    """A page of the final list of a month on one ladder, from the place `from` on; 404 for a month that is not closed."""
    shown = get_object_or_404(Season, month=month)
    ladder, first = request.GET.get("game", OVERALL), request.GET.get("from", "1")
    if ladder not in boards.ladders() or not (first.isascii() and first.isdecimal() and 0 < len(first) < 8):
        raise Http404
    place = max(1, int(first))
    found = finals.page(shown, ladder, place)
    mine = None
    if request.user.is_authenticated:
        mine = SeasonRow.objects.filter(season=shown, ladder=ladder, user=request.user).first()
    context = {
        "season": shown,
        "name": periods.label(month),
        "ladder": ladder,
        "ladders": [(key, boards.ladder_name(key)) for key in boards.ladders()],
        "rows": found[: finals.PAGE_SIZE],
        "mine": mine,
        "mine_from": max(1, mine.place - boards.AROUND_ME) if mine else None,
        "higher": max(1, place - finals.PAGE_SIZE) if place > 1 else None,
        "lower": place + finals.PAGE_SIZE if len(found) > finals.PAGE_SIZE else None,
    }
    return render(request, "ranking/season.html", context)


@require_safe
def game_statistics(request: HttpRequest, game: str) -> HttpResponse:
    """What all matches of a game tell: who wins from which seat, how long they take, how hands end."""
    if game not in registry.GAMES:
        raise Http404(game)
    chosen = registry.get(game)
    context = {"game": chosen, "games": registry.all_games(), "page": profiles.game_page(chosen)}
    return render(request, "ranking/game_statistics.html", context)


def _shown(request: HttpRequest, pk: int) -> Any:
    """The registered player whose profile is asked for; 404 for guests and whoever is gone."""
    limits.check("profile", limits.by_address(request))
    if pk > 2**63 - 1:
        raise Http404
    return get_object_or_404(get_user_model(), pk=pk, is_guest=False, is_active=True)


@require_safe
@never_cache
def profile(request: HttpRequest, pk: int) -> HttpResponse:
    """What everybody may know of a registered player: name, points, ranks, cotes, badges, last public matches."""
    shown = _shown(request, pk)
    lines = profiles.game_lines(shown)
    share = punctuality.share(shown.pk)
    context = {
        "shown": shown,
        "lines": lines,
        "finished": lines[0].matches if lines else 0,
        "punctual": None if share is None else round(100 * share),
        "badges": profiles.badges_of(shown),
        "matches": selectors.last_matches(shown),
        "myself": request.user == shown,
    }
    return render(request, "ranking/profile.html", context)


@require_safe
@never_cache
def profile_game(request: HttpRequest, pk: int, game: str) -> HttpResponse:
    """A player's statistics at one game."""
    if game not in registry.GAMES:
        raise Http404(game)
    shown = _shown(request, pk)
    rating = Rating.objects.filter(user=shown, game=game).first()
    context = {
        "shown": shown,
        "game": registry.get(game),
        "games": registry.all_games(),
        "rating": rating,
        "sheet": profiles.game_sheet(shown, game),
    }
    return render(request, "ranking/profile_game.html", context)
