"""Closing an announcement: remembered by the browser, not by the account."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from staff import news

KEPT = 365 * 24 * 3600


@require_POST
def close(request: HttpRequest, pk: int) -> HttpResponse:
    """Show this announcement no more in this browser, and go back to the page."""
    closed = [number for number in news.closed_by(request) if number != pk]
    following = request.POST.get("next", "")
    safe = following.startswith("/") and url_has_allowed_host_and_scheme(following, allowed_hosts=None)
    response = HttpResponseRedirect(following if safe else "/", status=303)
    if pk < 10**12:
        text = ".".join(str(number) for number in [*closed, pk][-news.MOST :])
        response.set_cookie(news.COOKIE, text, max_age=KEPT, secure=settings.HTTPS, httponly=True, samesite="Lax")
    return response
