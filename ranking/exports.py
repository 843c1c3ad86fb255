"""What ranking knows about a person, for the archive of his own data: every entry of his points."""

from __future__ import annotations

from collections.abc import Iterator

from accounts.exports import File, as_json
from accounts.models import User
from ranking.models import XPEntry


def points(user: User) -> Iterator[File]:
    """`points.json`: the ledger of his experience points, oldest first."""
    rows = XPEntry.objects.filter(user=user).order_by("pk").values("table__code", "table__game", "reason", "delta", "at")
    yield "points.json", as_json(list(rows))
