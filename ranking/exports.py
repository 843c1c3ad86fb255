"""What ranking knows about a person, for the archive of his own data: his points, ratings, statistics and badges."""

from __future__ import annotations

from collections.abc import Iterator

from accounts.exports import File, as_json
from accounts.models import User
from ranking.models import Badge, Played, RatingEntry, XPEntry


def points(user: User) -> Iterator[File]:
    """`points.json`: the ledger of his experience points, oldest first."""
    rows = XPEntry.objects.filter(user=user).order_by("pk").values("table__code", "table__game", "reason", "delta", "at")
    yield "points.json", as_json(list(rows))


def skill(user: User) -> Iterator[File]:
    """`ratings.json`, `statistics.json` and `badges.json`, oldest first."""
    ratings = RatingEntry.objects.filter(user=user).order_by("pk").values("table__code", "game", "mu", "sigma", "at")
    yield "ratings.json", as_json(list(ratings))
    played = (
        Played.objects.filter(user=user)
        .order_by("pk")
        .values("table__code", "game", "players", "seat", "place", "delay", "turns", "late", "at")
    )
    yield "statistics.json", as_json(list(played))
    badges = Badge.objects.filter(user=user).order_by("pk").values("badge", "table__code", "at")
    yield "badges.json", as_json(list(badges))
