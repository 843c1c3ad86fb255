"""The outermost layer of every answer: security headers, no caching unless a view says otherwise, a request id."""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Callable
from contextvars import ContextVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

# Sent with pages, fragments, static files and errors alike. HSTS, nosniff and CSP come from Django and django-csp.
SECURITY_HEADERS = {
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": (
        "accelerometer=(), autoplay=(), camera=(), display-capture=(), encrypted-media=(), "
        "geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=(), xr-spatial-tracking=()"
    ),
}

SESSION_KEY = re.compile(r"[a-z0-9]{32}")

_request_id: ContextVar[str] = ContextVar("request_id", default="-")


class RequestIdFilter(logging.Filter):
    """Gives every log line the id of the request it belongs to ("-" outside a request)."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = _request_id.get()
        return True


def _odd_charset(request: HttpRequest) -> bool:
    """Whether the form claims another charset than UTF-8: reading it raises, and so does every error page that reads it."""
    charset = (request.content_params or {}).get("charset", "utf-8")
    return charset.strip("\"'").lower().replace("_", "-") not in {"utf-8", "utf8", "us-ascii"}


def unreadable() -> HttpResponse:
    """The 415 for such a form."""
    return HttpResponse("Forms are read as UTF-8 only.\n", status=415, content_type="text/plain; charset=utf-8")


class FrameMiddleware:
    """First in MIDDLEWARE. The id is shown to the client only when something broke: equal pages stay equal bytes."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        number = secrets.token_hex(8)
        token = _request_id.set(number)
        key = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
        if key is not None and not SESSION_KEY.fullmatch(key):
            # No key of ours: a database may even refuse to look it up.
            del request.COOKIES[settings.SESSION_COOKIE_NAME]
        try:
            response = unreadable() if _odd_charset(request) else self.get_response(request)
        finally:
            _request_id.reset(token)
        for name, value in SECURITY_HEADERS.items():
            response.headers.setdefault(name, value)
        if not request.path_info.startswith(settings.STATIC_URL):
            response.headers.setdefault("Cache-Control", "private, no-store")
        if response.status_code >= 500:
            response.headers["X-Request-ID"] = number
        return response
