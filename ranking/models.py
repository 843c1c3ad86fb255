"""The ledger of experience points and the standings that are sums of it; the log of ratings and the ratings it led to."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games import registry
from games.models import Table
from ranking.awards import Reason
from ranking.skill import Skill

REASONS = [
    (Reason.WIN.value, _("match won")),
    (Reason.FINISH.value, _("match finished")),
    (Reason.ABSENT.value, _("played by the site")),
    (Reason.ABANDON.value, _("match abandoned")),
    (Reason.PENALTY.value, _("penalised for abandoning")),
    (Reason.VOID_WIN.value, _("void: match won")),
    (Reason.VOID_FINISH.value, _("void: match finished")),
    (Reason.VOID_PENALTY.value, _("void: penalty")),
]


class XPEntry(models.Model):
    """What one person earned in one match, and why. Rows are inserted, never changed (triggers see to it).

    `at` is the end of the match. An entry of 0 XP is kept: the result page tells its reason.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False, verbose_name=_("player"))
    table = models.ForeignKey(Table, models.PROTECT, related_name="+", db_index=False, verbose_name=_("table"))
    game = models.CharField(_("game"), max_length=32, choices=registry.choices)
    delta = models.IntegerField(_("XP"))
    reason = models.CharField(_("reason"), max_length=16, choices=REASONS)
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("XP entry")
        verbose_name_plural = _("XP entries")
        constraints = [models.UniqueConstraint(fields=["table", "user", "reason"], name="xp_once")]
        indexes = [models.Index(fields=["user", "id"], name="xp_of_user")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.delta:+} ({self.reason})"


class Standing(models.Model):
    """The XP of one person on one ladder in one period: the sum of his entries there.

    `ladder` is a game's key or "all"; `period` is "all", a Paris month ("2026-11") or a Paris week ("W2026-48").
    `reached_at` is when the XP last changed. `played` counts the matches that paid, `wins` those of them that he won. Total
    order of a ladder: XP downwards, then who reached it first, then id; people with equal XP share a rank all the same.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="standings", db_index=False, verbose_name=_("player")
    )
    ladder = models.CharField(_("ladder"), max_length=32)
    period = models.CharField(_("period"), max_length=8)
    xp = models.IntegerField(_("XP"), default=0)
    reached_at = models.DateTimeField(_("reached at"))
    wins = models.PositiveIntegerField(_("wins"), default=0)
    played = models.PositiveIntegerField(_("matches"), default=0)

    class Meta:
        verbose_name = _("standing")
        verbose_name_plural = _("standings")
        constraints = [models.UniqueConstraint(fields=["user", "ladder", "period"], name="standing_once")]
        indexes = [models.Index(fields=["ladder", "period", "-xp", "reached_at", "id"], name="standing_order")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.ladder}/{self.period}: {self.xp}"


class Rung(models.Model):
    """So many people more (or fewer) stand at this number of XP on a ladder in a period; a rung is the sum of its rows.

    Written by the triggers of `ranking.rungs` alone. No constraint keeps the sum above zero: a count that went wrong must
    not hold up the end of a match, and `manage.py standings --check` finds it.
    """

    ladder = models.CharField(_("ladder"), max_length=32)
    period = models.CharField(_("period"), max_length=8)
    xp = models.IntegerField(_("XP"))
    people = models.IntegerField(_("people"))

    class Meta:
        verbose_name = _("rung")
        verbose_name_plural = _("rungs")
        indexes = [models.Index(fields=["ladder", "period", "xp", "people"], name="rung_sum")]

    def __str__(self) -> str:
        return f"{self.ladder}/{self.period} {self.xp}: {self.people:+}"


class Rating(models.Model):
    """How strong one person is at one game: the state after his last entry of the log. See `ranking.skill`."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="ratings", db_index=False, verbose_name=_("player")
    )
    game = models.CharField(_("game"), max_length=32, choices=registry.choices)
    mu = models.FloatField(_("strength"), default=Skill().mu)
    sigma = models.FloatField(_("uncertainty"), default=Skill().sigma)
    matches = models.PositiveIntegerField(_("rated matches"), default=0)

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = [models.UniqueConstraint(fields=["user", "game"], name="rating_once")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.game}: {self.skill.cote} ± {self.skill.margin}"

    @property
    def skill(self) -> Skill:
        """The two numbers together."""
        return Skill(self.mu, self.sigma)


class RatingEntry(models.Model):
    """One person's rating after one match, with what it was computed from. Rows are inserted, never changed.

    `side` is the seat where everybody plays for himself; `gone`: he left, or the clock decided more than half of his moves.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False, verbose_name=_("player"))
    table = models.ForeignKey(Table, models.PROTECT, related_name="+", db_index=False, verbose_name=_("table"))
    game = models.CharField(_("game"), max_length=32, choices=registry.choices)
    side = models.PositiveSmallIntegerField(_("side"))
    rank = models.PositiveSmallIntegerField(_("place"))
    gone = models.BooleanField(_("absent"), default=False)
    mu = models.FloatField(_("strength"))
    sigma = models.FloatField(_("uncertainty"))
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("rating entry")
        verbose_name_plural = _("rating entries")
        constraints = [models.UniqueConstraint(fields=["table", "user"], name="rating_entry_once")]
        indexes = [models.Index(fields=["user", "game", "id"], name="rating_of_user")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.game}: {Skill(self.mu, self.sigma).cote}"
