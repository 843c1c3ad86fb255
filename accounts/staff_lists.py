"""Read-only lists of the staff's panel that stay fast on tables of any size: never counted, never sorted, never scanned.

Rows come newest first, page after page by key. What a list can be filtered by is what its filters offer: any other lookup in
the address is refused, so that no address can ask questions about a column that is not shown. This lives in the lowest app
so that every app's admin can use it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, ClassVar, NamedTuple
from urllib.parse import urlencode

from django.contrib import admin
from django.contrib.admin.options import IS_POPUP_VAR, IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.db import connection
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from accounts import names
from accounts.models import User

BEFORE = "before"
"""Query parameter: the page shows the rows whose key is smaller."""


class Deed(NamedTuple):
    """Something that the staff can do to rows of a list: where its page is, and whether this reader may (for a row or for
    the whole list: None) do it."""

    name: str
    label: Any
    url: Any
    many: bool
    offered: Callable[[HttpRequest, Model | None], bool]


_deeds: dict[type[Model], list[Deed]] = {}


def offer(model: type[Model], deed: Deed) -> None:
    """Have the list of `model`, and the page of each row, offer a deed; `Model` itself: each list as a whole. For the layer
    above, once, when apps are ready."""
    _deeds.setdefault(model, []).append(deed)


class KeysetChangeList(ChangeList):
    """A list in pages by key. `older` and `newest` are the query strings of the next page and of the first, or ""."""

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Any]:
        """The rows before pages are cut. The page's key is no filter: links of filters start at the first page."""
        text = self.params.pop(BEFORE, "")
        self.filter_params.pop(BEFORE, None)
        if text and not (text.isascii() and text.isdecimal() and len(text) < 19):
            raise IncorrectLookupParameters(text)
        self.before = int(text) if text else None
        return super().get_queryset(request, exclude_parameters)

    def get_ordering(self, request: HttpRequest, queryset: QuerySet[Any]) -> list[Any]:
        """Newest first, always: the one order that needs no sorting."""
        return ["-pk"]

    def get_results(self, request: HttpRequest) -> None:
        """Fetch one page and one row more, which tells whether there is another page."""
        rows = self.queryset if self.before is None else self.queryset.filter(pk__lt=self.before)
        found = list(rows[: self.list_per_page + 1])
        self.result_list = found[: self.list_per_page]
        # Equal counts: the search form then shows none.
        self.result_count = self.full_result_count = len(self.result_list)
        self.show_full_result_count = self.can_show_all = self.multi_page = False
        self.show_admin_actions = bool(self.result_list)
        more = len(found) > self.list_per_page
        self.older = self.get_query_string({BEFORE: found[self.list_per_page - 1].pk}) if more else ""
        self.newest = "" if self.before is None else self.get_query_string()


class ReadOnlyAdmin(admin.ModelAdmin):
    """Shows rows, changes none. Subclasses name `fields` and say in `find` what the search box finds, by index."""

    list_per_page = 50
    sortable_by = ()
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    change_list_template = "admin/keyset_list.html"
    suggests: ClassVar[tuple[str, ...]] = ()
    """What the search box proposes while one types: "people", "tables"."""
    # The search box is drawn when there are search fields; `find` does the search.
    search_fields: ClassVar[Any] = ("pk",)

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """The rows that a search for `term` (not empty) finds."""
        return rows.filter(pk=int(term)) if term.isascii() and term.isdecimal() and len(term) < 19 else rows.none()

    def get_search_results(self, request: HttpRequest, queryset: QuerySet[Any], search_term: str) -> tuple[QuerySet[Any], bool]:
        """Search by `find`; nothing comes twice."""
        term = search_term.strip()
        return (self.find(queryset, term) if term else queryset), False

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """Pages by key."""
        return KeysetChangeList

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """The deeds that this reader may do to many rows at once; each leads to its own page, which asks for a reason."""
        if IS_POPUP_VAR in request.GET:
            return {}
        deeds = [deed for deed in _deeds.get(self.model, []) if deed.many and deed.offered(request, None)]
        return {deed.name: (_leads_to(deed), deed.name, deed.label) for deed in deeds}

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """The list, with what may be done to all of it."""
        name = f"{self.opts.app_label}.{self.opts.model_name}"
        query = {key: value for key, value in request.GET.items() if key != BEFORE}
        deeds = [
            (f"{deed.url}?{urlencode({'list': name, **query})}", deed.label)
            for deed in _deeds.get(Model, [])
            if deed.offered(request, None)
        ]
        title = capfirst(str(self.opts.verbose_name_plural))
        return super().changelist_view(
            request, {"deeds": deeds, "suggests": " ".join(self.suggests), "title": title, **(extra_context or {})}
        )

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> HttpResponse:
        """The page of a row, with what may be done to it."""
        row = kwargs.get("obj")
        context["title"] = capfirst(str(self.opts.verbose_name))
        context["deeds"] = [
            (f"{deed.url}?{urlencode({'id': row.pk})}", deed.label)
            for deed in _deeds.get(self.model, [])
            if row is not None and deed.offered(request, row)
        ]
        return super().render_change_form(request, context, *args, **kwargs)

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """The row of that key. An address with an empty `_to_field`, which Django would look up as a column, means the key."""
        return super().get_object(request, object_id, from_field or None)

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        """All of them."""
        return self.fields or ()

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Only what the filters beside the list send. Django would allow every column, hidden ones included."""
        return lookup in self._filter_parameters()

    def _filter_parameters(self) -> set[str]:
        parameters: set[str] = set()
        for item in self.list_filter:
            if isinstance(item, str):
                parameters.add(f"{item}__exact")
            elif isinstance(item, type) and issubclass(item, admin.SimpleListFilter):
                parameters.add(str(item.parameter_name))
        return parameters

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        """Nobody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody."""
        return False


def _leads_to(deed: Deed) -> Callable[..., HttpResponse]:
    """The list's action: go to the deed's page with the chosen rows."""

    def go(model_admin: Any, request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse:
        ids = [("id", pk) for pk in rows.values_list("pk", flat=True)[: ReadOnlyAdmin.list_per_page]]
        back = request.get_full_path()
        return HttpResponseRedirect(f"{deed.url}?{urlencode([*ids, ('next', back)])}", status=303)

    return go


class ReadOnlyInline(admin.TabularInline):
    """Rows of a related model on an object's page, as read-only as the page."""

    extra = 0
    can_delete = False

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        """All of them."""
        return self.fields or ()

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        """Nobody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody."""
        return False


def key_before(model: type[Model], field: str, moment: datetime) -> int:
    """The greatest key below every row whose `field` is `moment` or later, for rows whose times grow with their keys.

    About log2(greatest key) look-ups in the primary key's index: `field` itself needs no index.
    """
    rows = model._default_manager.order_by("pk").values_list("pk", field)
    low, high = 0, model._default_manager.order_by("-pk").values_list("pk", flat=True).first() or 0
    while low < high:
        middle = (low + high) // 2
        row = rows.filter(pk__gt=middle).first()
        if row is None or row[1] >= moment:
            high = middle
        else:
            low = row[0]
    return low


def since(field: str) -> type[admin.SimpleListFilter]:
    """A filter by age (today, 7 days, 30 days) for rows inserted in the order of `field`."""

    class Since(admin.SimpleListFilter):
        title = _("age")
        parameter_name = "since"

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
            return [("0", _("today")), ("7", _("last 7 days")), ("30", _("last 30 days"))]

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            if self.value() not in {"0", "7", "30"}:
                return queryset
            midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
            start = midnight - timedelta(days=int(self.value() or 0))
            return queryset.filter(pk__gt=key_before(queryset.model, field, start))

    return Since


def people_named(term: str) -> QuerySet[User]:
    """The person of that pseudonym, however it is spelt (case, accents), by the unique index."""
    return User.objects.filter(name_key=names.key(names.clean(term)))


def starting(field: str, beginning: str) -> Q:
    """The condition that `field`, a text with a unique index, starts with a text that is not empty; answered by the index."""
    if not beginning:
        return Q(pk__in=[])
    if connection.vendor == "sqlite":
        # LIKE forgets case there, so it uses no index.
        return Q(**{f"{field}__gte": beginning, f"{field}__lt": beginning + chr(sys.maxunicode)})
    return Q(**{f"{field}__startswith": beginning})
