"""What providers are called, and where their buttons lead."""

from __future__ import annotations

from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.providers.base.provider import Provider
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.providers import DEMO


def provider_name(key: str) -> str:
    """A provider's name by its id; one that is no longer offered keeps a name by which it can be known."""
    if key == DEMO:
        return _("Demonstration provider")
    for kind, found in settings.SOCIALACCOUNT_PROVIDERS.items():
        for app in found.get("APPS", []):
            if (app.get("provider_id") or kind) == key:
                return str(app["name"])
    return key.capitalize()


def buttons(request: HttpRequest | None) -> list[dict[str, str]]:
    """The offered providers in the order of the settings: id, name and the address a button posts to."""
    offered: list[Provider] = get_adapter().list_providers(request) if settings.SOCIALACCOUNT_PROVIDERS else []
    found = [{"id": p.sub_id, "name": provider_name(p.sub_id), "url": p.get_login_url(request)} for p in offered]
    return sorted(found, key=lambda button: (button["id"] == DEMO, button["id"] != "google", button["name"]))
