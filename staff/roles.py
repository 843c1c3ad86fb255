"""Who of the staff may do what: three groups with exact permissions, kept so after every migration.

The permission to see a running hand (`games.see_hidden`) is in no group: an administrator gives it to one person.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Group, Permission
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import registry

MODERATOR, ANIMATOR, ADMINISTRATOR = "moderateur", "animateur", "administrateur"
NAMES = {MODERATOR: _("moderator"), ANIMATOR: _("table host"), ADMINISTRATOR: _("administrator")}

DEEDS = {
    MODERATOR: ("handle_reports", "moderate_chat", "sanction", "answer_appeals", "rename_people"),
    ANIMATOR: ("extend_deadlines", "hand_seats", "cancel_tables", "rewind_tables", "steer_clocks", "announce"),
    ADMINISTRATOR: (
        "void_tables",
        "grant_tokens",
        "set_roles",
        "close_accounts",
        "see_emails",
        "export_lists",
        "see_everything_logged",
    ),
}
"""What each role adds; the administrator has the others' as well."""

TABLE_VIEWS = ("games.table", "games.seat", "games.tableevent", "games.clockstate", "games.unforeseentimeout")
SEEN = {
    MODERATOR: (
        "accounts.user",
        "accounts.sanction",
        "accounts.appeal",
        "staff.case",
        "staff.report",
        "games.chatmessage",
        *TABLE_VIEWS[:3],
    ),
    ANIMATOR: ("accounts.user", "staff.announcement", *TABLE_VIEWS),
}
"""The models whose lists each role may read, beside the moves of every game; the administrator reads all there are."""


def permissions_of(role: str) -> set[int]:
    """The ids of a role's permissions, as far as the database has them."""
    own = Permission.objects.filter(content_type__app_label="staff")
    views = Permission.objects.filter(codename__startswith="view_")
    if role == ADMINISTRATOR:
        wanted = own.filter(codename__in=[deed for deeds in DEEDS.values() for deed in deeds])
        return {*wanted.values_list("pk", flat=True), *views.values_list("pk", flat=True)}
    moves = tuple(game.move_model.lower() for game in registry.all_games())
    match = Q(pk__in=[])
    for name in (*SEEN[role], *moves, "staff.stafflog"):
        app, model = name.split(".")
        match |= Q(content_type__app_label=app, codename=f"view_{model}")
    return {*own.filter(codename__in=DEEDS[role]).values_list("pk", flat=True), *views.filter(match).values_list("pk", flat=True)}


def keep(**kwargs: Any) -> None:
    """After a migration: the three groups exist and have exactly their permissions."""
    for role in DEEDS:
        group, _made = Group.objects.get_or_create(name=role)
        wanted = permissions_of(role)
        if set(group.permissions.values_list("pk", flat=True)) != wanted:
            group.permissions.set(wanted)


def role_of(user: User) -> str:
    """The role somebody has, "" for none; a superuser is an administrator."""
    if user.is_superuser:
        return ADMINISTRATOR
    return (
        user.groups.filter(name__in=DEEDS).order_by("name").values_list("name", flat=True).first() or "" if user.is_staff else ""
    )
