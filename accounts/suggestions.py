"""A pseudonym for somebody who comes with a name of another site: valid, free, and like no other player's."""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Iterable
from itertools import chain

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import names
from accounts.models import RetiredName, User

COUNTED = 9  # "Marie 2" to "Marie 9"; after that numbers by lot, so that the 200th Marie needs no 200 tries
BY_LOT = 24


def fitting(wishes: Iterable[str]) -> str:
    """The first of the wishes that makes a valid pseudonym, in its stored form, free or not; "" when none does.

    An address is never made a name: it would tell everybody what it is.
    """
    for wish in wishes:
        name = _fitted(wish)
        if name:
            return name
    return ""


def free_like(wish: str) -> str:
    """A free pseudonym: `wish` itself, or with a number behind it; a card with a number when there is no wish."""
    base = wish[: names.MAX_LENGTH - 6].rstrip(names.SEPARATORS)
    for _round in range(5):
        lot = (f"{base or _('Ace')} {secrets.randbelow(90_000) + 10}" for _try in range(BY_LOT))
        counted = (f"{base} {number}" for number in range(2, COUNTED + 1)) if base else ()
        candidates = [name for name in chain((wish,), counted, lot) if _valid(name)]
        taken = _taken({names.key(name) for name in candidates})
        for name in candidates:
            if names.key(name) not in taken:
                return name
    raise RuntimeError(f"no free name like {wish!r} in five rounds")


def _taken(keys: set[str]) -> set[str]:
    retired = RetiredName.objects.filter(name_key__in=keys, free_at__gt=timezone.now())
    return {
        *User.objects.filter(name_key__in=keys).values_list("name_key", flat=True),
        *retired.values_list("name_key", flat=True),
    }


def _fitted(wish: str) -> str:
    if "@" in wish:
        return ""
    plain = unicodedata.normalize("NFKC", wish)
    kept = "".join(char if _allowed(char) else " " for char in plain)
    name = names.clean(" ".join(kept.split()))[: names.MAX_LENGTH].strip(names.SEPARATORS)
    return name if _valid(name) else ""


def _allowed(char: str) -> bool:
    return char in names.SEPARATORS or char in names.ASCII_DIGITS or bool(unicodedata.combining(char) or names.script(char))


def _valid(name: str) -> bool:
    try:
        names.validate(name)
    except ValidationError:
        return False
    return True
