"""What the staff has imposed on a person, and his one appeal against it."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts.models.user import User


class Kind(models.TextChoices):
    """Graded: a warning costs nothing, each following one more."""

    WARNING = "warning", _("warning")
    MUTE = "mute", _("no writing to others")
    NO_TABLES = "no_tables", _("no new tables")
    SUSPENDED = "suspended", _("account suspended")


class Ground(models.TextChoices):
    """Why, in the reader's language."""

    INSULT = "insult", _("Insults, threats or harassment")
    CHEATING = "cheating", _("Cheating, or playing for somebody else")
    ACCOUNTS = "accounts", _("Several accounts of one person")
    LEAVING = "leaving", _("Matches left again and again")
    NAME = "name", _("A pseudonym that is not allowed")
    SPAM = "spam", _("Advertising or unwanted messages")
    OTHER = "other", _("Another breach of the rules of the site")


class Sanction(models.Model):
    """One measure against one person. `words` holds what the staff adds for him, by language ({"fr": "…"}).

    In force from `begins_at` until `ends_at` (None: without end) unless it was lifted. Never deleted.
    """

    user = models.ForeignKey(User, models.PROTECT, related_name="sanctions", verbose_name=_("person"))
    kind = models.CharField(_("measure"), max_length=10, choices=Kind)
    ground = models.CharField(_("ground"), max_length=10, choices=Ground)
    words = models.JSONField(_("words to the person"), default=dict, blank=True)
    by = models.ForeignKey(User, models.PROTECT, related_name="+", verbose_name=_("imposed by"))
    begins_at = models.DateTimeField(_("from"))
    ends_at = models.DateTimeField(_("until"), null=True, blank=True)
    lifted_at = models.DateTimeField(_("lifted"), null=True, blank=True)
    lifted_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("lifted by"))

    class Meta:
        verbose_name = _("sanction")
        verbose_name_plural = _("sanctions")
        constraints = [
            models.CheckConstraint(condition=Q(ends_at__isnull=True) | Q(ends_at__gt=F("begins_at")), name="sanction_ends_later"),
            models.CheckConstraint(condition=~Q(user=F("by")), name="sanction_not_oneself"),
        ]

    def __str__(self) -> str:
        return f"{self.pk} {self.get_kind_display()}"

    @property
    def text(self) -> str:
        """What the staff adds, in the reader's language, else in the first one there is."""
        return str(self.words.get((get_language() or "")[:2]) or next(iter(self.words.values()), ""))


class Appeal(models.Model):
    """The one appeal against a sanction. Answered by somebody else than who imposed it."""

    sanction = models.OneToOneField(Sanction, models.PROTECT, related_name="appeal", verbose_name=_("sanction"))
    text = models.TextField(_("text"))
    at = models.DateTimeField(_("time"))
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)
    answered_by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("answered by"))
    granted = models.BooleanField(_("granted"), null=True, blank=True)
    answer = models.TextField(_("answer"), default="", blank=True)

    class Meta:
        verbose_name = _("appeal")
        verbose_name_plural = _("appeals")
        indexes = [models.Index(fields=["id"], name="appeal_waiting", condition=Q(answered_at__isnull=True))]

    def __str__(self) -> str:
        return f"{self.sanction_id}"
