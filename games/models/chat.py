"""What people say to each other at a table, and whom a reader does not want to read there."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.chat_text import LENGTH
from games.models.table import Table


class ChatMessage(models.Model):
    """One message, for those who sit at the table and nobody else. Inserted once; the staff may hide it later.

    `request` is the id that the page made for the click: the same click twice is one message. `insulting`: a word in it is
    masked for readers who have not switched that off.
    """

    table = models.ForeignKey(Table, models.PROTECT, related_name="messages")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("player"))
    text = models.CharField(_("text"), max_length=LENGTH, blank=True)
    request = models.UUIDField(_("request id"))
    insulting = models.BooleanField(_("insulting"), default=False)
    at = models.DateTimeField(_("time"))
    hidden_at = models.DateTimeField(_("hidden since"), null=True, blank=True)

    class Meta:
        verbose_name = _("chat message")
        verbose_name_plural = _("chat messages")
        constraints = [models.UniqueConstraint(fields=["table", "user", "request"], name="chat_request_once")]
        indexes = [
            models.Index(fields=["table", "-id"], name="chat_of_table"),
            models.Index(fields=["-id"], name="chat_insulting", condition=models.Q(insulting=True)),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}/{self.pk}"


class ChatMute(models.Model):
    """A reader folds what one person writes at one table."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="+")
    reader = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    muted = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")

    class Meta:
        verbose_name = _("muted player")
        verbose_name_plural = _("muted players")
        constraints = [models.UniqueConstraint(fields=["table", "reader", "muted"], name="chat_mute_once")]

    def __str__(self) -> str:
        return f"{self.table_id}/{self.reader_id} {self.muted_id}"
