"""The panel's lists of what the staff keeps: its log, confirmations that wait, measures and appeals. All read-only."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

from accounts.models import Appeal, Sanction, User
from accounts.staff_lists import ReadOnlyAdmin, ReadOnlyInline, people_named, since
from games.admin import as_code
from games.models import Table
from staff import views_reports
from staff.models import Announcement, Case, FailedTask, Pending, Report, StaffLog


def readable(user: Any) -> Q:
    """The rows of the log that a reader may see: his own, and those of actions that he could do himself."""
    if user.has_perm("staff.see_everything_logged"):
        return Q()
    return Q(actor=user) | Q(permission__in=[name for name in user.get_all_permissions() if name.startswith("staff.")])


@admin.register(StaffLog)
class StaffLogAdmin(ReadOnlyAdmin):
    """Who did what to whom and why. Each reader sees the actions of his own role; nobody changes a row."""

    list_display = ("at", "actor", "what", "target_name", "reason", "changed")
    list_filter = (since("at"),)
    list_select_related = ("actor",)
    search_help_text = _("Pseudonym of who acted, or target: code of a table, pseudonym")
    fields = ("at", "actor", "what", "target_type", "target_id", "target_name", "reason", "before", "after")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Only what this reader may see, by list and by page."""
        return super().get_queryset(request).filter(readable(request.user))

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """By who acted, or by the exact target."""
        people = list(people_named(term).values_list("pk", flat=True))
        match = Q(actor__in=people) | Q(target_type="user", target_id__in=people)
        if code := as_code(term):
            match |= Q(target_type="table", target_id__in=list(Table.objects.filter(code=code).values_list("pk", flat=True)))
        return rows.filter(match)

    @admin.display(description=_("action"))
    def what(self, row: StaffLog) -> str:
        """The action in words."""
        from staff import registry

        action = registry.ACTIONS.get(row.action.removesuffix("?"))
        name = str(action.label) if action else row.action
        return f"{name} ({_('asked for')})" if row.action.endswith("?") else name

    @admin.display(description=_("effect"))
    def changed(self, row: StaffLog) -> str:
        """What was, and what is."""
        return " · ".join(f"{key}: {value}" for key, value in row.after.items())[:200]


@admin.register(Pending)
class PendingAdmin(ReadOnlyAdmin):
    """What waits for a second person, and what became of it."""

    list_display = ("id", "sentence", "reason", "asked_by", "asked_at", "decided_by", "accepted")
    list_select_related = ("asked_by", "decided_by")
    fields = (
        "action",
        "target_name",
        "sentence",
        "reason",
        "data",
        "asked_by",
        "asked_at",
        "decided_by",
        "decided_at",
        "accepted",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Only what this reader could ask for himself."""
        user: Any = request.user
        return super().get_queryset(request).filter(permission__in=user.get_all_permissions())


class OfPersonAdmin(ReadOnlyAdmin):
    """Rows about a person, found by his pseudonym."""

    search_help_text = _("Pseudonym")

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """Those of the person of that name."""
        return rows.filter(user__in=people_named(term))


@admin.register(Sanction)
class SanctionAdmin(OfPersonAdmin):
    """Measures, newest first."""

    list_display = ("id", "user", "kind", "ground", "begins_at", "ends_at", "lifted_at", "by")
    list_filter = ("kind", since("begins_at"))
    list_select_related = ("user", "by")
    fields = ("user", "kind", "ground", "words", "by", "begins_at", "ends_at", "lifted_at", "lifted_by")


@admin.register(Appeal)
class AppealAdmin(OfPersonAdmin):
    """Appeals, newest first."""

    list_display = ("id", "whose", "measure", "at", "answered_at", "answered_by", "granted")
    list_select_related = ("sanction__user", "answered_by")
    list_filter = (since("at"),)
    fields = ("whose", "measure", "text", "at", "answered_at", "answered_by", "granted", "answer")

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """Those of the person of that name."""
        return rows.filter(sanction__user__in=people_named(term))

    @admin.display(description=_("person"))
    def whose(self, row: Appeal) -> User:
        """Who appeals."""
        return row.sanction.user

    @admin.display(description=_("measure"))
    def measure(self, row: Appeal) -> str:
        """Against what."""
        return f"{row.sanction.get_kind_display()} ({row.sanction.get_ground_display()})"


class OpenOrNot(admin.SimpleListFilter):
    """Cases: free, one's own, all open ones, closed ones."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """What may be chosen."""
        return [("free", _("free")), ("mine", _("mine")), ("open", _("open")), ("closed", _("closed"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """The rows of the chosen state."""
        user: Any = request.user
        chosen = {
            "free": Q(closed_at__isnull=True, claimed_by__isnull=True),
            "mine": Q(closed_at__isnull=True, claimed_by=user),
            "open": Q(closed_at__isnull=True),
            "closed": Q(closed_at__isnull=False),
        }
        return queryset.filter(chosen.get(self.value() or "", Q()))


class ReportInline(ReadOnlyInline):
    """The reports of a case, with what everybody could see."""

    model = Report
    fields = ("at", "reporter", "kind", "text", "place", "seen")
    ordering = ("-pk",)
    max_num = 0

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """With who reported: one query."""
        return super().get_queryset(request).select_related("reporter")

    @admin.display(description=_("where"))
    def place(self, row: Report) -> str:
        """The table and the move, leading there."""
        if not row.table:
            return ""
        text = f"{row.table} · {row.ply}" if row.ply else row.table
        return format_html('<a href="/t/{}/log/">{}</a>', row.table, text)

    @admin.display(description=_("what everybody saw"))
    def seen(self, row: Report) -> str:
        """The kept public facts, then the kept messages."""
        lines = [*views_reports.sentences(row), *(f"{who}: {said}" for who, said, _pk in row.context.get("messages", []))]
        return format_html_join("", "<div>{}</div>", ((line,) for line in lines))


@admin.register(Case)
class CaseAdmin(ReadOnlyAdmin):
    """Cases, one a person: all that was reported of him until it is closed."""

    list_display = ("id", "suspect", "reasons", "opened_at", "claimed_by", "closed_at", "outcome")
    list_filter = (OpenOrNot, since("opened_at"))
    list_select_related = ("suspect", "claimed_by")
    search_help_text = _("Pseudonym")
    fields = ("person", "opened_at", "claimed_by", "claimed_at", "closed_at", "outcome", "earlier")
    inlines = (ReportInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """With the reports: one query for all of a page. Nobody reads the case against himself."""
        return super().get_queryset(request).exclude(suspect=request.user).prefetch_related("reports")

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """Those about the person of that name."""
        return rows.filter(suspect__in=people_named(term))

    @admin.display(description=_("reports"))
    def reasons(self, row: Case) -> str:
        """How many of which kind."""
        kinds = Counter(report.get_kind_display() for report in row.reports.all())
        return ", ".join(f"{number} × {kind}" for kind, number in kinds.most_common())

    @admin.display(description=_("person reported"))
    def person(self, row: Case) -> str:
        """The person, leading to his page, where measures are taken."""
        return format_html('<a href="{}">{}</a>', reverse("admin:accounts_user_change", args=[row.suspect_id]), row.suspect)

    @admin.display(description=_("earlier measures"))
    def earlier(self, row: Case) -> str:
        """What was imposed before."""
        rows = Sanction.objects.filter(user=row.suspect_id).order_by("-pk")[:10]
        return ", ".join(f"{each.get_kind_display()} ({each.begins_at:%Y-%m-%d})" for each in rows) or "–"


@admin.register(Announcement)
class AnnouncementAdmin(ReadOnlyAdmin):
    """Announcements, newest first."""

    list_display = ("id", "text", "level", "starts_at", "ends_at", "by")
    list_select_related = ("by",)
    fields = ("fr", "es", "en", "level", "starts_at", "ends_at", "by")

    @admin.display(description=_("text"))
    def text(self, row: Announcement) -> str:
        """In the reader's language."""
        return row.text


@admin.register(FailedTask)
class FailedTaskAdmin(ReadOnlyAdmin):
    """Background tasks that failed; the server's log has the details."""

    list_display = ("id", "task", "error", "at")
    list_filter = (since("at"),)
    fields = ("task", "error", "at")
