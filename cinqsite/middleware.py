"""The outermost layer of every answer: security headers, no caching unless a view says otherwise, a request id."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from contextvars import ContextVar

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

# Sent with pages, fragments, static files and errors alike. HSTS, nosniff and CSP come from Django and django-csp.
SECURITY_HEADERS = {
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": (
        "accelerometer=(), ambient-light-sensor=(), autoplay=(), camera=(), display-capture=(), encrypted-media=(), "
        "geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=(), xr-spatial-tracking=()"
    ),
}

_request_id: ContextVar[str] = ContextVar("request_id", default="-")


class RequestIdFilter(logging.Filter):
    """Gives every log line the id of the request it belongs to ("-" outside a request)."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = _request_id.get()
        return True


class FrameMiddleware:
    """First in MIDDLEWARE. The id is shown to the client only when something broke: equal pages stay equal bytes."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        number = secrets.token_hex(8)
        token = _request_id.set(number)
        try:
            response = self.get_response(request)
        finally:
            _request_id.reset(token)
        for name, value in SECURITY_HEADERS.items():
            response.headers.setdefault(name, value)
        if not request.path_info.startswith(settings.STATIC_URL):
            response.headers.setdefault("Cache-Control", "private, no-store")
        if response.status_code >= 500:
            response.headers["X-Request-ID"] = number
        return response
