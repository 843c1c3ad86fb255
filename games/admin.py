"""The staff's view of tables: read-only, fast on large tables, and blind to what players may not know of each other.

While a table runs, nobody sees notations, state hashes, client seeds or link tokens here, and the vault has no page at all.
Each game registers its moves with `MoveAdmin` in its own admin.py.
"""

from __future__ import annotations

import json
import re
from typing import Any, ClassVar

from django.apps import apps
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

from accounts.staff_lists import ReadOnlyAdmin, ReadOnlyInline, people_named, since
from games import registry
from games.models import AbandonVote, ChatMessage, ClockState, Invitation, Move, Seat, Table, TableEvent, UnforeseenTimeout

CODE = re.compile(r"[0-9A-HJKMNP-TV-Z]{10}")
HIDDEN = _("hidden while the table runs")


def as_code(term: str) -> str | None:
    """The table code that a search term is, or None."""
    code = term.upper()
    return code if CODE.fullmatch(code) else None


def public_text(event: Any) -> str:
    """A public event or a list of them as one line of JSON."""
    return json.dumps(event, ensure_ascii=False)


class OfTableAdmin(ReadOnlyAdmin):
    """Rows that belong to a table: found by its code, newest first."""

    list_select_related: ClassVar[Any] = ("table",)
    search_help_text = _("Code of a table")
    suggests = ("tables", "people")

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """The rows of the table with that code."""
        code = as_code(term)
        return rows.filter(table__code=code) if code else rows.none()

    @admin.display(description=_("table"))
    def table_link(self, row: Any) -> str:
        """The table's code, leading to its page."""
        return format_html('<a href="{}">{}</a>', reverse("admin:games_table_change", args=[row.table_id]), row.table.code)


class SeatInline(ReadOnlyInline):
    """The seats on a table's page."""

    model = Seat
    fields = (
        "number",
        "user",
        "bot",
        "owes_move",
        "deadline",
        "strikes",
        "automatic_since",
        "abandoned_at",
        "penalty",
        "own_moves",
        "clock_moves",
        "place",
        "score",
    )
    ordering = ("number", "joined")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """With their users: one query."""
        return super().get_queryset(request).select_related("user")


@admin.register(Table)
class TableAdmin(ReadOnlyAdmin):
    """Tables, found by code or by who sits there."""

    list_display = ("code", "title", "status", "competitive", "seats_wanted", "plies", "created_at", "opener")
    list_filter = ("status", "competitive", "game", since("created_at"))
    list_select_related = ("opener",)
    search_help_text = _("Code of a table, or pseudonym of somebody who sits there")
    suggests = ("tables", "people")
    inlines = (SeatInline,)
    fields: ClassVar[Any] = (
        "code",
        "page",
        "game",
        "rules_version",
        "options",
        "seats_wanted",
        "status",
        "end",
        "competitive",
        "stake",
        "counts",
        "uncounted",
        "visibility",
        "pace",
        "opener",
        "plies",
        "version",
        "commitment",
        "server_seed",
        "created_at",
        "started_at",
        "ended_at",
        "moves",
    )

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """The table of that code, or the tables where the person of that name sits."""
        found = rows.filter(code=as_code(term)) if as_code(term) else rows.none()
        # A pseudonym may look like a code: whoever searched a name finds it all the same.
        return found if found.exists() else rows.filter(pk__in=Seat.objects.filter(user__in=people_named(term)).values("table"))

    @admin.display(description=_("variant"))
    def title(self, table: Table) -> str:
        """The variant's name."""
        return table.title

    @admin.display(description=_("page"))
    def page(self, table: Table) -> str:
        """The table's page, as players see it."""
        return format_html('<a href="{0}">{0}</a>', table.get_absolute_url())

    @admin.display(description=_("moves"))
    def moves(self, table: Table) -> str:
        """Ways to the table's moves and events."""
        meta = move_model(table)._meta
        links = [
            (reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist"), table.code, _("Moves")),
            (reverse("admin:games_tableevent_changelist"), table.code, _("Events")),
        ]
        return format_html_join(" · ", '<a href="{}?q={}">{}</a>', links)


def move_model(table: Table) -> type[Move]:
    """The typed move model of a table's game."""
    model: type[Move] = apps.get_model(registry.get(table.game).move_model)
    return model


@admin.register(Seat)
class SeatAdmin(OfTableAdmin):
    """Seats, found by the table's code or the player's pseudonym. The address's hash has no place here."""

    list_display = ("id", "table_link", "number", "user", "bot", "owes_move", "deadline", "strikes", "automatic_since", "place")
    list_filter = ("owes_move", since("sat_at"))
    list_select_related = ("table", "user")
    search_help_text = _("Code of a table, or pseudonym")
    fields: ClassVar[Any] = (
        "table_link",
        "number",
        "joined",
        "user",
        "bot",
        "sat_at",
        "owes_move",
        "owes_since",
        "deadline",
        "extension",
        "strikes",
        "automatic_since",
        "seen_at",
        "own_moves",
        "clock_moves",
        "place",
        "score",
        "shown_client_seed",
    )

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """The seats of the table of that code, or those of the person of that name."""
        found = super().find(rows, term)
        return found if found.exists() else rows.filter(user__in=people_named(term))

    @admin.display(description=_("client seed"))
    def shown_client_seed(self, seat: Seat) -> Any:
        """The player's part of the shuffle, once the table is over."""
        return seat.client_seed if seat.table.over else HIDDEN


class MoveAdmin(OfTableAdmin):
    """Moves of one game. While the table runs, `notation`, the state hash and the typed columns that are not named in
    `public_columns` stay hidden; the public events never do.
    """

    public_columns: tuple[str, ...] = ()
    list_display = ("id", "table_link", "ply", "seat", "by", "shown_events", "shown_notation", "played_at")
    list_filter = (since("played_at"),)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """The columns every game has, and the game's own as far as the reader may know them."""
        own = [field.name for field in self.opts.local_fields if field.name not in {f.name for f in Move._meta.fields} | {"id"}]
        shown = own if obj is None or obj.table.over else [name for name in own if name in self.public_columns]
        return ["table_link", "ply", "seat", "by", "shown_events", "shown_notation", *shown, "shown_hash", "played_at"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """All of them."""
        return self.get_fields(request, obj)

    @admin.display(description=_("events"))
    def shown_events(self, move: Move) -> str:
        """What everybody at the table saw."""
        return public_text(move.events)

    @admin.display(description=_("notation"))
    def shown_notation(self, move: Move) -> Any:
        """The whole move, once the table is over."""
        return move.notation if move.table.over else HIDDEN

    @admin.display(description=_("state hash"))
    def shown_hash(self, move: Move) -> Any:
        """The hash of the state after the move, once the table is over."""
        return move.state_hash if move.table.over else HIDDEN


@admin.register(TableEvent)
class TableEventAdmin(OfTableAdmin):
    """Public facts of tables that are no moves."""

    list_display = ("id", "table_link", "ply", "shown_event", "at")
    list_filter = (since("at"),)
    fields: ClassVar[Any] = ("table_link", "ply", "shown_event", "at")

    @admin.display(description=_("event"))
    def shown_event(self, row: TableEvent) -> str:
        """The event."""
        return public_text(row.event)


@admin.register(ClockState)
class ClockStateAdmin(ReadOnlyAdmin):
    """The clock's one row: its last sweep, and why it halted if it did."""

    list_display = ("beat_at", "swept_at", "paused_at", "halted_at", "reason")
    fields: ClassVar[Any] = ("beat_at", "swept_at", "paused_at", "halted_at", "reason")
    search_fields = ()


@admin.register(UnforeseenTimeout)
class UnforeseenTimeoutAdmin(ReadOnlyAdmin):
    """Turns that the clock played before they were due."""

    list_display = ("id", "table", "at")
    list_filter = (since("at"),)
    fields: ClassVar[Any] = ("table", "at")
    search_help_text = _("Code of a table")

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """Those of the table with that code."""
        return rows.filter(table=as_code(term) or "")


@admin.register(ChatMessage)
class ChatMessageAdmin(OfTableAdmin):
    """What people said at tables, as they wrote it, insults marked; found by the table's code or the writer's pseudonym."""

    list_display = ("id", "table_link", "user", "text", "insulting", "at", "hidden_at")
    list_filter = ("insulting", since("at"))
    list_select_related: ClassVar[Any] = ("table", "user")
    search_help_text = _("Code of a table, or pseudonym")
    fields: ClassVar[Any] = ("table_link", "user", "text", "insulting", "at", "hidden_at")

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """The messages of the table of that code, or those of the person of that name."""
        found = super().find(rows, term)
        return found if found.exists() else rows.filter(user__in=people_named(term))


@admin.register(Invitation)
class InvitationAdmin(OfTableAdmin):
    """Friends who are invited to tables that wait; found by the table's code."""

    list_display = ("id", "table_link", "by", "user", "at", "declined_at")
    list_filter = (since("at"),)
    list_select_related: ClassVar[Any] = ("table", "by", "user")
    fields: ClassVar[Any] = ("table_link", "by", "user", "at", "declined_at")


@admin.register(AbandonVote)
class AbandonVoteAdmin(OfTableAdmin):
    """Votes about people who abandoned, found by the table's code."""

    list_display = ("id", "table_link", "abandoner", "voter", "yes", "at")
    list_select_related: ClassVar[Any] = ("seat__table", "seat__user", "voter")
    fields: ClassVar[Any] = ("table_link", "abandoner", "voter", "yes", "at")

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """The votes at the table of that code."""
        code = as_code(term)
        return rows.filter(seat__table__code=code) if code else rows.none()

    @admin.display(description=_("table"))
    def table_link(self, row: Any) -> str:
        """The table's code, leading to its page."""
        return super().table_link(row.seat)

    @admin.display(description=_("abandoned"))
    def abandoner(self, row: Any) -> str:
        """Who has left."""
        return str(row.seat.user)
