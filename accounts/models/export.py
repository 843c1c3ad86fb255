"""Archives of one's own data: the row is the job, and holds the archive until it expires."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models.user import User


class Export(models.Model):
    """One archive asked for. Waiting until `built_at` or `failed_at`; `started_at` and `attempts` tell a dead worker's from a
    busy one's. The content is a zip file, kept in the row so that any web process can hand it out, and cleared at `expires_at`.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="exports")
    asked_at = models.DateTimeField(_("asked for"))
    started_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    built_at = models.DateTimeField(_("built"), null=True, blank=True)
    failed_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    size = models.PositiveIntegerField(default=0)
    content = models.BinaryField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user"], name="export_one_at_a_time", condition=Q(built_at__isnull=True, failed_at__isnull=True)
            )
        ]
        indexes = [
            models.Index(fields=["asked_at"], name="export_waiting", condition=Q(built_at__isnull=True, failed_at__isnull=True)),
            models.Index(fields=["expires_at"], name="export_expires", condition=Q(content__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.asked_at:%Y-%m-%d}"
