"""State of the clock: its heartbeat, its circuit breaker. One row, and one row for each unforeseen time-out."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class ClockState(models.Model):
    """The single row (pk 1). No row: the site is new, nothing is extended.

    `beat_at`: the site was last known to be up (a sweep, or a member's visit while no sweep came). `swept_at`: last
    sweep. `halted_at`: the circuit breaker is open, since then and for `reason`. `paused_at`: the staff has stopped all
    clocks for maintenance, since then.
    """

    beat_at = models.DateTimeField(_("heartbeat"))
    swept_at = models.DateTimeField(_("last sweep"), null=True, blank=True)
    halted_at = models.DateTimeField(_("halted since"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=200, default="", blank=True)
    paused_at = models.DateTimeField(_("paused since"), null=True, blank=True)

    class Meta:
        verbose_name = _("clock")
        verbose_name_plural = _("clocks")

    def __str__(self) -> str:
        return f"halted: {self.reason}" if self.halted_at else "going"


class UnforeseenTimeout(models.Model):
    """A turn the clock played although it was not due by `owes_since`, pace and extensions: food of the breaker."""

    table = models.CharField(max_length=10)
    at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("unforeseen time-out")
        verbose_name_plural = _("unforeseen time-outs")

    def __str__(self) -> str:
        return f"{self.table} {self.at}"
