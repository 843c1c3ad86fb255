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


class FreshMatch(models.Model):
    """A finished match whose statistics are still to be counted: written by its end, taken away by `ranking.statistics`."""

    table = models.OneToOneField(Table, models.PROTECT, related_name="+", verbose_name=_("table"))

    class Meta:
        verbose_name = _("match to be counted")
        verbose_name_plural = _("matches to be counted")

    def __str__(self) -> str:
        return str(self.table_id)


class Played(models.Model):
    """What one person did in one finished match with somebody else: all that statistics know of him. Never changed.

    `delay` is the sum of the seconds he took for the `turns` that he played himself; `late` the turns that the clock played.
    `counts`: the match paid points.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False, verbose_name=_("player"))
    table = models.ForeignKey(Table, models.PROTECT, related_name="+", db_index=False, verbose_name=_("table"))
    game = models.CharField(_("game"), max_length=32, choices=registry.choices)
    players = models.PositiveSmallIntegerField(_("players"))
    seat = models.PositiveSmallIntegerField(_("seat"))
    place = models.PositiveSmallIntegerField(_("place"))
    counts = models.BooleanField(_("counts"))
    delay = models.PositiveBigIntegerField(_("seconds taken"))
    turns = models.PositiveIntegerField(_("turns"))
    late = models.PositiveIntegerField(_("turns played by the clock"))
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("match of a player")
        verbose_name_plural = _("matches of players")
        constraints = [models.UniqueConstraint(fields=["table", "user"], name="played_once")]
        indexes = [models.Index(fields=["user", "game", "id"], name="played_by_user")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.table_id}: {self.place}"


class GameTally(models.Model):
    """How often something happened in the matches of a game: `kind` is "seat" (key "4/0": four players, first seat), "length"
    (key: turns a player, in tens) or "ending" (key of the game's own). `wins` counts the matches won from a seat."""

    game = models.CharField(_("game"), max_length=32, choices=registry.choices)
    kind = models.CharField(_("kind"), max_length=8)
    key = models.CharField(_("key"), max_length=16)
    count = models.PositiveBigIntegerField(_("count"), default=0)
    wins = models.PositiveBigIntegerField(_("wins"), default=0)

    class Meta:
        verbose_name = _("statistics of a game")
        verbose_name_plural = _("statistics of games")
        constraints = [models.UniqueConstraint(fields=["game", "kind", "key"], name="tally_once")]

    def __str__(self) -> str:
        return f"{self.game} {self.kind} {self.key}: {self.count}"


class Badge(models.Model):
    """A mark that somebody has earned: `badge` is a key of `ranking.badges`, `table` the match it was earned in, if any."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="badges", db_index=False, verbose_name=_("player")
    )
    badge = models.CharField(_("badge"), max_length=32)
    table = models.ForeignKey(Table, models.PROTECT, null=True, related_name="+", db_index=False, verbose_name=_("table"))
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("badge")
        verbose_name_plural = _("badges")
        constraints = [models.UniqueConstraint(fields=["user", "badge"], name="badge_once")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.badge}"


class Season(models.Model):
    """A Paris month that is over and whose leaderboards are final."""

    month = models.CharField(_("month"), max_length=7, unique=True)
    closed_at = models.DateTimeField(_("closed"))

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")

    def __str__(self) -> str:
        return self.month


class SeasonRow(models.Model):
    """One line of a final leaderboard: a copy of the standing when the month was closed. Nothing that happens later moves it.

    `place` runs from 1 without gaps, in the total order of the ladder; people with equal XP share a `rank`.
    """

    season = models.ForeignKey(Season, models.PROTECT, related_name="rows", db_index=False, verbose_name=_("season"))
    ladder = models.CharField(_("ladder"), max_length=32)
    place = models.PositiveIntegerField(_("place"))
    rank = models.PositiveIntegerField(_("rank"))
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("player"))
    xp = models.IntegerField(_("XP"))
    wins = models.PositiveIntegerField(_("wins"))
    played = models.PositiveIntegerField(_("matches"))

    class Meta:
        verbose_name = _("line of a season")
        verbose_name_plural = _("lines of seasons")
        constraints = [
            models.UniqueConstraint(fields=["season", "ladder", "place"], name="season_place_once"),
            models.UniqueConstraint(fields=["season", "ladder", "user"], name="season_user_once"),
        ]

    def __str__(self) -> str:
        return f"{self.season_id}/{self.ladder} {self.place}: {self.user_id}"
