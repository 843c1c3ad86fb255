"""The home page: the one page that shows something of every part of the site."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import registry, selectors
from games.forms import QuickForm
from games.views.lobby import my_turns, table_rows
from ranking import periods
from ranking.boards import Board
from ranking.ledger import OVERALL

SHOWN = 3
LEADERS = 5


@require_safe
@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """What the site is and one click to play, for a newcomer; his turns first, for a player."""
    player = request.player  # type: ignore[attr-defined]
    context = {
        "games": registry.all_games(),
        "turns": my_turns(player),
        "invited": selectors.invitations_for(player),
        "quick": QuickForm(),
        "open": table_rows(selectors.open_tables(player)[:SHOWN], player),
        "running": table_rows(selectors.running_tables(player)[:SHOWN], player),
        "leaders": Board(OVERALL, periods.ALL).top(LEADERS),
    }
    return render(request, "games/home.html", context)
