"""How long a turn may last: the paces a table can have, and what people read for them."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games import terms

PACES: tuple[int | None, ...] = (120, 300, 3600, 43200, 86400, 172800, 259200, 604800, None)
"""Seconds for each turn, shortest first; None is no limit, for friendly tables only."""

DEFAULT_PACE = 86400


def pace_label(seconds: int | None) -> str:
    """A pace in words, in the reader's language: "5 min", "24 h", "3 days", "no limit"."""
    return _("no time limit") if seconds is None else terms.duration(seconds)


def pace_sentence(seconds: int | None) -> str:
    """A pace as a full sentence for people who are about to sit."""
    if seconds is None:
        return _("There is no time limit.")
    return _("You have %(time)s for each turn.") % {"time": terms.duration(seconds)}


QUICK_PACES: dict[str, tuple[int, ...]] = {"now": (120, 300), "day": (3600, 43200, 86400), "slow": (172800, 259200, 604800)}
"""The three kinds of pace one chooses from for a quick match; a table opened for it has the longest of its kind."""


def quick_pace_choices() -> list[tuple[str, str]]:
    """The kinds of pace in words."""
    return [
        ("", _("any pace")),
        ("now", _("a few minutes a turn")),
        ("day", _("up to a day a turn")),
        ("slow", _("several days a turn")),
    ]
