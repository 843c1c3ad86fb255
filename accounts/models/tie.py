"""What two people are to each other: friends, asked to be, or blocked. Guests have neither."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from accounts.models.user import User


class Friendship(models.Model):
    """One person asked another to be friends. Friends once `accepted_at` is set; for a pair of friends there is one row.

    A refusal is silent: with `declined_at` the request stands as before for whoever asked and is gone for whoever was asked.
    `withdrawn`: the asker took back a refused request; the row stays, so that asking again soon does not undo the refusal.
    """

    asker = models.ForeignKey(User, models.CASCADE, related_name="+", verbose_name=_("asked by"))
    asked = models.ForeignKey(User, models.CASCADE, related_name="+", verbose_name=_("asked"))
    asked_at = models.DateTimeField(_("asked on"))
    accepted_at = models.DateTimeField(_("accepted"), null=True, blank=True)
    declined_at = models.DateTimeField(_("declined"), null=True, blank=True)
    withdrawn = models.BooleanField(_("withdrawn"), default=False)

    class Meta:
        verbose_name = _("friendship")
        verbose_name_plural = _("friendships")
        constraints = [
            models.UniqueConstraint(fields=["asker", "asked"], name="friendship_once"),
            models.CheckConstraint(condition=~Q(asker=F("asked")), name="friendship_of_two"),
            models.CheckConstraint(
                condition=Q(accepted_at__isnull=True) | Q(declined_at__isnull=True, withdrawn=False), name="friendship_one_answer"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.asker_id} → {self.asked_id}"


class Block(models.Model):
    """One person wants nothing to do with another: it holds in both directions, and the other is never told."""

    blocker = models.ForeignKey(User, models.CASCADE, related_name="+", verbose_name=_("blocked by"))
    blocked = models.ForeignKey(User, models.CASCADE, related_name="+", verbose_name=_("blocked"))
    at = models.DateTimeField(_("blocked on"))

    class Meta:
        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        constraints = [
            models.UniqueConstraint(fields=["blocker", "blocked"], name="block_once"),
            models.CheckConstraint(condition=~Q(blocker=F("blocked")), name="block_of_two"),
        ]

    def __str__(self) -> str:
        return f"{self.blocker_id} ⊘ {self.blocked_id}"
