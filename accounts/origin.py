"""Where a request comes from, as a keyed hash: enough to compare two players, useless to find either."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress

from django.conf import settings
from django.http import HttpRequest


def of(request: HttpRequest) -> str:
    """The origin of a request, 32 hex digits, from REMOTE_ADDR (which the front middleware has made the client's own)."""
    return of_address(request.META.get("REMOTE_ADDR", ""))


def at_table(request: HttpRequest) -> str:
    """The origin that a seat keeps; "" (which is nobody's) for a developer's own machine, where everybody has one address."""
    if settings.DEBUG and request.META.get("REMOTE_ADDR") in {"127.0.0.1", "::1"}:
        return ""
    return of(request)


def of_address(address: str) -> str:
    """The origin of an address: of the full IPv4, or of the /64 of an IPv6, since a household's devices share that."""
    return hmac.new(settings.ORIGIN_KEY, network(address).encode(), hashlib.sha256).hexdigest()[:32]


def network(address: str) -> str:
    """What counts as one place: the full IPv4, the /64 of an IPv6; a text that is no address stays as it is."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.IPv6Network((parsed, 64), strict=False))
    return str(parsed)
