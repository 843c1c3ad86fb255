"""Seasons: each Paris month is closed soon after its end, and its leaderboards are copied. The copy is the final list.

What happens later to a match of that month (a penalty voted, a match declared void) moves the standings and the all-time
leaderboard, never the copy: a list that people have read and quoted does not change behind them. Closing twice, or late, gives
the same; months missed while the site was down are closed at the next occasion.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import connection, transaction

from games import clocktime
from ranking import badges, periods, rungs
from ranking.ledger import OVERALL
from ranking.models import Badge, Season, SeasonRow, Standing

PAGE_SIZE = 50

# One statement copies a ladder: the same total order and the same ranks as the leaderboard's.
_COPY = """
INSERT INTO {rows} (season_id, ladder, place, rank, user_id, xp, wins, played)
SELECT %s, ladder, ROW_NUMBER() OVER (PARTITION BY ladder ORDER BY xp DESC, reached_at, id),
       RANK() OVER (PARTITION BY ladder ORDER BY xp DESC), user_id, xp, wins, played
FROM {standings} WHERE period = %s
"""


def close_over() -> list[str]:
    """Close every month that is over and is not closed yet; returns them."""
    this = periods.month_of(clocktime.now())
    months = (
        Standing.objects.filter(ladder=OVERALL, period__lt="A").order_by("period").values_list("period", flat=True).distinct()
    )
    open_ones = set(months.filter(period__lt=this)) - set(Season.objects.values_list("month", flat=True))
    return [month for month in sorted(open_ones) if _close(month)]


@transaction.atomic
def _close(month: str) -> bool:
    rungs.hold_standings()  # whoever ends a match this instant has written his points, or waits
    season, made = Season.objects.get_or_create(month=month, defaults={"closed_at": clocktime.now()})
    if not made:
        return False
    names = {"rows": SeasonRow, "standings": Standing}
    quoted = {name: connection.ops.quote_name(model._meta.db_table) for name, model in names.items()}
    with connection.cursor() as cursor:
        cursor.execute(_COPY.format(**quoted), [season.pk, month])
    _award(season)
    return True


def _award(season: Season) -> None:
    """The badge of the first three of all games together, whoever shares their ranks."""
    first = SeasonRow.objects.filter(season=season, ladder=OVERALL, rank__lte=badges.PODIUM_RANK, xp__gt=0)
    people = first.order_by("place").values_list("user_id", flat=True)
    Badge.objects.bulk_create(
        (Badge(user_id=user, badge=badges.PODIUM, at=season.closed_at) for user in people), ignore_conflicts=True
    )


def closed() -> Iterable[Season]:
    """All seasons, newest first."""
    return Season.objects.order_by("-month")


def page(season: Season, ladder: str, first: int) -> list[SeasonRow]:
    """A page and one line more, from the place `first` on."""
    rows = SeasonRow.objects.filter(season=season, ladder=ladder, place__gte=first).select_related("user").order_by("place")
    return list(rows[: PAGE_SIZE + 1])


def is_closed(period: str, moment: datetime) -> bool:
    """Whether a period is a month with a final list."""
    return periods.kind(period) == "month" and period < periods.month_of(moment) and Season.objects.filter(month=period).exists()
