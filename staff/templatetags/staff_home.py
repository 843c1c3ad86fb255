"""The first part of the panel's home."""

from __future__ import annotations

from typing import Any

from django import template

from staff import home

register = template.Library()


@register.inclusion_tag("staff/home.html", takes_context=True)
def staff_home(context: dict[str, Any]) -> dict[str, Any]:
    """What needs attention and how the site is doing, for this reader."""
    user = context["request"].user
    sees = user.has_perm("accounts.view_user") and user.has_perm("games.view_table")
    return {"points": home.points(user), "deeds": home.deeds(user), "sparks": home.sparks() if sees else []}
