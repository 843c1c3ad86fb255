"""A seat: who plays, what he owes and by when."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.table import Table

VOTE_OPEN = timedelta(hours=48)
"""How long after the end of a match the others may vote about a penalty (rules 7.3)."""


class Penalty(models.TextChoices):
    """What the others decide about somebody who abandoned."""

    NONE = "", _("none")
    OPEN = "open", _("open")
    APPLIED = "applied", _("applied")
    DROPPED = "dropped", _("dropped")


class Seat(models.Model):
    """A place at a table. `joined` is the order of sitting; `number` is drawn by lot at the start, then fixed; `side`,
    in games with sides, is the side he chose when he sat (0, 1 …; the lot then orders the sides).

    A seat has a user or a bot. Every seat that owes a move has a `deadline`, bots and tables without a pace
    included: the row is the job. `owes_since` + pace + `extension` (seconds) tells whether a time-out was due.
    `stale_before`: a form painted at an earlier ply than this belongs to another turn or another hand.
    `chat_seen` is the id of the last chat message that its player has seen. `own_moves` and `clock_moves` count decisions
    (forced plies and only moves played at once count for neither).
    `abandoned_at`: its player has left for good (rules 7.6), the site plays the seat to the end; `penalty` is what
    the others decide about that. `agreed_at`: he wants the match stopped without a result (`Table.stop_asked_at`).
    `origin` is the keyed hash of the address he sat down from, `present_origin` of the one he last looked from while the
    table waited, at `present_at` (rules 7.4).
    """

    table = models.ForeignKey(Table, models.PROTECT, related_name="seats")
    joined = models.PositiveSmallIntegerField(_("order of sitting"))
    number = models.PositiveSmallIntegerField(_("seat"), null=True, blank=True)
    side = models.PositiveSmallIntegerField(_("side"), null=True, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="seats", verbose_name=_("player")
    )
    bot = models.CharField(_("bot"), max_length=32, default="", blank=True)
    client_seed = models.CharField(_("client seed"), max_length=200, default="", blank=True)
    origin = models.CharField(_("address hash"), max_length=64, default="", blank=True)
    present_origin = models.CharField(_("address hash while waiting"), max_length=64, default="", blank=True)
    present_at = models.DateTimeField(_("looked while waiting"), null=True, blank=True)
    sat_at = models.DateTimeField(_("sat down"))

    owes_move = models.BooleanField(_("owes a move"), default=False)
    owes_since = models.DateTimeField(_("owes since"), null=True, blank=True)
    deadline = models.DateTimeField(_("deadline"), null=True, blank=True)
    extension = models.PositiveIntegerField(_("added time (seconds)"), default=0)
    strikes = models.PositiveSmallIntegerField(_("time-outs in a row"), default=0)
    automatic_since = models.DateTimeField(_("automatic since"), null=True, blank=True)
    stale_before = models.PositiveIntegerField(_("stale before ply"), default=0)
    seen_at = models.DateTimeField(_("seen"), null=True, blank=True)

    chat_seen = models.BigIntegerField(_("last message seen"), default=0)

    abandoned_at = models.DateTimeField(_("abandoned"), null=True, blank=True)
    penalty = models.CharField(_("penalty"), max_length=8, choices=Penalty, default=Penalty.NONE, blank=True)
    agreed_at = models.DateTimeField(_("agreed to stop"), null=True, blank=True)

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
            models.CheckConstraint(condition=Q(abandoned_at__isnull=True) | Q(user__isnull=False), name="seat_people_abandon"),
            models.CheckConstraint(condition=Q(owes_move=True) | Q(deadline__isnull=True), name="seat_deadline_owes"),
            models.CheckConstraint(
                condition=Q(owes_move=False) | (Q(deadline__isnull=False) & Q(owes_since__isnull=False)),
                name="seat_owes_deadline",
            ),
        ]
        indexes = [
            models.Index(fields=["deadline"], name="seat_due", condition=Q(owes_move=True)),
            models.Index(fields=["user"], name="seat_owes", condition=Q(owes_move=True)),
            models.Index(fields=["user", "-id"], name="seat_of_user"),
            models.Index(fields=["table"], name="seat_penalty", condition=Q(penalty="open")),
        ]

    @property
    def abandoned(self) -> bool:
        """Whether its player has left the running match for good."""
        return self.abandoned_at is not None

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


class AbandonVote(models.Model):
    """What one remaining player says of one abandonment: penalise him or not (rules 7.3). Never changed once given.

    It counts if the voter has not abandoned himself when the match ends.
    """

    seat = models.ForeignKey(Seat, models.PROTECT, related_name="abandon_votes")
    voter = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    yes = models.BooleanField(_("penalise"))
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("vote about an abandonment")
        verbose_name_plural = _("votes about abandonments")
        constraints = [models.UniqueConstraint(fields=["seat", "voter"], name="abandon_vote_once")]

    def __str__(self) -> str:
        return f"{self.seat_id} {self.voter_id} {'yes' if self.yes else 'no'}"
