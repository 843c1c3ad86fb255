"""Leaving a running match by HTTP: the page that says what it costs, the word about stopping, the vote about a penalty."""

from __future__ import annotations

import re
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import guests
from games import selectors
from games.errors import BadTable, Forbidden, Over
from games.models import Seat, Status, Table
from games.services import abandon as leaving
from games.services import penalties
from games.views.lobby import refusals_shown, seated, see_other


@require_http_methods(["GET", "HEAD", "POST"])
@refusals_shown
@never_cache
def abandon(request: HttpRequest, code: str) -> HttpResponse:
    """What abandoning costs here (GET), and abandoning (POST)."""
    table, player = seated(request, code)
    if request.method == "POST":
        leaving.abandon(code, user=player)
        guests.offer([player.pk], code)
        return see_other(table.get_absolute_url())
    seats = selectors.seats(table)
    me = next((seat for seat in seats if seat.user_id == player.pk), None)
    if me is None:
        raise Forbidden("not_seated", _("You do not sit at this table."))
    if table.status != Status.PLAYING or me.abandoned:
        raise Over("over")
    return render(request, "games/abandon.html", {"table": table, **consequences(table, seats, me)})


def consequences(table: Table, seats: list[Seat], me: Seat) -> dict[str, Any]:
    """What follows if `me` leaves now: `winners`, the names of those who win at once; `partner`, whether the own side goes
    on; `alone`, whether nobody is left and the match is called off."""
    left = [seat for seat in seats if seat.user_id is not None and not seat.abandoned and seat.pk != me.pk]
    sides = table.rules.sides(table.rules.read_options(table.options), len(seats))
    gone = selectors.seats_out(table, seats, also=me.number)
    live = {number % sides for number in range(len(seats)) if number not in gone}
    winners = [selectors.seat_name(seat) for number, seat in enumerate(seats) if number not in gone]
    return {
        "alone": not left,
        "winners": winners if left and len(live) == 1 else [],
        "partner": me.number is not None and me.number % sides in live,
    }


@require_POST
@refusals_shown
def stop(request: HttpRequest, code: str) -> HttpResponse:
    """The word about stopping without a result: `answer` yes (which also proposes it) or no."""
    table, player = seated(request, code)
    answers = {"yes": leaving.agree_to_stop, "no": leaving.refuse_to_stop}
    answer = answers.get(request.POST.get("answer", ""))
    if answer is None:
        raise BadTable("answer")
    answer(code, user=player)
    return see_other(table.get_absolute_url())


@require_POST
@refusals_shown
def vote(request: HttpRequest, code: str) -> HttpResponse:
    """A vote about a player who left: `vote` is his seat and a word, "2/yes"."""
    table, player = seated(request, code)
    found = re.fullmatch(r"(\d{1,2})/(yes|no)", request.POST.get("vote", ""), re.ASCII)
    if found is None:
        raise BadTable("vote")
    penalties.vote(code, user=player, number=int(found[1]), yes=found[2] == "yes")
    return see_other(table.get_absolute_url())
