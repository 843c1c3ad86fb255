"""The staff's view of the ledger and the standings: read-only; the ledger changes by matches alone."""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.staff_lists import ReadOnlyAdmin, people_named, since
from games.admin import OfTableAdmin
from ranking.models import Badge, Played, Rating, RatingEntry, Season, Standing, XPEntry


@admin.register(XPEntry)
class XPEntryAdmin(OfTableAdmin):
    """Entries of the ledger, found by the table's code or the player's pseudonym."""

    list_display: Any = ("id", "user", "table_link", "game", "delta", "reason", "at")
    list_filter = ("game", since("at"))
    list_select_related = ("user", "table")
    search_help_text = _("Code of a table, or pseudonym")
    fields: ClassVar[Any] = ("user", "table_link", "game", "delta", "reason", "at")

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """The entries of the table of that code, or those of the person of that name."""
        found = super().find(rows, term)
        return found if found.exists() else rows.filter(user__in=people_named(term))


class OfPersonAdmin(ReadOnlyAdmin):
    """Rows of a person, found by pseudonym."""

    list_select_related = ("user",)
    search_help_text = _("Pseudonym")

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """Those of the person of that name."""
        return rows.filter(user__in=people_named(term))


@admin.register(Standing)
class StandingAdmin(OfPersonAdmin):
    """Standings, found by pseudonym. `manage.py standings --check` proves them from the ledger."""

    list_display = ("user", "ladder", "period", "xp", "wins", "played", "reached_at")
    fields: ClassVar[Any] = ("user", "ladder", "period", "xp", "wins", "played", "reached_at")


@admin.register(Rating)
class RatingAdmin(OfPersonAdmin):
    """Ratings, found by pseudonym. `manage.py ratings --check` proves them from their log."""

    list_display = ("user", "game", "cote", "mu", "sigma", "matches")
    fields: ClassVar[Any] = ("user", "game", "cote", "mu", "sigma", "matches")

    @admin.display(description=_("rating"))
    def cote(self, row: Rating) -> str:
        """As people read it."""
        return f"{row.skill.cote} ± {row.skill.margin}"


@admin.register(RatingEntry)
class RatingEntryAdmin(XPEntryAdmin):
    """Entries of the log of ratings, found like those of the ledger."""

    list_display = ("id", "user", "table_link", "game", "rank", "gone", "mu", "sigma", "at")
    fields: ClassVar[Any] = ("user", "table_link", "game", "side", "rank", "gone", "mu", "sigma", "at")


@admin.register(Badge)
class BadgeAdmin(OfPersonAdmin):
    """Badges, as they were earned."""

    list_display = ("user", "badge", "at")
    fields: ClassVar[Any] = ("user", "badge", "table", "at")


@admin.register(Played)
class PlayedAdmin(OfPersonAdmin):
    """What statistics know of each match of a person. `manage.py statistics --check` proves it."""

    list_display = ("user", "game", "players", "seat", "place", "turns", "late", "delay", "at")
    fields: ClassVar[Any] = ("user", "table", "game", "players", "seat", "place", "counts", "turns", "late", "delay", "at")


@admin.register(Season)
class SeasonAdmin(ReadOnlyAdmin):
    """The months that are closed; their lists are on the site."""

    list_display = ("month", "closed_at")
    fields: ClassVar[Any] = ("month", "closed_at")
