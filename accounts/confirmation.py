"""A code beside the link that confirms an address: typed into the page that waits, it works where links open elsewhere."""

from __future__ import annotations

import time

from allauth.core.internal.cryptokit import compare_user_code, generate_user_code
from django.http import HttpRequest

SESSION_KEY = "confirmation"
GOOD_FOR = 3600  # seconds


def begin(request: HttpRequest, key: str) -> str:
    """Make the code that stands for the link with `key` in this browser, and return it. A former one is forgotten."""
    code = generate_user_code()
    request.session[SESSION_KEY] = {"key": key, "code": code, "at": int(time.time())}
    return code


def take(request: HttpRequest, code: str) -> str:
    """The key of the link that a typed code stands for, once; "" when it is wrong, too old or was never sent."""
    kept = request.session.get(SESSION_KEY) or {}
    if not compare_user_code(actual=code, expected=kept.get("code", "")) or time.time() - kept["at"] > GOOD_FOR:
        return ""
    del request.session[SESSION_KEY]
    return str(kept["key"])
