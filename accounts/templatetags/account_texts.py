"""Short texts about a person's account."""

from __future__ import annotations

import re

from django import template
from django.utils.translation import gettext as _

register = template.Library()

# The first that fits: others call themselves Chrome and Safari as well.
BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox"),
            ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"))  # fmt: skip
SYSTEMS = (("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("Mac OS X", "macOS"),
           ("CrOS", "ChromeOS"), ("Linux", "Linux"))  # fmt: skip


@register.filter
def browser(user_agent: str) -> str:
    """ "Firefox, Windows" from the text a browser sends about itself; its first word when it is none we know."""
    program = next((name for mark, name in BROWSERS if re.search(rf"\b{mark}/", user_agent)), None)
    system = next((name for mark, name in SYSTEMS if mark in user_agent), None)
    known = ", ".join(part for part in (program, system) if part)
    return known or user_agent.partition("/")[0][:40] or _("Unknown browser")
