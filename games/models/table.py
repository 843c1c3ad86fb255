"""A table: one match of one game, with everything that is fixed when it opens."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games import registry

if TYPE_CHECKING:
    from games.engine.rules import Rules

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def new_code() -> str:
    """Ten random Crockford letters: 50 bits, not to be guessed."""
    return "".join(secrets.choice(CROCKFORD) for _ in range(10))


def new_token() -> str:
    """A link token of 128 bits."""
    return secrets.token_urlsafe(16)


class Status(models.TextChoices):
    OPEN = "open", _("waiting for players")
    PLAYING = "playing", _("running")
    FINISHED = "finished", _("finished")
    CANCELLED = "cancelled", _("cancelled")


class Visibility(models.TextChoices):
    PUBLIC = "public", _("public")
    LINK = "link", _("by link only")


class Table(models.Model):
    """One match. Options, seats wanted, pace and kind never change once it is open: the commitment covers them.

    `version` grows with every visible change; `plies` counts the moves. `server_seed` stays empty until the table
    is over. `end` tells how it ended: "" while it runs, "played", or why it was cancelled
    ("absent", "idle", "never_started", "empty", "alone").
    """

    code = models.CharField(max_length=10, unique=True, default=new_code, editable=False)
    game = models.CharField(max_length=32, choices=registry.choices)
    rules_version = models.PositiveSmallIntegerField()
    options = models.JSONField()
    seats_wanted = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.PUBLIC)
    competitive = models.BooleanField(default=False)
    pace = models.PositiveIntegerField(null=True, blank=True, help_text=_("seconds a turn; empty: no limit"))
    token = models.CharField(max_length=32, default=new_token)
    opener = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    plies = models.PositiveIntegerField(default=0)
    version = models.PositiveIntegerField(default=1)
    commitment = models.CharField(max_length=64, default="")
    server_seed = models.CharField(max_length=64, default="", blank=True)
    end = models.CharField(max_length=16, default="", blank=True)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["status", "game", "-id"], name="table_status_game"),
            models.Index(fields=["created_at"], name="table_open_age", condition=models.Q(status="open")),
        ]

    def __str__(self) -> str:
        return self.code

    def get_absolute_url(self) -> str:
        return f"/t/{self.code}/"

    @property
    def rules(self) -> Rules[Any, Any, Any]:
        """The rules this table was opened with, for ever."""
        return registry.get(self.game).rules(self.rules_version)

    @property
    def title(self) -> str:
        """The variant's name in the reader's language."""
        return str(registry.get(self.game).title(self.options))

    @property
    def over(self) -> bool:
        return self.status in (Status.FINISHED, Status.CANCELLED)


class TableEvent(models.Model):
    """A public fact of a table that is no move: started, automatic, resumed, extended, cancelled … (insert-only).

    `ply` is the number of plies made when it happened, so the log can place it; `version` the version of the table
    that shows it first. `event` has the shape of a rules event: a list whose first item names its kind.
    """

    table = models.ForeignKey(Table, models.PROTECT, related_name="events")
    ply = models.PositiveIntegerField()
    version = models.PositiveIntegerField()
    event = models.JSONField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.table_id}/{self.ply} {self.event}"
