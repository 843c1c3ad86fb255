"""The ways to a table: lobby, new table, play against bots, my tables, and what one does at a table beside playing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import guests, limits
from accounts import origin as origins
from games import clocktime, esteem, live, registry, selectors
from games.errors import BadTable, Forbidden, NotFound, Refused
from games.forms import LobbyFilter, NewTableForm, QuickForm
from games.models import Status, Table
from games.services import clocks, quick, tables
from games.views import invitations

View = Callable[..., HttpResponse]

WATCHED = 6
"""Running tables that the lobby offers to watch."""
FINISHED_SHOWN = 20


def see_other(address: str) -> HttpResponse:
    """A 303 to a path of our own: what every successful POST answers."""
    return HttpResponseRedirect(address, status=303)


def refusals_shown(view: View) -> View:
    """Turn a `Refused` into an answer that says why, with the refusal's own status: a page, or for live.js the live part."""

    @wraps(view)
    def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Refused as refused:
            if refused.status == 404:
                raise Http404(refused.code) from refused
            code = kwargs.get("code", "")
            if code and request.headers.get("X-Requested-With") == "live":
                return refused_live(request, code, refused)
            context = {"message": refused.message, "code": code}
            return render(request, "games/refused.html", context, status=refused.status)

    return shown


def refused_live(request: HttpRequest, code: str, refused: Refused) -> HttpResponse:
    """The live part of the table as it is now, with the sentence of the refusal."""
    try:
        painted = live.paint(request, code, error=str(refused.message))
    except NotFound as gone:
        raise Http404(gone.code) from gone
    headers = {
        "X-Version": str(painted.version),
        "X-Server-Now": clocktime.now().isoformat(timespec="milliseconds"),
        "Cache-Control": "private, no-store",
    }
    return HttpResponse(painted.html, status=refused.status, headers=headers)


def player_for(request: HttpRequest) -> Any:
    """Who asks, made a guest when it is nobody yet. Only for POSTs; raises TooOften for an address that makes many."""
    return request.player or guests.create(request)  # type: ignore[attr-defined]


def is_registered(request: HttpRequest) -> bool:
    """Whether the asker has an account: guests and strangers may not sit at competitive tables."""
    player = request.player  # type: ignore[attr-defined]
    return player is not None and not player.is_guest


def ask_to_sign_up(request: HttpRequest, back: str) -> HttpResponse:
    """403: this is for registered people; with the ways to sign up or log in and come back to `back`."""
    query = urlencode({"next": back})
    links = {"signup": f"{reverse('account_signup')}?{query}", "login": f"{reverse('account_login')}?{query}"}
    return render(request, "games/sign_up_first.html", links, status=403)


@require_safe
@never_cache
def lobby(request: HttpRequest) -> HttpResponse:
    """The tables that wait for players, filtered by the query string, and the running ones to watch."""
    player = request.player  # type: ignore[attr-defined]
    filters = LobbyFilter(request.GET)
    wanted = filters.wanted()
    context = {
        "account_offered": guests.is_offered(player, guests.LOBBY),
        "filters": filters,
        "quick": QuickForm(),
        "filtered": bool(wanted),
        "rows": table_rows(selectors.open_tables(player, **wanted), player),
        "running": table_rows(selectors.running_tables(player, wanted.get("game", ""))[:WATCHED], player),
        "games": registry.all_games(),
    }
    return render(request, "games/lobby.html", context)


def table_rows(shown: list[Table], player: Any) -> list[dict[str, Any]]:
    """What a list of tables shows of each: its seats (with their cotes while it waits), how many are free, the reader's own
    seat (None: he has none)."""
    rows = []
    seated = [(table, list(table.seats.all())) for table in shown]
    waiting = ((table.game, seats) for table, seats in seated if table.status == Status.OPEN)
    cotes = esteem.source.cotes({(seat.user_id, game) for game, seats in waiting for seat in seats if seat.user_id})
    for table, seats in seated:
        mine = next((seat for seat in seats if player is not None and seat.user_id == player.pk), None)
        free = table.seats_wanted - len(seats) if table.status == Status.OPEN else 0
        who = [{"seat": seat, "cote": cotes.get((seat.user_id or 0, table.game))} for seat in seats]
        rows.append({"table": table, "seats": seats, "who": who, "free": free, "mine": mine})
    return rows


@require_http_methods(["GET", "HEAD", "POST"])
@refusals_shown
@never_cache
def new_table(request: HttpRequest) -> HttpResponse:
    """The form for a new table (GET, filled from the query string), and its opening (POST).

    With `preset` it is shown again, by either method, with the options of that preset in place of those sent.
    """
    sent = request.POST if request.method == "POST" else request.GET
    game = game_of(sent.get("game", registry.GAMES[0]))
    if request.method != "POST" or "preset" in sent:
        options = preset_of(game, sent["preset"])["options"] if "preset" in sent else {}
        return render_new(request, NewTableForm(game, initial={**sent.dict(), **options}))
    form = NewTableForm(game, request.POST)
    if not form.is_valid():
        return render_new(request, form, status=422)
    if form.cleaned_data["competitive"] and not is_registered(request):
        return ask_to_sign_up(request, reverse("new_table"))
    player = player_for(request)
    limits.check("table", player.pk)
    try:
        table = tables.open_table(user=player, game=game.key, origin=origins.at_table(request), **form.arguments())
    except Refused as refused:
        form.add_error(None, refused.message)
        return render_new(request, form, status=refused.status)
    return see_other(table.get_absolute_url())


def render_new(request: HttpRequest, form: NewTableForm, status: int = 200) -> HttpResponse:
    """The page of the new-table form."""
    context = {"form": form, "game": form.game, "games": registry.all_games(), "registered": is_registered(request)}
    return render(request, "games/new.html", context, status=status)


def preset_of(game: registry.Game, key: str) -> Mapping[str, Any]:
    """The game's preset of that key. Raises BadTable for any other."""
    try:
        return game.presets[key]
    except KeyError:
        raise BadTable("no_preset", _("This game has no such set of options.")) from None


def game_of(key: str) -> registry.Game:
    """The registered game of that key; 404 for any other."""
    try:
        return registry.get(key)
    except KeyError:
        raise Http404(key) from None


@require_POST
@refusals_shown
def play_bots(request: HttpRequest) -> HttpResponse:
    """One click: a friendly table of the game and options asked for, bots in every other seat, and off to it."""
    game = game_of(request.POST.get("game", ""))
    form = NewTableForm.against_bots(game, request.POST)
    if not form.is_valid():
        return render_new(request, form, status=422)
    player = player_for(request)
    limits.check("bots", player.pk)
    table = tables.open_table(user=player, game=game.key, origin=origins.at_table(request), **form.arguments())
    tables.fill_with_bots(table.code, by=player)
    return see_other(table.get_absolute_url())


@require_POST
@refusals_shown
def play_quick(request: HttpRequest) -> HttpResponse:
    """One click: at the open table that fits best, or at one of his own where the next will sit."""
    form = QuickForm(request.POST)
    if not form.is_valid():
        raise BadTable("quick", _("There is no such game or pace."))
    player = player_for(request)
    limits.check("sit", player.pk)
    table = quick.play_quick(user=player, origin=origins.at_table(request), **form.cleaned_data)
    return see_other(table.get_absolute_url())


@require_safe
@never_cache
def my_tables(request: HttpRequest) -> HttpResponse:
    """My tables: those that wait for me by deadline, the running ones, the waiting ones, the last finished ones."""
    player = request.player  # type: ignore[attr-defined]
    turns = my_turns(player)
    rows = table_rows(selectors.my_tables(player), player) if player else []
    my_turn = {turn.table.code for turn in turns}
    context = {
        "turns": turns,
        "invited": selectors.invitations_for(player),
        "running": [row for row in rows if row["table"].status == Status.PLAYING and row["table"].code not in my_turn],
        "waiting": [row for row in rows if row["table"].status == Status.OPEN],
        "over": [row for row in rows if row["table"].over][:FINISHED_SHOWN],
    }
    return render(request, "games/my_tables.html", context)


def my_turns(player: Any) -> list[selectors.TurnRow]:
    """The tables that wait for the player, most urgent first, with everybody who sits there."""
    turns = selectors.my_turns(player)
    prefetch_related_objects([turn.table for turn in turns], "seats__user")
    return turns


@require_safe
@never_cache
def next_table(request: HttpRequest) -> HttpResponse:
    """On to the next table where it is my turn, after `?after=CODE`; to my tables when there is none."""
    player = request.player  # type: ignore[attr-defined]
    code = selectors.next_table(player, after_code=request.GET.get("after", "")) if player else None
    return see_other(reverse("table", args=[code]) if code else reverse("my_tables"))


@require_safe
def rules(request: HttpRequest, game: str) -> HttpResponse:
    """The rules of one game in our own words."""
    chosen = game_of(game)
    return render(request, f"{chosen.key}/rules.html", {"game": chosen})


@require_safe
def all_rules(request: HttpRequest) -> HttpResponse:
    """The games of the house, each with the way to its rules."""
    return render(request, "games/all_rules.html", {"games": registry.all_games()})


@require_safe
def help_auto(request: HttpRequest) -> HttpResponse:
    """What happens when somebody's time runs out."""
    return render(request, "games/help_auto.html")


@require_safe
def help_points(request: HttpRequest) -> HttpResponse:
    """How points are earned and what becomes of the tokens."""
    return render(request, "games/help_points.html")


@require_POST
@refusals_shown
def sit(request: HttpRequest, code: str) -> HttpResponse:
    """Sit at a waiting table, as a guest if need be; the last one to sit starts it."""
    token = invitations.token_of(request, code)
    table = selectors.get_table(code, request.player, token=token)  # type: ignore[attr-defined]
    if table.competitive and not is_registered(request):
        return ask_to_sign_up(request, table.get_absolute_url())
    player = player_for(request)
    limits.check("sit", player.pk)
    seed = request.POST.get("client_seed", "")
    tables.sit(code, user=player, token=token, client_seed=seed, origin=origins.at_table(request), side=wanted_side(request))
    return see_other(table.get_absolute_url())


def wanted_side(request: HttpRequest) -> int | None:
    """The side of the button that was pressed, None for any. Raises BadTable for what is no number."""
    side = request.POST.get("side", "")
    if side and not (side.isascii() and side.isdigit() and len(side) < 3):
        raise BadTable("side", _("There is no such side."))
    return int(side) if side else None


def seated(request: HttpRequest, code: str) -> tuple[Table, Any]:
    """The table and the player who wants to do something at it; 404 when he may not know it, 403 when he is nobody."""
    player = request.player  # type: ignore[attr-defined]
    table = selectors.get_table(code, player, token=invitations.token_of(request, code))
    if player is None:
        raise Forbidden("not_seated", _("You do not sit at this table."))
    return table, player


@require_POST
@refusals_shown
def leave(request: HttpRequest, code: str) -> HttpResponse:
    """Leave before the start; back to the lobby."""
    _table, player = seated(request, code)
    tables.leave(code, user=player)
    guests.offer([player.pk], guests.LOBBY)
    return see_other(reverse("lobby"))


@require_POST
@refusals_shown
def remove(request: HttpRequest, code: str) -> HttpResponse:
    """The opener removes the seat `seat` (its id) before the start."""
    table, player = seated(request, code)
    seat_id = request.POST.get("seat", "")
    if not (seat_id.isascii() and seat_id.isdigit() and len(seat_id) < 19):
        raise BadTable("no_such_seat")
    tables.remove(code, by=player, seat_id=int(seat_id))
    return see_other(table.get_absolute_url())


@require_POST
@refusals_shown
def bots(request: HttpRequest, code: str) -> HttpResponse:
    """The opener of a friendly table fills the free seats with bots, which starts it."""
    table, player = seated(request, code)
    tables.fill_with_bots(code, by=player)
    return see_other(table.get_absolute_url())


@require_POST
@refusals_shown
def revoke(request: HttpRequest, code: str) -> HttpResponse:
    """The opener makes the old link void; the page shows the new one."""
    table, player = seated(request, code)
    tables.revoke_link(code, by=player)
    return see_other(table.get_absolute_url())


@require_POST
@refusals_shown
def take_back(request: HttpRequest, code: str) -> HttpResponse:
    """A player whose seat went automatic plays himself again."""
    table, player = seated(request, code)
    clocks.take_back(code, user=player)
    return see_other(table.get_absolute_url())


@require_POST
@refusals_shown
def end_alone(request: HttpRequest, code: str) -> HttpResponse:
    """A person alone with bots ends his running table."""
    table, player = seated(request, code)
    tables.end_alone(code, user=player)
    return see_other(table.get_absolute_url())


@require_safe
def capitals(request: HttpRequest, code: str, rest: str) -> HttpResponse:
    """A table's address with small letters in its code: on to the one with capitals (301)."""
    if code == code.upper():
        raise Http404(code)
    query = request.META["QUERY_STRING"]
    return HttpResponsePermanentRedirect(f"/t/{code.upper()}/{rest}" + (f"?{query}" if query else ""))
