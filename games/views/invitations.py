"""The link of a table that only invited people may see: read it once, remember it in a signed cookie.

The cookie proves nothing by itself: every request compares its token with the table's present one, so a revoked
link is dead at once. It outlives sign-up, because it is not tied to the session.
"""

from __future__ import annotations

import re
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from games import invitations, selectors

LIFETIME = 60 * 24 * 3600
"""Seconds that a browser keeps an invitation."""


def token_of(request: HttpRequest, code: str) -> str:
    """The link token this browser has for table `code`; "" without one."""
    return invitations.token_of(request.COOKIES, code)


def carry(request: HttpRequest, path: str) -> str:
    """A table's path with the token this browser has for it, so that another browser finds the way in, too."""
    table = re.fullmatch(r"/t/(\w+)/", path)
    token = token_of(request, table[1]) if table else ""
    return f"{path}?{urlencode({'i': token})}" if token else path


def accept(request: HttpRequest, code: str) -> HttpResponse | None:
    """Answer `?i=TOKEN`: remember a valid token and redirect (303) to the bare address; None when there is no token.

    Raises NotFound for a wrong or revoked token of a hidden table, exactly as for a table that does not exist.
    """
    token = request.GET.get("i")
    if token is None:
        return None
    player = request.player  # type: ignore[attr-defined]
    table = selectors.get_table(code, player, token=token)
    response = HttpResponseRedirect(table.get_absolute_url(), status=303)
    if token == table.token and selectors.seat_of(table, player) is None:
        response.set_cookie(
            invitations.COOKIE,
            invitations.with_link(request.COOKIES, code, token),
            max_age=LIFETIME,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    response["Cache-Control"] = "private, no-store"
    return response
