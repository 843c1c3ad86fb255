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


class Uncounted(models.TextChoices):
    """Why a competitive match pays neither points nor tokens."""

    NO = "", _("it counts")
    SAME_ADDRESS = "same_address", _("two players share an address")
    VOID = "void", _("declared void by the staff")


class Table(models.Model):
    """One match. Options, seats wanted, pace and kind never change once it is open: the commitment covers them.

    `version` grows with every visible change; `plies` counts the moves. `server_seed` stays empty until the table
    is over. `end` tells how it ended: "" while it runs, "played", "abandoned" (one side was left), or why it was cancelled
    ("absent", "idle", "never_started", "empty", "alone", "left", "agreed").
    `counts`: whether it pays points and tokens, fixed at the start; `uncounted` says why a competitive one does not.
    `stop_asked_at`: somebody has proposed to stop without a result (`services.abandon`).
    """

    code = models.CharField(_("code"), max_length=10, unique=True, default=new_code, editable=False)
    game = models.CharField(_("game"), max_length=32, choices=registry.choices)
    rules_version = models.PositiveSmallIntegerField(_("rules version"))
    options = models.JSONField(_("options"))
    seats_wanted = models.PositiveSmallIntegerField(_("players"))
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.OPEN)
    visibility = models.CharField(_("visibility"), max_length=8, choices=Visibility, default=Visibility.PUBLIC)
    competitive = models.BooleanField(_("competitive"), default=False)
    stake = models.PositiveIntegerField(_("stake"), default=0)
    counts = models.BooleanField(_("counts"), default=False)
    uncounted = models.CharField(_("why it does not count"), max_length=16, choices=Uncounted, default=Uncounted.NO, blank=True)
    stop_asked_at = models.DateTimeField(_("asked to stop"), null=True, blank=True)
    pace = models.PositiveIntegerField(
        _("time for each turn"), null=True, blank=True, help_text=_("seconds a turn; empty: no limit")
    )
    token = models.CharField(_("link token"), max_length=32, default=new_token)
    opener = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+", verbose_name=_("opened by"))
    plies = models.PositiveIntegerField(_("plies"), default=0)
    version = models.PositiveIntegerField(_("version"), default=1)
    commitment = models.CharField(_("commitment"), max_length=64, default="")
    server_seed = models.CharField(_("server seed"), max_length=64, default="", blank=True)
    end = models.CharField(_("how it ended"), max_length=16, default="", blank=True)
    created_at = models.DateTimeField(_("opened"))
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        permissions = [("see_hidden", "Can see hidden cards of running tables")]
        constraints = [
            models.CheckConstraint(condition=models.Q(stake=0) | models.Q(competitive=True), name="table_stake_competitive"),
            models.CheckConstraint(condition=models.Q(counts=False) | models.Q(competitive=True), name="table_counts_if_rated"),
        ]
        indexes = [
            models.Index(fields=["status", "-id"], name="table_status"),
            models.Index(fields=["status", "game", "-id"], name="table_status_game"),
            models.Index(fields=["stop_asked_at"], name="table_stop_asked", condition=models.Q(stop_asked_at__isnull=False)),
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
        verbose_name = _("table event")
        verbose_name_plural = _("table events")
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.table_id}/{self.ply} {self.event}"
