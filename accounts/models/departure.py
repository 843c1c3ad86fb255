"""People who leave: asked for, thought better of, or done."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models.user import User


class Departure(models.Model):
    """One request to delete an account. Open until `kept_at` (he came back) or `done_at` (his personal data are gone).

    `told_at`: the layers above have freed his lobby seats and made his running ones automatic; until then the job is owed.
    The row of a departure that is done stays: it is the list by which a restored backup is erased again.
    """

    user = models.ForeignKey(User, models.PROTECT, related_name="departures")
    asked_at = models.DateTimeField(_("asked for"))
    due_at = models.DateTimeField(_("due"))
    by_staff = models.BooleanField(_("by the staff"), default=False)
    told_at = models.DateTimeField(null=True, blank=True)
    kept_at = models.DateTimeField(_("came back"), null=True, blank=True)
    done_at = models.DateTimeField(_("done"), null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user"], name="departure_one_at_a_time", condition=Q(kept_at__isnull=True, done_at__isnull=True)
            )
        ]
        indexes = [models.Index(fields=["due_at"], name="departure_due", condition=Q(kept_at__isnull=True, done_at__isnull=True))]

    def __str__(self) -> str:
        return f"{self.user_id} {self.due_at:%Y-%m-%d}"
