"""What a person is owed by mail: the row is the job."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from accounts.models.user import User


class Notice(models.Model):
    """One message owed to one person: the row is the job. `table` is the table's code as text, `ply` the turn it is about.

    Sent not before `send_after`; `sent_at` is written by whoever claims the row, before the mail leaves.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=24)
    table = models.CharField(max_length=16, default="", blank=True)
    ply = models.PositiveIntegerField(default=0)
    send_after = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    data = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "kind", "table", "ply"], name="notice_once")]
        indexes = [
            models.Index(fields=["send_after"], name="notice_due", condition=Q(sent_at__isnull=True)),
            models.Index(fields=["kind", "table"], name="notice_of_table", condition=Q(sent_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.table}/{self.ply}"
