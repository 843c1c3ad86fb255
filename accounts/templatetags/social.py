"""The buttons of other sites' accounts, and what a person has linked."""

from __future__ import annotations

from typing import Any

from django import template

from accounts.social_texts import buttons, provider_name

register = template.Library()
register.filter("provider_name", provider_name)


@register.inclusion_tag("socialaccount/buttons.html", takes_context=True)
def provider_buttons(context: dict[str, Any], process: str = "login", following: str = "", only: Any = None) -> dict[str, Any]:
    """One form a provider. `process`: login, connect or redirect (to prove who one is); `only`: the ids to show."""
    request = context["request"]
    found = [button for button in buttons(request) if only is None or button["id"] in only]
    return {"buttons": found, "process": process, "following": following, "csrf_token": context.get("csrf_token")}


@register.simple_tag
def providers_offered() -> bool:
    """Whether there is any button to show."""
    return bool(buttons(None))
