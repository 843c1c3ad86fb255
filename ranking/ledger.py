"""The only writer of the ledger and of the standings, while a match ends."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import DateTimeField, F, Value
from django.db.models.functions import Greatest

from games.models import Table
from ranking import awards, periods
from ranking.awards import Award, Finisher, Reason
from ranking.models import Standing, XPEntry

OVERALL = "all"
"""The ladder of all games together."""


def record(table: Table, results: Iterable[Finisher]) -> tuple[Award, ...]:
    """Write what a match that was just played to the end earned each of its players, and return it.

    Runs inside the transaction that ends the match, so the points are there with the result or not at all. A second call
    for the same table raises IntegrityError. Guests earn nothing: they are on no leaderboard.
    """
    earned = awards.awards(results, competitive=table.competitive)
    if not earned:
        return ()
    assert table.ended_at is not None, "the end of a match has a time"
    registered = set(
        get_user_model().objects.filter(pk__in=[award.user_id for award in earned], is_guest=False).values_list("pk", flat=True)
    )
    # In the order of user ids, like every lock on people: two ends at once cannot wait for each other.
    earned = tuple(sorted((award for award in earned if award.user_id in registered), key=lambda award: award.user_id))
    with transaction.atomic():
        XPEntry.objects.bulk_create(
            XPEntry(
                user_id=award.user_id, table=table, game=table.game, delta=award.delta, reason=award.reason, at=table.ended_at
            )
            for award in earned
        )
        _add_to_standings([award for award in earned if award.delta], table.game, table.ended_at)
    return earned


def _add_to_standings(paid: Sequence[Award], game: str, at: datetime) -> None:
    """Add the awards to every ladder and period they count in. `paid` is in the order of user ids."""
    ladders, spans = (game, OVERALL), periods.periods_of(at)
    Standing.objects.bulk_create(
        (
            Standing(user_id=award.user_id, ladder=ladder, period=period, reached_at=at)
            for award in paid
            for ladder in ladders
            for period in spans
        ),
        ignore_conflicts=True,
    )
    rows = Standing.objects.filter(ladder__in=ladders, period__in=spans)
    users = [award.user_id for award in paid]
    list(rows.filter(user_id__in=users).order_by("user_id", "id").select_for_update(no_key=True).values_list("pk"))
    alike: dict[tuple[int, bool], list[int]] = defaultdict(list)
    for award in paid:
        alike[award.delta, award.reason is Reason.WIN].append(award.user_id)
    for (delta, won), group in alike.items():
        rows.filter(user_id__in=group).update(
            xp=F("xp") + delta,
            wins=F("wins") + int(won),
            played=F("played") + 1,
            # The end that is written last need not be the latest.
            reached_at=Greatest(F("reached_at"), Value(at, output_field=DateTimeField())),
        )
