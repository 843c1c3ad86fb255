"""Somebody at a waiting table has asked a friend to sit there, too."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.table import Table


class Invitation(models.Model):
    """The friend may see the table, by link or not, while it waits for players; rows are deleted when it no longer does.

    A refusal is silent: with `declined_at` the invitation is gone for the friend and stands for those at the table.
    """

    table = models.ForeignKey(Table, models.PROTECT, related_name="invitations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="invitations", verbose_name=_("player"))
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("invited by"))
    at = models.DateTimeField(_("time"))
    declined_at = models.DateTimeField(_("declined"), null=True, blank=True)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        constraints = [models.UniqueConstraint(fields=["table", "user"], name="invitation_once")]

    def __str__(self) -> str:
        return f"{self.table_id}/{self.user_id}"
