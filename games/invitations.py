"""Links into tables that are not public: `/t/CODE/?i=TOKEN` is remembered in one signed cookie, compared at each request."""

from __future__ import annotations

from collections.abc import Mapping

from django.core import signing

COOKIE = "invitations"
SALT = "games.invitation"
MOST = 20
"""Links that a browser keeps: the newest ones. Whoever sits needs none."""


def remembered(cookies: Mapping[str, str]) -> dict[str, str]:
    """Table code -> link token, newest first, as these cookies have them; empty for a cookie that is not ours."""
    try:
        pairs = signing.loads(cookies.get(COOKIE, ""), salt=SALT)
        return {str(code): str(token) for code, token in pairs}
    except (signing.BadSignature, ValueError, TypeError):
        return {}


def with_link(cookies: Mapping[str, str], code: str, token: str) -> str:
    """The cookie's value once the token of table `code` is the newest in it."""
    pairs = {code: token} | {old: kept for old, kept in remembered(cookies).items() if old != code}
    return signing.dumps(list(pairs.items())[:MOST], salt=SALT, compress=True)


def token_of(cookies: Mapping[str, str], code: str) -> str:
    """The token that these cookies carry for table `code`, or "". Whether it is still valid is the table's affair."""
    return remembered(cookies).get(code, "")
