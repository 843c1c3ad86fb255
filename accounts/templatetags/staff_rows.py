"""Template filter of the staff's lists: each cell carries its column's name, which narrow screens show beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django import template
from django.utils.html import format_html, strip_tags
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def labelled(cells: Iterable[SafeString], headers: list[dict[str, Any]]) -> Iterator[SafeString]:
    """The cells of one row, as Django's admin drew them (`<td …`), each with `data-label`, the text of its header: no
    mark-up, such as the box that chooses all rows."""
    # Cutting makes unsafe text of what Django itself has escaped.
    for cell, header in zip(cells, headers, strict=True):
        name, rest = SafeString(cell[:3]), SafeString(cell[3:])
        yield format_html('{} data-label="{}"{}', name, strip_tags(header["text"]), rest)
