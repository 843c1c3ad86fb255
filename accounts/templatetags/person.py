"""How a person looks on a page, and how he wants pages to look: `{% avatar user %}`, `{% page_attributes %}`."""

from __future__ import annotations

from typing import Any

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts import avatars, ties
from accounts.models import User

register = template.Library()

MOST_FRIENDS = 40
"""Friends on a profile."""


@register.simple_tag
def avatar(user: User | None, extra: str = "") -> SafeString:
    """The avatar of a person, a decoration beside his name; of None, the look of an automatic player. `extra`: classes."""
    if user is None:
        return _disc(f"bot {extra}", "-5 -5 34 34", "i-robot", 24, 24)
    chosen = avatars.of(user)
    return drawing(chosen.figure, f"av-{chosen.colour} {extra}")


@register.simple_tag
def drawing(figure: str, classes: str = "") -> SafeString:
    """A figure of the avatars, in the colour that the classes or something round it give."""
    drawn = avatars.FIGURES[figure]
    return _disc(f"{drawn.kind} {classes}", drawn.box, drawn.symbol, 100, drawn.height)


def _disc(classes: str, box: str, symbol: str, width: int, height: int) -> SafeString:
    return format_html(
        '<span class="avatar {}" aria-hidden="true"><svg viewBox="{}"><use href="{}#{}" width="{}" height="{}"/></svg></span>',
        classes.strip(),
        box,
        static("cards.svg"),
        symbol,
        width,
        height,
    )


@register.simple_tag
def spoken_languages(user: User) -> str:
    """The languages somebody says he likes to talk, in words: "French, Spanish"; "" when he has named none."""
    spoken = user.languages.split()
    return ", ".join(str(name).lower() for code, name in settings.LANGUAGES if code in spoken)


@register.simple_tag(takes_context=True)
def shown_friends(context: dict[str, Any], user: User) -> list[User]:
    """The friends that a profile shows: of whoever shows his, those who show theirs too and whom the reader may meet."""
    if not user.show_friends:
        return []
    reader = getattr(context.get("request"), "player", None)
    ids = ties.friends_of(user.pk) - ties.hidden_from(reader.pk if reader else None)
    return list(User.objects.filter(pk__in=ids, is_active=True, show_friends=True).order_by("username")[:MOST_FRIENDS])


@register.simple_tag(takes_context=True)
def page_attributes(context: template.Context) -> SafeString | str:
    """The attributes of <html> that a person's preferences ask for: classes for site.css, the time zone for live.js."""
    player = getattr(context.get("request"), "player", None)
    if player is None:
        return ""
    classes = player.page_classes
    found = format_html(' class="{}"', " ".join(classes)) if classes else ""
    return format_html('{} data-zone="{}"', found, player.timezone) if player.timezone else found


@register.simple_tag(takes_context=True)
def chosen_theme(context: dict[str, Any]) -> str:
    """ "light" or "dark" where the person has chosen one, "" where the device decides."""
    return str(getattr(getattr(context.get("request"), "player", None), "theme", ""))
