"""Time zones: those one can choose, and the one that a browser has told in a cookie before anything was chosen."""

from __future__ import annotations

import functools
import zoneinfo
from urllib.parse import unquote

from django.http import HttpRequest

COOKIE = "zone"  # written by zone.js


@functools.cache
def names() -> tuple[str, ...]:
    """The zones one can choose: those named after a place, and UTC."""
    places = (z for z in zoneinfo.available_timezones() if "/" in z and not z.startswith(("Etc/", "posix/", "right/")))
    return ("UTC", *sorted(places))


def told_by(request: HttpRequest) -> str:
    """The zone of the browser, "" when it has told none or none that is known."""
    zone = unquote(request.COOKIES.get(COOKIE, ""))
    return zone if zone in names() else ""
