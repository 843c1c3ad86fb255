"""What the staff keeps: its log, what waits for a second person, reports by suspect, announcements."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

USER = settings.AUTH_USER_MODEL


class StaffLog(models.Model):
    """One thing that somebody of the staff did to one target, and why (insert-only; no route changes or deletes a row).

    `permission` is what a reader needs to see the row. `before` and `after` hold no secret: no address, card or seed.
    `request` is the id of the form: the same click twice does a thing once.
    """

    actor = models.ForeignKey(USER, models.PROTECT, related_name="+", verbose_name=_("who"), db_index=False)
    action = models.CharField(_("action"), max_length=32)
    permission = models.CharField(_("needed permission"), max_length=64)
    target_type = models.CharField(_("kind of target"), max_length=32, default="", blank=True)
    target_id = models.BigIntegerField(_("number of the target"), default=0)
    target_name = models.CharField(_("target"), max_length=64, default="", blank=True)
    reason = models.CharField(_("reason"), max_length=500)
    before = models.JSONField(_("before"), default=dict, blank=True)
    after = models.JSONField(_("after"), default=dict, blank=True)
    request = models.UUIDField(_("request id"))
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("staff log entry")
        verbose_name_plural = _("staff log")
        default_permissions = ("view",)
        permissions = [
            ("handle_reports", "Can handle reports"),
            ("moderate_chat", "Can hide chat messages"),
            ("sanction", "Can impose and lift sanctions"),
            ("answer_appeals", "Can answer appeals"),
            ("rename_people", "Can give people another pseudonym"),
            ("close_accounts", "Can delete accounts"),
            ("extend_deadlines", "Can extend deadlines"),
            ("hand_seats", "Can hand seats to the site"),
            ("cancel_tables", "Can cancel tables"),
            ("rewind_tables", "Can rewind running tables"),
            ("steer_clocks", "Can pause and resume the clocks"),
            ("announce", "Can make announcements"),
            ("void_tables", "Can void finished matches"),
            ("grant_tokens", "Can grant tokens"),
            ("set_roles", "Can set roles"),
            ("see_emails", "Can see and search e-mail addresses"),
            ("export_lists", "Can export lists"),
            ("see_everything_logged", "Can see the log of every role"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["request", "target_type", "target_id", "action"], name="staff_log_once"),
            models.CheckConstraint(condition=~Q(reason=""), name="staff_log_reason"),
        ]
        indexes = [
            models.Index(fields=["target_type", "target_id", "-id"], name="staff_log_target"),
            models.Index(fields=["actor", "-id"], name="staff_log_actor"),
            models.Index(fields=["permission", "-id"], name="staff_log_permission"),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action} {self.target_name}"


class Pending(models.Model):
    """An action that waits for a second person: asked for by one, confirmed or refused by another, within seven days."""

    action = models.CharField(_("action"), max_length=32)
    permission = models.CharField(_("needed permission"), max_length=64)
    target_id = models.BigIntegerField(_("number of the target"))
    target_name = models.CharField(_("target"), max_length=64)
    data = models.JSONField(_("details"), default=dict)
    sentence = models.CharField(_("effect"), max_length=500)
    reason = models.CharField(_("reason"), max_length=500)
    asked_by = models.ForeignKey(USER, models.PROTECT, related_name="+", verbose_name=_("asked by"))
    asked_at = models.DateTimeField(_("asked"))
    decided_by = models.ForeignKey(USER, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("decided by"))
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    accepted = models.BooleanField(_("confirmed"), null=True, blank=True)

    class Meta:
        verbose_name = _("confirmation by a second person")
        verbose_name_plural = _("confirmations by a second person")
        default_permissions = ("view",)
        constraints = [models.CheckConstraint(condition=~Q(decided_by=F("asked_by")), name="pending_by_another")]
        indexes = [models.Index(fields=["id"], name="pending_open", condition=Q(decided_at__isnull=True))]

    def __str__(self) -> str:
        return f"{self.action} {self.target_name}"


class Case(models.Model):
    """What was reported of one person: every report until it is closed. One person of the staff takes it."""

    class Outcome(models.TextChoices):
        NONE = "none", _("nothing found against the rules")
        WARNED = "warned", _("the person was warned")
        SANCTIONED = "sanctioned", _("a measure was taken")
        MENDED = "mended", _("put right without a measure")

    suspect = models.ForeignKey(USER, models.PROTECT, related_name="+", verbose_name=_("person reported"))
    opened_at = models.DateTimeField(_("opened"))
    claimed_by = models.ForeignKey(USER, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("taken by"))
    claimed_at = models.DateTimeField(_("taken"), null=True, blank=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    outcome = models.CharField(_("outcome"), max_length=12, choices=Outcome, default="", blank=True)

    class Meta:
        verbose_name = _("case")
        verbose_name_plural = _("cases")
        default_permissions = ("view",)
        constraints = [
            models.UniqueConstraint(fields=["suspect"], condition=Q(closed_at__isnull=True), name="case_one_open"),
            models.CheckConstraint(condition=Q(claimed_by__isnull=True) | ~Q(claimed_by=F("suspect")), name="case_not_own"),
        ]
        indexes = [models.Index(fields=["id"], name="case_open", condition=Q(closed_at__isnull=True))]

    def __str__(self) -> str:
        return f"n° {self.pk}"


class Report(models.Model):
    """One report: of a turn at a table (`ply`), of a message, or of a person (0: none). `context` keeps what everybody could
    see then."""

    class Kind(models.TextChoices):
        INSULT = "insult", _("insults or threats")
        CHEATING = "cheating", _("cheating, or help from outside")
        SLOW = "slow", _("slow play on purpose")
        SPAM = "spam", _("advertising or unwanted messages")
        NAME = "name", _("a pseudonym or picture that is not allowed")
        OTHER = "other", _("something else")

    case = models.ForeignKey(Case, models.PROTECT, related_name="reports", verbose_name=_("case"))
    reporter = models.ForeignKey(USER, models.PROTECT, related_name="reports_made", verbose_name=_("reported by"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    text = models.CharField(_("text"), max_length=1000, default="", blank=True)
    table = models.CharField(_("table"), max_length=10, default="", blank=True)
    ply = models.PositiveIntegerField(_("ply"), default=0)
    message = models.BigIntegerField(_("message"), default=0)
    context = models.JSONField(_("context"), default=dict, blank=True)
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        default_permissions = ("view",)
        constraints = [
            models.UniqueConstraint(fields=["case", "reporter", "kind", "table", "ply", "message"], name="report_once"),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"


class Announcement(models.Model):
    """A banner on every page from `starts_at` to `ends_at` (None: until it is ended), in three languages."""

    class Level(models.TextChoices):
        INFO = "info", _("information")
        WARNING = "warning", _("warning")

    fr = models.CharField(_("French text"), max_length=300)
    es = models.CharField(_("Spanish text"), max_length=300)
    en = models.CharField(_("English text"), max_length=300)
    level = models.CharField(_("level"), max_length=8, choices=Level, default=Level.INFO)
    starts_at = models.DateTimeField(_("from"))
    ends_at = models.DateTimeField(_("until"), null=True, blank=True)
    by = models.ForeignKey(USER, models.PROTECT, related_name="+", verbose_name=_("made by"))

    class Meta:
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")
        default_permissions = ("view",)

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """The text in the reader's language."""
        return str(getattr(self, (get_language() or "fr")[:2], "") or self.fr)


class FailedTask(models.Model):
    """A background task that ended in an error. The kind of error only: its text may hold what nobody should read here."""

    task = models.CharField(_("task"), max_length=100)
    error = models.CharField(_("error"), max_length=100)
    at = models.DateTimeField(_("time"), db_index=True)

    class Meta:
        verbose_name = _("failed task")
        verbose_name_plural = _("failed tasks")
        default_permissions = ("view",)

    def __str__(self) -> str:
        return f"{self.task}: {self.error}"
