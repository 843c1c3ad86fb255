"""Browsers inside other apps (Messenger, Instagram, Line …): invitations are opened there, and Google signs nobody in there."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest

MARKS = re.compile(
    r"FBAN/|FBAV/|FB_IAB/|Instagram|\bLine/|MicroMessenger/|Snapchat|BytedanceWebview|musical_ly|TikTok|Twitter for |LinkedInApp"
    r"|Pinterest/|KAKAOTALK|Telegram-|WhatsApp/|; wv\)"
)

Carrier = Callable[[HttpRequest, str], str]
_carriers: list[Carrier] = []


def carry(carrier: Carrier) -> None:
    """Have a layer above complete the path that another browser is to open: what this one keeps in a cookie goes along."""
    _carriers.append(carrier)


def is_inside(request: HttpRequest) -> bool:
    """Whether the page is shown inside another app."""
    return bool(MARKS.search(request.headers.get("user-agent", "")))


def outside(request: HttpRequest, following: str) -> str:
    """The address to open in a browser of its own: where the person was on the way to, or else this page."""
    path = following or request.path
    for carrier in _carriers:
        path = carrier(request, path)
    return settings.SITE_URL + path


def intent(address: str) -> str:
    """The same address as an Android link that leaves the app."""
    parts = urlsplit(address)
    return f"intent://{parts.netloc}{parts.path}{'?' if parts.query else ''}{parts.query}#Intent;scheme={parts.scheme};end"
