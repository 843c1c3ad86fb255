"""What the panel's home shows first: what needs attention, and how the site is doing. Few, cheap queries; nothing is counted
over a whole table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.core.cache import cache
from django.db.models import Count, Model, QuerySet
from django.db.models.functions import TruncDate
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.models import Appeal, User
from accounts.staff_lists import key_before
from games import clocktime
from games.models import ClockState, Seat, Table
from staff.models import Announcement, Case, FailedTask, Pending

STALE = timedelta(seconds=60)
"""Without a sweep for longer, or with a turn overdue for longer, the clock needs attention."""
DAYS = 30
KEPT_FOR = 300
"""Seconds for which the daily figures are kept in the cache."""
MOST = 100
"""More than so many of a thing are shown as "100+"."""


@dataclass(frozen=True, slots=True)
class Point:
    """One line of the home: what, how it stands, whether it needs somebody, and where to go."""

    label: str
    value: Any
    alarm: bool = False
    url: str = ""


def points(user: Any) -> list[Point]:
    """What needs attention, as far as this reader may deal with it."""
    found: list[Point] = []
    if user.has_perm("games.view_clockstate"):
        found += _clock(user)
    if user.has_perm("staff.handle_reports"):
        free = Case.objects.filter(closed_at__isnull=True, claimed_by__isnull=True).exclude(suspect=user)
        found.append(_many(_("Reports that nobody has taken"), free, reverse("admin:staff_case_changelist") + "?state=free"))
        own = Case.objects.filter(closed_at__isnull=True, claimed_by=user)
        found.append(_many(_("Cases that are yours"), own, reverse("admin:staff_case_changelist") + "?state=mine"))
    if user.has_perm("staff.answer_appeals"):
        waiting = Appeal.objects.filter(answered_at__isnull=True).exclude(sanction__by=user).exclude(sanction__user=user)
        found.append(_many(_("Appeals that you can answer"), waiting, reverse("admin:accounts_appeal_changelist")))
    if user.has_perm("staff.view_pending"):
        asked = Pending.objects.filter(decided_at__isnull=True).exclude(asked_by=user)
        found.append(_many(_("Confirmations that wait for you"), asked, reverse("admin:staff_pending_changelist")))
    if user.has_perm("staff.view_failedtask"):
        failed = FailedTask.objects.filter(at__gt=clocktime.now() - timedelta(days=1))
        found.append(_many(_("Tasks that failed within a day"), failed, reverse("admin:staff_failedtask_changelist")))
    return found


def _many(label: str, rows: QuerySet[Any], url: str) -> Point:
    number = len(rows.order_by("-pk").values_list("pk", flat=True)[: MOST + 1])
    return Point(label, f"{MOST}+" if number > MOST else number, number > 0, url)


def _clock(user: Any) -> list[Point]:
    now = clocktime.now()
    state = ClockState.objects.filter(pk=1).first()
    swept = state.swept_at if state else None
    url = reverse("admin:games_clockstate_changelist")
    found = [Point(_("Last sweep of the clock"), _age(swept, now), swept is None or now - swept > STALE, url)]
    overdue = Seat.objects.filter(owes_move=True, deadline__lt=now).select_related("table").order_by("deadline").first()
    if overdue is None:
        found.append(Point(_("Oldest overdue turn"), pgettext("turn", "none")))
    else:
        text = f"{overdue.table.code}, {_age(overdue.deadline, now)}"
        late = overdue.deadline is not None and now - overdue.deadline > STALE
        found.append(Point(_("Oldest overdue turn"), text, late, reverse("admin:games_table_change", args=[overdue.table_id])))
    if state is not None and state.halted_at is not None:
        act = reverse("staff_act", args=["release-clock"]) if user.has_perm("staff.steer_clocks") else ""
        found.insert(0, Point(_("The clock has halted itself"), state.reason, True, act))
    if state is not None and state.paused_at is not None:
        act = reverse("staff_act", args=["start-clocks"]) if user.has_perm("staff.steer_clocks") else ""
        found.insert(0, Point(_("The clocks stand still for maintenance"), _age(state.paused_at, now), True, act))
    return found


def _age(moment: datetime | None, now: datetime) -> str:
    if moment is None:
        return _("never")
    seconds = max(0, int((now - moment).total_seconds()))
    if seconds < 120:
        return _("%(number)s s ago") % {"number": seconds}
    if seconds < 7200:
        return _("%(number)s min ago") % {"number": seconds // 60}
    return _("%(number)s h ago") % {"number": seconds // 3600}


def deeds(user: Any) -> list[tuple[str, Any]]:
    """Ways to the actions on the whole site that this reader may do: (address, label)."""
    from staff import registry

    paused = ClockState.objects.filter(pk=1, paused_at__isnull=False).exists()
    hidden = {"release-clock", "export", "pause-clocks" if paused else "start-clocks"}
    return [
        (reverse("staff_act", args=[action.name]), action.label)
        for action in registry.ACTIONS.values()
        if action.model is None and action.name not in hidden and action.may(user)
    ]


@dataclass(frozen=True, slots=True)
class Spark:
    """A line of daily figures: `line` are the points of an SVG polyline in a box of 120 by 32."""

    label: str
    today: int
    total: int
    line: str
    most: int


def sparks() -> list[Spark]:
    """Sign-ups and matches started, a day, over the last thirty days in Paris."""
    figures: dict[str, list[int]] | None = cache.get("staff.sparks")
    if figures is None:
        people = User.objects.filter(is_guest=False)
        figures = {
            "people": _daily(people, User, "date_joined", "date_joined"),
            "matches": _daily(Table.objects.filter(started_at__isnull=False), Table, "created_at", "started_at"),
        }
        cache.set("staff.sparks", figures, KEPT_FOR)
    return [_spark(_("Sign-ups a day"), figures["people"]), _spark(_("Matches a day"), figures["matches"])]


def _daily(rows: QuerySet[Any], model: type[Model], grows: str, field: str) -> list[int]:
    """How many rows a day, oldest first; only the rows of the last days are read (`grows` grows with the key)."""
    today = timezone.localdate()
    start = timezone.make_aware(datetime.combine(today - timedelta(days=DAYS - 1), datetime.min.time()))
    recent = rows.filter(pk__gt=key_before(model, grows, start), **{f"{field}__gte": start})
    found = dict(recent.annotate(day=TruncDate(field)).values_list("day").annotate(number=Count("pk")).order_by())
    return [found.get(day, 0) for day in _days(today)]


def _days(today: date) -> list[date]:
    return [today - timedelta(days=DAYS - 1 - n) for n in range(DAYS)]


def _spark(label: str, figures: Sequence[int]) -> Spark:
    most = max(*figures, 1)
    line = " ".join(f"{n * 120 / (len(figures) - 1):.1f},{30 - 28 * value / most:.1f}" for n, value in enumerate(figures))
    return Spark(label, figures[-1], sum(figures), line, max(figures))


def announcements() -> list[Announcement]:
    """Those that are shown now or will be."""
    rows = Announcement.objects.exclude(ends_at__lte=timezone.now())
    return list(rows.order_by("-pk")[:5])
