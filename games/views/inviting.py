"""Inviting friends to a waiting table, and refusing such an invitation."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts import limits
from games.errors import BadTable, NotFound
from games.services import inviting
from games.views.chat import number
from games.views.lobby import refusals_shown, seated, see_other


@require_POST
@refusals_shown
@never_cache
def invite(request: HttpRequest, code: str) -> HttpResponse:
    """Ask the friend `friend` (an id) to this table."""
    table, player = seated(request, code)
    friend = number(request.POST.get("friend", ""))
    if friend is None:
        raise BadTable("nobody")
    limits.check("invite", player.pk)
    inviting.invite(code, by=player, friend_id=friend)
    return see_other(table.get_absolute_url())


@require_POST
@refusals_shown
@never_cache
def decline(request: HttpRequest, code: str) -> HttpResponse:
    """Refuse the invitation to this table, silently; the answer is the same where there is none."""
    player = request.player  # type: ignore[attr-defined]
    if player is None:
        raise NotFound("no_table")
    inviting.decline(code, user=player)
    return see_other(reverse("my_tables"))
