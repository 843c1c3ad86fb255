"""The buttons of other sites' accounts, and what a person has linked."""

from __future__ import annotations

from typing import Any

from django import template

from accounts import inapp
from accounts.social_texts import buttons, provider_name

register = template.Library()
register.filter("provider_name", provider_name)


@register.inclusion_tag("socialaccount/buttons.html", takes_context=True)
def provider_buttons(context: dict[str, Any], process: str = "login", following: str = "", only: Any = None) -> dict[str, Any]:
    """One form a provider. `process`: login, connect or redirect (to prove who one is); `only`: the ids to show."""
    request = context["request"]
    found = [button for button in buttons(request) if only is None or button["id"] in only]
    return {"buttons": found, "process": process, "following": following, "csrf_token": context.get("csrf_token")}


@register.inclusion_tag("accounts/in_app.html", takes_context=True)
def in_app_notice(context: dict[str, Any], following: str = "") -> dict[str, Any]:
    """Inside another app: a sentence, and the address to open in a browser of its own. Elsewhere nothing."""
    request = context["request"]
    if not inapp.is_inside(request):
        return {}
    address = inapp.outside(request, following)
    android = "Android" in request.headers.get("user-agent", "")
    return {"address": address, "intent": inapp.intent(address) if android else ""}


@register.simple_tag(takes_context=True)
def is_in_app(context: dict[str, Any]) -> bool:
    """Whether the page is shown inside another app."""
    return inapp.is_inside(context["request"])


@register.simple_tag
def providers_offered() -> bool:
    """Whether there is any button to show."""
    return bool(buttons(None))
