"""A seat: who plays, what he owes and by when."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.table import Table


class Seat(models.Model):
    """A place at a table. `joined` is the order of sitting; `number` is drawn by lot at the start, then fixed; `side`,
    in games with sides, is the side he chose when he sat (0, 1 …; the lot then orders the sides).

    A seat has a user or a bot. Every seat that owes a move has a `deadline`, bots and tables without a pace
    included: the row is the job. `owes_since` + pace + `extension` (seconds) tells whether a time-out was due.
    `stale_before`: a form painted at an earlier ply than this belongs to another turn or another hand.
    `own_moves` and `clock_moves` count decisions (forced plies count for neither).
    """

    table = models.ForeignKey(Table, models.PROTECT, related_name="seats")
    joined = models.PositiveSmallIntegerField(_("order of sitting"))
    number = models.PositiveSmallIntegerField(_("seat"), null=True, blank=True)
    side = models.PositiveSmallIntegerField(_("side"), null=True, blank=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="seats")
    bot = models.CharField(_("bot"), max_length=32, default="", blank=True)
    client_seed = models.CharField(_("client seed"), max_length=200, default="", blank=True)
    origin = models.CharField(_("address hash"), max_length=64, default="", blank=True)
    sat_at = models.DateTimeField(_("sat down"))

    owes_move = models.BooleanField(_("owes a move"), default=False)
    owes_since = models.DateTimeField(_("owes since"), null=True, blank=True)
    deadline = models.DateTimeField(_("deadline"), null=True, blank=True)
    extension = models.PositiveIntegerField(_("added time (seconds)"), default=0)
    strikes = models.PositiveSmallIntegerField(_("time-outs in a row"), default=0)
    automatic_since = models.DateTimeField(_("automatic since"), null=True, blank=True)
    stale_before = models.PositiveIntegerField(_("stale before ply"), default=0)
    seen_at = models.DateTimeField(_("seen"), null=True, blank=True)

    own_moves = models.PositiveIntegerField(_("own decisions"), default=0)
    clock_moves = models.PositiveIntegerField(_("clock's decisions"), default=0)
    place = models.PositiveSmallIntegerField(_("place"), null=True, blank=True)
    score = models.IntegerField(_("score"), null=True, blank=True)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["table", "number", "joined"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="seat_number_once"),
            models.UniqueConstraint(fields=["table", "joined"], name="seat_joined_once"),
            models.UniqueConstraint(fields=["table", "user"], name="seat_user_once"),
            models.CheckConstraint(condition=Q(user__isnull=False) ^ ~Q(bot=""), name="seat_user_or_bot"),
            models.CheckConstraint(condition=Q(owes_move=True) | Q(deadline__isnull=True), name="seat_deadline_owes"),
            models.CheckConstraint(
                condition=Q(owes_move=False) | (Q(deadline__isnull=False) & Q(owes_since__isnull=False)),
                name="seat_owes_deadline",
            ),
        ]
        indexes = [
            models.Index(fields=["deadline"], name="seat_due", condition=Q(owes_move=True)),
            models.Index(fields=["user"], name="seat_owes", condition=Q(owes_move=True)),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}/{self.number if self.number is not None else f'+{self.joined}'}"

    @property
    def automatic(self) -> bool:
        """Whether the site plays this person's turns at once."""
        return self.automatic_since is not None


class Removal(models.Model):
    """A player whom the opener removed before the start: he cannot sit at that table again."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="removals")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")

    class Meta:
        verbose_name = _("removed player")
        verbose_name_plural = _("removed players")
        constraints = [models.UniqueConstraint(fields=["table", "user"], name="removal_once")]

    def __str__(self) -> str:
        return f"{self.table_id}/{self.user_id}"
