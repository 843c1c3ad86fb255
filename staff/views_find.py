"""What the search boxes of the panel propose: people by the beginning of their pseudonym, tables by that of their code."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from accounts import names
from accounts.models import User
from accounts.staff_lists import starting
from games.models import Table

MOST = 8
SHORTEST = 2


@require_safe
def find(request: HttpRequest) -> JsonResponse:
    """`?in=people tables&q=…` → {"found": [{"value", "label"}]}, at most eight of each kind that the reader may list."""
    user: Any = request.user
    term, kinds = request.GET.get("q", "").replace("\0", "").strip()[:40], request.GET.get("in", "").split()
    found: list[dict[str, str]] = []
    if len(term) >= SHORTEST and "tables" in kinds and user.has_perm("games.view_table"):
        found += [{"value": table.code, "label": str(table.title)} for table in _tables(term)]
    if len(term) >= SHORTEST and "people" in kinds and user.has_perm("accounts.view_user"):
        people = User.objects.filter(starting("name_key", names.key(names.clean(term))), is_guest=False)
        found += [
            {"value": name, "label": f"n° {pk}"} for pk, name in people.order_by("name_key").values_list("pk", "username")[:MOST]
        ]
    return JsonResponse({"found": found})


def _tables(term: str) -> list[Table]:
    code = term.upper()
    if not (code.isascii() and code.isalnum()) or len(code) > 10:
        return []
    return list(Table.objects.filter(starting("code", code)).order_by("code")[:MOST])
