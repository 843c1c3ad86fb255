"""One table by HTTP: its page, its live part, a move, and its two exports. Each is answered for the reader's own eyes."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import limits
from accounts import origin as origins
from games import clocktime, observe, registry, selectors
from games import live as painting
from games.engine.rules import RuleError
from games.errors import Forbidden, MalformedMove, NotFound, Refused
from games.models import Status, Table
from games.services import chat, clocks, moves, same_address
from games.views import invitations

HIGHEST = 2**31


@require_safe
@never_cache
def table(request: HttpRequest, code: str) -> HttpResponse:
    """The page of a table: waiting, running or over. `?i=TOKEN` remembers an invitation and redirects."""
    try:
        invited = invitations.accept(request, code)
        if invited is not None:
            return invited
        painted = painting.paint(request, code)
        if _registered(request) and painted.table.status == Status.PLAYING:
            clocks.visit(painted.table, painted.glimpse.seats)
            painted = painting.paint(request, code) if _overdue(painted.glimpse) else painted
    except NotFound as refused:
        raise Http404(refused.code) from refused
    _seen(request, painted)
    return _page(request, painted)


@require_safe
@never_cache
def live(request: HttpRequest, code: str) -> HttpResponse:
    """The live part alone; 204 when the page has this version already (`?v=`). `seen=1`: somebody is looking
    at it, `chat=ID`: and at its chat, up to that message."""
    try:
        painted = painting.paint(request, code, known=_number(request.GET.get("v", "")))
    except NotFound as refused:
        raise Http404(refused.code) from refused
    if request.GET.get("seen") == "1":
        _seen(request, painted)
    if painted.me is not None and (read := _number(request.GET.get("chat", ""))):
        chat.read_up_to(painted.table.pk, request.player, read)  # type: ignore[attr-defined]
    return _fragment(painted, 200 if painted.html else 204)


@require_POST
@never_cache
def move(request: HttpRequest, code: str) -> HttpResponse:
    """Play a move. A plain form is answered by a redirect or a page; live.js (X-Requested-With: live) by the live part."""
    by_script = request.headers.get("X-Requested-With") == "live"
    picked = request.POST.get("move", "")
    try:
        picked = picked or _composed(request, code)
        _play(request, code, picked)
    except NotFound as refused:
        raise Http404(refused.code) from refused
    except Refused as refused:
        painted = _painted(request, code, error=str(refused.message), picked=picked)
        return _fragment(painted, refused.status) if by_script else _page(request, painted, status=refused.status)
    if by_script:
        return _fragment(_painted(request, code), 200)
    return HttpResponseRedirect(request.path.removesuffix("move/"), status=303)


@require_safe
@never_cache
def full_log(request: HttpRequest, code: str) -> HttpResponse:
    """Everything that happened at a started table, ply by ply; the table page shows the last part of it only."""
    try:
        glimpse, _me = painting.look(request, code)
    except NotFound as refused:
        raise Http404(refused.code) from refused
    if not glimpse.started:
        raise Http404("not_started")
    rows = painting.sentences(glimpse.table, glimpse.seats, limit=None)
    return _private(render(request, "games/log.html", {"table": glimpse.table, "log": rows}))


@require_safe
@never_cache
def observation(request: HttpRequest, code: str) -> JsonResponse:
    """What the reader may know of a running or finished table, as JSON; `observation` is null before the start."""
    try:
        glimpse, me = painting.look(request, code)
    except NotFound as refused:
        raise Http404(refused.code) from refused
    number = me.number if me else None
    return JsonResponse(
        {
            "version": glimpse.table.version,
            "plies": glimpse.table.plies,
            "seat": number,
            "observation": glimpse.observation(painting.sees_as(glimpse.table, me)),
        }
    )


@require_safe
@never_cache
def record(request: HttpRequest, code: str) -> HttpResponse:
    """The table as a text record to keep or to verify offline."""
    try:
        glimpse, _me = painting.look(request, code)
    except NotFound as refused:
        raise Http404(refused.code) from refused
    text = selectors.record(glimpse.table)
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{code}.txt"'
    return response


@require_safe
@never_cache
def turn_count(request: HttpRequest) -> JsonResponse:
    """At how many tables it is the reader's turn; `?here=CODE` also counts those beside the table he looks at."""
    rows = selectors.my_turns(request.player)  # type: ignore[attr-defined]
    here = request.GET.get("here", "")
    return JsonResponse({"count": len(rows), "elsewhere": sum(row.table.code != here for row in rows)})


def _composed(request: HttpRequest, code: str) -> str:
    """The move that the fields of a form make together, in games whose moves have several parts; "" for none.

    Raises MalformedMove with the game's own sentence for parts that are missing or make no move.
    """
    key = Table.objects.filter(code=code).values_list("game", flat=True).first()
    if key is None or not hasattr(display := registry.get(key).display, "read_move"):
        return ""
    try:
        return str(display.read_move(dict(request.POST.lists())))
    except RuleError as refused:
        raise MalformedMove(refused.code, display.why(refused.code, refused.params)) from refused


def _play(request: HttpRequest, code: str, text: str) -> None:
    """Read the form and hand the move to the service. Raises Refused; TooOften is the middleware's."""
    player = request.player  # type: ignore[attr-defined]
    if player is None:
        painting.look(request, code)
        raise Forbidden("not_seated")
    limits.check("move", f"user:{player.pk}")
    if not text:
        raise MalformedMove("no_move", _("Choose a card first."))
    seen = _number(request.POST.get("seen", ""))
    try:
        click = uuid.UUID(request.POST.get("request", ""))
    except ValueError:
        click = None
    if seen is None or click is None or len(text) > 200:
        raise MalformedMove("malformed")
    moves.play(code, user=player, text=text, seen=seen, request=click)


def _painted(request: HttpRequest, code: str, **said: Any) -> painting.Painted:
    try:
        return painting.paint(request, code, **said)
    except NotFound as refused:
        raise Http404(refused.code) from refused


def _page(request: HttpRequest, painted: painting.Painted, status: int = 200) -> HttpResponse:
    shown = painted.table
    elsewhere = sum(row.table.code != shown.code for row in selectors.my_turns(request.player))  # type: ignore[attr-defined]
    context = {
        "table": shown,
        "game": registry.get(shown.game),
        "open": not painted.glimpse.started,
        "fragment": painted.html,
        "request_id": uuid.uuid4(),
        "server_now": _server_now(),
        "others_waiting": elsewhere,
    }
    return _private(render(request, "games/table.html", context, status=status))


def _fragment(painted: painting.Painted, status: int) -> HttpResponse:
    response = HttpResponse(painted.html if status != 204 else "", status=status)
    response["X-Version"] = str(painted.version)
    response["X-Server-Now"] = _server_now()
    return _private(response)


def _now() -> datetime:
    """This machine's time: for what is shown and for hints. Nothing is decided by it, so it asks no database."""
    return timezone.now() + clocktime.offset()


def _server_now() -> str:
    """What the browser counts the time left from."""
    return _now().isoformat(timespec="milliseconds")


def _private(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "private, no-store"
    return response


def _seen(request: HttpRequest, painted: painting.Painted) -> None:
    if painted.me is not None:
        clocks.mark_seen(painted.table, painted.me)
        same_address.note_presence(painted.table, painted.me, origins.at_table(request))


def _overdue(glimpse: observe.Glimpse) -> bool:
    """Whether somebody's time was up here, so that a visit may have changed the table."""
    now = _now()
    return any(seat.owes_move and seat.deadline is not None and seat.deadline < now for seat in glimpse.seats)


def _registered(request: HttpRequest) -> bool:
    player = request.player  # type: ignore[attr-defined]
    return player is not None and not player.is_guest


def _number(text: str) -> int | None:
    """A count from a form or a query; None for anything else."""
    if not text.isascii() or not text.isdigit() or len(text) > 10:
        return None
    number = int(text)
    return number if number < HIGHEST else None
