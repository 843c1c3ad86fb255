"""A list of the panel as CSV, streamed page by page of keys; cells that a spreadsheet would run are made plain text."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import label_for_field, lookup_field
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model
from django.http import Http404, HttpRequest, QueryDict, StreamingHttpResponse
from django.utils.html import strip_tags
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.staff_lists import BEFORE, ReadOnlyAdmin
from staff.actions import Action, Change

PAGE = 500
MOST_ROWS = 100_000
DANGEROUS = frozenset("=+-@\t\r\n|%＝＋－＠")
"""What a spreadsheet may take for the beginning of a formula, full-width twins among it."""


class _Echo:
    """A file for csv.writer whose `write` gives the line back."""

    def write(self, line: str) -> str:
        return line


def harmless(value: Any) -> Any:
    """A cell that no spreadsheet runs: a text that begins like a formula gets an apostrophe before it, NUL is dropped."""
    if value is None or isinstance(value, bool | int | float):
        return "" if value is None else value
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    text = str(value).replace("\0", "")
    return f"'{text}" if text.lstrip(" \u00a0")[:1] in DANGEROUS and text.strip(" \u00a0") else text


def csv_line(cells: Sequence[Any]) -> str:
    """One line by RFC 4180, its cells harmless."""
    return str(csv.writer(_Echo()).writerow([harmless(cell) for cell in cells]))


def model_admin_of(name: str) -> ReadOnlyAdmin:
    """The list that `app.model` names. Raises Http404 for none that is ours."""
    for model, found in admin.site._registry.items():  # noqa: SLF001 - its public face
        if f"{model._meta.app_label}.{model._meta.model_name}" == name and isinstance(found, ReadOnlyAdmin):
            return found
    raise Http404


def lines(model_admin: ReadOnlyAdmin, rows: Any) -> Iterator[str]:
    """The CSV of a query set: the list's own columns, newest first, at most MOST_ROWS rows."""
    columns = [str(column) for column in model_admin.list_display]
    yield "\ufeff" + csv_line([str(label_for_field(name, model_admin.model, model_admin)) for name in columns])
    last: int | None = None
    for _page in range(MOST_ROWS // PAGE):
        page = list((rows if last is None else rows.filter(pk__lt=last)).order_by("-pk")[:PAGE])
        for row in page:
            yield csv_line([_cell(model_admin, row, name) for name in columns])
        if len(page) < PAGE:
            return
        last = page[-1].pk


def _cell(model_admin: ReadOnlyAdmin, row: Model, name: str) -> Any:
    try:
        field, _attribute, value = lookup_field(name, row, model_admin)
    except (FieldDoesNotExist, AttributeError):
        return ""
    if field is not None and getattr(field, "choices", None):
        return str(dict(field.flatchoices).get(value, value))
    if hasattr(value, "__html__"):
        return strip_tags(str(value))
    return value


class Export(Action):
    """Download a list, as it is filtered, as CSV."""

    name, label, permission = "export", gettext_lazy("Export as CSV"), "staff.export_lists"
    discloses = True

    def effect(self, targets: Sequence[None]) -> str:
        """Logged."""
        return _("You download the list as it is filtered now, at most 100,000 rows. The log keeps that you did.")

    def perceived(self, request: HttpRequest) -> dict[str, Any]:
        """Which list, filtered how. Raises Http404 for a list that the reader may not see or that is none."""
        model_admin = model_admin_of(request.GET.get("list", ""))
        if not model_admin.has_view_permission(request):
            raise Http404
        name, filters = request.GET["list"], {k: str(v) for k, v in request.GET.items() if k not in {"list", BEFORE, "next"}}
        query = QueryDict(urlencode(filters))
        whole, request.GET = request.GET, query
        try:
            rows = model_admin.get_changelist_instance(request).queryset
        except IncorrectLookupParameters:
            raise Http404 from None
        finally:
            request.GET = whole
        return {"list": name, "filters": filters, "rows": rows}

    def run(self, actor: User, target: None, data: Mapping[str, Any], reason: str) -> Change:
        """Nothing but the row of the log; the search term may be an address, so it is not kept."""
        return Change({}, {"list": data["list"], "filters": sorted(data["filters"])})

    def answer(self, request: HttpRequest, targets: Sequence[None], data: Mapping[str, Any]) -> StreamingHttpResponse:
        """The file."""
        csv_lines = lines(model_admin_of(data["list"]), data["rows"])
        response = StreamingHttpResponse(csv_lines, content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{data["list"]}.csv"'
        response["X-Content-Type-Options"] = "nosniff"
        return response
