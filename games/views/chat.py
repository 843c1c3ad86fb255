"""The chat of a table by HTTP: its own page, saying something, muting. For those who sit there; 404 for everybody else."""

from __future__ import annotations

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import limits
from games import chat as reading
from games import clocktime, live
from games.errors import BadTable, NotFound, Refused
from games.models import Seat, Table
from games.services import chat
from games.views.lobby import refusals_shown, see_other

HIGHEST = 2**62
FIRST_DAY = 24 * 3600


@require_safe
@refusals_shown
@never_cache
def page(request: HttpRequest, code: str) -> HttpResponse:
    """The whole chat, newest page first (`?before=ID`: older ones). Looking at it counts as having read it."""
    table, me = seat_here(request, code)
    before = number(request.GET.get("before", ""))
    return show(request, table, me, before=before)


def show(
    request: HttpRequest, table: Table, me: Seat, *, before: int | None = None, status: int = 200, **said: str
) -> HttpResponse:
    """The page; `said` may hold `error` and `text`, what was refused and why."""
    player = request.player  # type: ignore[attr-defined]
    seen = reading.read(table, me, player, limit=reading.PAGE, before=before)
    if seen.lines:
        chat.read_up_to(table.pk, player, seen.last)
    talking = not table.over or reading.may_write(table, clocktime.now())
    context = {"table": table, "chat": seen, "talking": talking, "request_id": uuid.uuid4(), "before": before, **said}
    response = render(request, "games/chat_page.html", context, status=status)
    response["Cache-Control"] = "private, no-store"
    return response


def seat_here(request: HttpRequest, code: str) -> tuple[Table, Seat]:
    """The table and the seat of whoever may read its chat. Raises NotFound for all others."""
    player = request.player  # type: ignore[attr-defined]
    me = None if player is None else Seat.objects.select_related("table").filter(table__code=code, user=player).first()
    if me is None or not reading.may_read(me, player):
        raise NotFound("no_table")
    return me.table, me


@require_POST
@never_cache
def say(request: HttpRequest, code: str) -> HttpResponse:
    """Say `text`; live.js gets the live part, a plain form goes back to the page it came from (`back` "chat": the chat's)."""
    try:
        table, me = seat_here(request, code)
        limit_talk(request)
        text = request.POST.get("text", "")
        try:
            chat.say(code, user=request.player, text=text, request=click(request))  # type: ignore[attr-defined]
        except NotFound:
            raise
        except Refused as refused:
            if by_script(request):
                return live_answer(request, code, refused.status, chat_error=str(refused.message))
            return show(request, table, me, status=refused.status, error=str(refused.message), text=text[: 2 * reading.LENGTH])
        return live_answer(request, code) if by_script(request) else back(request, code)
    except NotFound as refused:
        raise Http404(refused.code) from refused


def limit_talk(request: HttpRequest) -> None:
    """Six messages in 30 seconds, and sixty an hour in the first day of an account. Raises TooOften."""
    player = request.player  # type: ignore[attr-defined]
    limits.check("chat", player.pk)
    if (timezone.now() - player.date_joined).total_seconds() < FIRST_DAY:
        limits.check("chat_first_day", player.pk)


def click(request: HttpRequest) -> uuid.UUID:
    """The id that the page made for this click."""
    try:
        return uuid.UUID(request.POST.get("request", ""))
    except ValueError:
        raise BadTable("malformed") from None


@require_POST
@refusals_shown
@never_cache
def mute(request: HttpRequest, code: str) -> HttpResponse:
    """Fold what the person `mute` (an id) writes here, or no longer fold what `unmute` writes."""
    seat_here(request, code)
    on = "mute" in request.POST
    who = number(request.POST.get("mute" if on else "unmute", ""))
    if who is None:
        raise BadTable("nobody")
    chat.mute(code, reader=request.player, muted_id=who, on=on)  # type: ignore[attr-defined]
    return live_answer(request, code) if by_script(request) else back(request, code)


def by_script(request: HttpRequest) -> bool:
    """Whether live.js asks, which paints the live part itself."""
    return request.headers.get("X-Requested-With") == "live"


def live_answer(request: HttpRequest, code: str, status: int = 200, chat_error: str | None = None) -> HttpResponse:
    """The live part of the table as this reader sees it now."""
    painted = live.paint(request, code, chat_error=chat_error)
    headers = {
        "X-Version": str(painted.version),
        "X-Server-Now": clocktime.now().isoformat(timespec="milliseconds"),
        "Cache-Control": "private, no-store",
    }
    return HttpResponse(painted.html, status=status, headers=headers)


def back(request: HttpRequest, code: str) -> HttpResponse:
    """303 to where the form stood."""
    if request.POST.get("back") == "chat":
        return see_other(reverse("table_chat", args=[code]) + "#say")
    return see_other(reverse("table", args=[code]) + "#chat")


def number(text: str) -> int | None:
    """An id from a form or a query; None for anything else."""
    if not text.isascii() or not text.isdecimal() or len(text) > 19:
        return None
    found = int(text)
    return found if found < HIGHEST else None
