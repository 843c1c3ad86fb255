"""Browsers from which somebody has logged in before: strangers who try his password cannot lock him out there.

A signed cookie holds a random id and the keyed hashes of the accounts used in this browser, the newest five.
"""

from __future__ import annotations

import secrets
import unicodedata
from typing import Any

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

COOKIE = "device"
MAX_AGE = 365 * 24 * 3600
REMEMBERED = 5
_signer = Signer(salt="accounts.device")


def account_key(email: str) -> str:
    """The key of an account for limits: case, spaces, width and a +tag of the address make no difference."""
    local, _, domain = unicodedata.normalize("NFKC", email).strip().casefold().partition("@")
    return salted_hmac("accounts.login", f"{local.partition('+')[0]}@{domain}", algorithm="sha256").hexdigest()[:32]


def limit_key(request: HttpRequest, email: str) -> str:
    """The key under which wrong passwords count: the account's; in a browser that knows the account, one of its own."""
    account, device = account_key(email), _read(request)
    return f"{account}:{device['id']}" if account in device["accounts"] else account


def remember(request: HttpRequest, response: HttpResponse, email: str) -> None:
    """Note in the browser that this account has logged in here."""
    device = _read(request)
    account = account_key(email)
    accounts = [account, *(a for a in device["accounts"] if a != account)][:REMEMBERED]
    response.set_cookie(
        COOKIE,
        _signer.sign_object({"id": device["id"], "accounts": accounts}),
        max_age=MAX_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _read(request: HttpRequest) -> dict[str, Any]:
    try:
        return dict(_signer.unsign_object(request.COOKIES[COOKIE]))
    except (KeyError, BadSignature, ValueError):
        return {"id": secrets.token_hex(8), "accounts": []}
