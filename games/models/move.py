"""The abstract move. Each game has one concrete model with typed columns; rows are inserted, never changed."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.table import Table


class By(models.TextChoices):
    """Who decided a move."""

    PLAYER = "player", _("player")
    CLOCK = "clock", _("the site, for an absent player")
    FORCED = "forced", _("the site, the only move")
    ONLY = "only", _("the site, the player's only move")
    BOT = "bot", _("bot")
    STAFF = "staff", _("staff")


class Move(models.Model):
    """One ply. `notation` is the full text of the move, `events` the public facts; the log shows events only.

    Where a notation hides something (`hides`), it is kept in `sealed` and the column says "?": see `games.observe.notation`.
    `request` is the id that the page made for the click: the same click twice has one answer.
    """

    table = models.ForeignKey(Table, models.PROTECT, related_name="+")
    ply = models.PositiveIntegerField(_("ply"))
    seat = models.PositiveSmallIntegerField(_("seat"))
    by = models.CharField(_("decided by"), max_length=8, choices=By)
    notation = models.CharField(_("notation"), max_length=200)
    sealed = models.TextField(default="", blank=True)
    events = models.JSONField(_("events"))
    request = models.UUIDField(_("request id"), null=True, blank=True)
    state_hash = models.CharField(_("state hash"), max_length=16)
    played_at = models.DateTimeField(_("played"))

    class Meta:
        abstract = True
        constraints = [
            models.UniqueConstraint(fields=["table", "ply"], name="%(class)s_ply_once"),
            models.UniqueConstraint(fields=["table", "request"], name="%(class)s_request_once"),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}/{self.ply}"

    @classmethod
    def hides(cls, text: str) -> bool:
        """Whether this notation tells what the others may not know while the table runs (such as discards)."""
        return False

    @classmethod
    def rewind_columns(cls, last: Move) -> dict[str, Any]:
        """The typed columns of a rewind, which has none of its own: empty texts, and the numbers (hand, round) of the ply
        before it, since a rewind stays inside the hand."""
        return {
            field.attname: "" if isinstance(field, models.CharField) else getattr(last, field.attname)
            for field in cls._meta.local_fields
            if field.model is cls
            and not field.primary_key
            and not field.has_default()
            and not field.null
            and field.name not in {base.name for base in Move._meta.fields}
        }

    @classmethod
    def columns(cls, state: Any, move: Any) -> dict[str, Any]:
        """The typed columns of `move`, made one way from its text and the public part of the state before it."""
        raise NotImplementedError
