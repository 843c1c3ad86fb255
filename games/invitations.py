"""Links into tables that are not public: `/t/CODE/?i=TOKEN` becomes a signed cookie, compared at each request."""

from __future__ import annotations

from collections.abc import Mapping

from django.core import signing

SALT = "games.invitation"


def cookie_name(code: str) -> str:
    """The cookie that carries the token of one table."""
    return f"i_{code}"


def sign(token: str, code: str) -> str:
    """The cookie's value for a token of table `code`."""
    return signing.dumps([code, token], salt=SALT)


def token_of(cookies: Mapping[str, str], code: str) -> str:
    """The token that these cookies carry for table `code`, or "". Whether it is still valid is the table's affair."""
    try:
        signed_code, token = signing.loads(cookies.get(cookie_name(code), ""), salt=SALT)
    except (signing.BadSignature, ValueError):
        return ""
    return str(token) if signed_code == code else ""
