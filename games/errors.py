"""Refusals of services and selectors: each has a stable code, a sentence for its reader and an HTTP status."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from games import registry
from games.engine.rules import RuleError


class Refused(Exception):
    """What was asked cannot be done; nothing has changed. `message` is in the reader's language when it is shown."""

    status = 409
    default: Any = _("This cannot be done.")

    def __init__(self, code: str, message: Any = None) -> None:
        super().__init__(code)
        self.code = code
        self.message = message if message is not None else self.default

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


class NotFound(Refused):
    """There is no such table, or none that this reader may know of."""

    status = 404
    default = _("There is no such table.")


class Forbidden(Refused):
    """The reader may see the table but not do this."""

    status = 403


class Closed(Refused):
    """The table does not take this any more: full, started, over."""


class Stale(Refused):
    """The form was painted in another turn or another hand."""

    default = _("The table has changed since this page was shown. Look again before you play.")


class Over(Refused):
    """The match is not running."""

    default = _("This match is not running.")


class NotYourTurn(Refused):
    """The seat owes no move."""

    default = _("It is not your turn.")


class IllegalMove(Refused):
    """The rules of `game` refuse the move; the sentence is the game's own."""

    def __init__(self, error: RuleError, game: str) -> None:
        self.params = error.params
        super().__init__(error.code, registry.get(game).display.why(error.code, error.params))


class MalformedMove(Refused):
    """No move at all, or a request id used for another move."""

    status = 422
    default = _("This is no move.")


class BadTable(Refused):
    """Options, seats, pace or kind that do not fit together."""

    status = 422

    @classmethod
    def of(cls, error: RuleError, game: str) -> BadTable:
        """The refusal for the BadOptions of a game's rules, in the game's own words."""
        return cls(error.code, registry.get(game).display.why(error.code, error.params))
