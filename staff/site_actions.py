"""What the staff may do to the whole site: announce, stop and start the clocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from games.services import clocks
from games.terms import duration
from staff import news
from staff.actions import Action, Change, Impossible
from staff.models import Announcement

HOURS = (1, 3, 6, 12, 24, 72, 168, 720)


class Announce(Action):
    """Put a banner on every page."""

    name, label, permission = "announce", gettext_lazy("Make an announcement"), "staff.announce"

    def fields(self, actor: User, targets: Sequence[None]) -> dict[str, forms.Field]:
        """The text in three languages, its level, from when and for how long."""
        text: dict[str, Any] = {"max_length": 300, "widget": forms.Textarea(attrs={"rows": 2})}
        hours = [(n, duration(n * 3600)) for n in HOURS] + [(0, _("until it is ended"))]
        start = [(0, _("now")), *((n, _("in %(duration)s") % {"duration": duration(n * 3600)}) for n in HOURS[:6])]
        return {
            "fr": forms.CharField(label=_("French text"), **text),
            "es": forms.CharField(label=_("Spanish text"), **text),
            "en": forms.CharField(label=_("English text"), **text),
            "level": forms.ChoiceField(label=_("Level"), choices=Announcement.Level.choices),
            "start": forms.TypedChoiceField(label=_("From"), choices=start, coerce=int, initial=0),
            "hours": forms.TypedChoiceField(label=_("For how long"), choices=hours, coerce=int, initial=24),
        }

    def effect(self, targets: Sequence[None]) -> str:
        """Everybody reads it."""
        return _("Everybody reads it on top of every page, in his language, until he closes it or its time is over.")

    def run(self, actor: User, target: None, data: Mapping[str, Any], reason: str) -> Change:
        """One row."""
        starts = timezone.now() + timedelta(hours=int(data["start"]))
        ends = starts + timedelta(hours=int(data["hours"])) if data["hours"] else None
        texts = {code: data[code] for code in ("fr", "es", "en")}
        row = Announcement.objects.create(**texts, level=data["level"], starts_at=starts, ends_at=ends, by=actor)
        news.forget_on_commit()
        return Change({}, {"announcement": row.pk, "level": row.level, **texts})


class EndAnnouncement(Action):
    """Take a banner away."""

    name, label, permission, model = "end-announcement", gettext_lazy("End the announcement"), "staff.announce", Announcement

    def fits(self, actor: User, target: Announcement) -> bool:
        """One that is not over."""
        return target.ends_at is None or target.ends_at > timezone.now()

    def effect(self, targets: Sequence[Announcement]) -> str:
        """Gone."""
        return _("Nobody sees it any more, ten seconds from now at the latest.")

    def run(self, actor: User, target: Announcement, data: Mapping[str, Any], reason: str) -> Change:
        """Ends now; one that has not begun never does."""
        now = timezone.now()
        row = Announcement.objects.select_for_update().get(pk=target.pk)
        if not self.fits(actor, row):
            raise Impossible(_("This announcement is over."))
        before = row.ends_at.isoformat() if row.ends_at else None
        Announcement.objects.filter(pk=row.pk).update(ends_at=now)
        news.forget_on_commit()
        return Change({"until": before}, {"until": now.isoformat()})


class PauseClocks(Action):
    """Stop all clocks."""

    name, label, permission = "pause-clocks", gettext_lazy("Stop all clocks"), "staff.steer_clocks"
    danger = True

    def effect(self, targets: Sequence[None]) -> str:
        """Nobody loses time."""
        return _(
            "No turn is played by the site because time is up, until you start the clocks again. Whoever is there can play on. "
            "Every page says so. When the clocks start again, all deadlines move by the time they stood still."
        )

    def run(self, actor: User, target: None, data: Mapping[str, Any], reason: str) -> Change:
        """By the service of the clock."""
        if not clocks.pause():
            raise Impossible(_("The clocks stand still already."))
        news.forget_on_commit()
        return Change({"paused": False}, {"paused": True})


class StartClocks(Action):
    """Start them again."""

    name, label, permission = "start-clocks", gettext_lazy("Start the clocks again"), "staff.steer_clocks"

    def effect(self, targets: Sequence[None]) -> str:
        """Deadlines move."""
        return _("All deadlines move by the time the clocks stood still; the players read it in the log of their table.")

    def run(self, actor: User, target: None, data: Mapping[str, Any], reason: str) -> Change:
        """By the service of the clock."""
        length = clocks.unpause()
        if length is None:
            raise Impossible(_("The clocks are going."))
        news.forget_on_commit()
        return Change({"paused": True}, {"paused": False, "seconds": int(length.total_seconds())})


class ReleaseClock(Action):
    """Close the circuit breaker after a halt."""

    name, label, permission = "release-clock", gettext_lazy("Release the halted clock"), "staff.steer_clocks"
    danger = True

    def effect(self, targets: Sequence[None]) -> str:
        """What is due is played."""
        return _(
            "The clock halted itself because it would have played too many turns before their time. Released, it plays each turn "
            "that is due. Make sure first that the cause is gone; matches played wrongly can be taken back."
        )

    def run(self, actor: User, target: None, data: Mapping[str, Any], reason: str) -> Change:
        """By the service of the clock."""
        if not clocks.resume():
            raise Impossible(_("The clock has not halted."))
        return Change({"halted": True}, {"halted": False})
