"""The only writer of the ledger of points and of the standings: when a match ends, somebody is penalised, a match is void."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import DateTimeField, F, QuerySet, Value
from django.db.models.functions import Greatest

from games.models import Table
from ranking import awards, periods
from ranking.awards import PENALTY, Award, Finisher, Reason
from ranking.models import Standing, XPEntry

OVERALL = "all"
"""The ladder of all games together."""


class Change(NamedTuple):
    """What one entry does to the standings of one person."""

    user_id: int
    delta: int
    wins: int = 0
    played: int = 0


COUNTED = {Reason.WIN: (1, 1), Reason.FINISH: (0, 1), Reason.VOID_WIN: (-1, -1), Reason.VOID_FINISH: (0, -1)}
"""How an entry counts as (wins, matches); other reasons for neither."""


def record(table: Table, results: Iterable[Finisher]) -> tuple[Award, ...]:
    """Write what a match that was just finished earned each of its players, and return it.

    Runs inside the transaction that ends the match, so the points are there with the result or not at all. A second call
    for the same table raises IntegrityError. Guests earn nothing: they are on no leaderboard.
    """
    earned = awards.awards(results, counts=table.counts)
    if not earned:
        return ()
    assert table.ended_at is not None, "the end of a match has a time"
    registered = set(
        get_user_model().objects.filter(pk__in=[award.user_id for award in earned], is_guest=False).values_list("pk", flat=True)
    )
    # In the order of user ids, like every lock on people: two ends at once cannot wait for each other.
    earned = tuple(sorted((award for award in earned if award.user_id in registered), key=lambda award: award.user_id))
    with transaction.atomic():
        _enter(table, table.ended_at, [(award.user_id, award.delta, award.reason) for award in earned])
        paid = [Change(award.user_id, award.delta, *COUNTED.get(award.reason, ())) for award in earned if award.delta]
        _change(paid, table.game, table.ended_at)
    return earned


def penalise(table: Table, user_id: int, at: datetime) -> int:
    """Take 20 points from somebody whom the others penalise for abandoning, or what he has in that game if it is less.

    Returns the points really taken, which is what the ledger says. A second call for the same table and person raises
    IntegrityError.
    """
    with transaction.atomic():
        has = Standing.objects.filter(user_id=user_id, ladder=table.game, period=periods.ALL, xp__gt=0).exists()
        done = _change([Change(user_id, -PENALTY)], table.game, at, floor=True) if has else []
        taken = done[0].delta if done else 0
        _enter(table, at, [(user_id, taken, Reason.PENALTY)])
    return -taken


def void(table: Table) -> int:
    """Take back, by entries of the opposite sign, everything a match paid and took; returns how many entries it took.

    They stand in the periods of what they take back, so no other month or week changes. Nobody falls below zero.
    """
    rows = list(XPEntry.objects.filter(table=table, delta__gt=0, reason__in=[Reason.WIN, Reason.FINISH]).order_by("user_id"))
    fined = list(XPEntry.objects.filter(table=table, delta__lt=0, reason=Reason.PENALTY).order_by("user_id"))
    with transaction.atomic():
        for row in fined:
            _change([Change(row.user_id, -row.delta)], table.game, row.at)
            _enter(table, row.at, [(row.user_id, -row.delta, Reason.VOID_PENALTY)])
        if rows:
            reasons = {row.user_id: Reason(f"void_{row.reason}") for row in rows}
            wanted = [Change(row.user_id, -row.delta, *COUNTED[reasons[row.user_id]]) for row in rows]
            done = _change(wanted, table.game, rows[0].at, floor=True)
            _enter(table, rows[0].at, [(change.user_id, change.delta, reasons[change.user_id]) for change in done])
    return len(rows) + len(fined)


def _enter(table: Table, at: datetime, entries: Sequence[tuple[int, int, Reason]]) -> None:
    XPEntry.objects.bulk_create(
        XPEntry(user_id=user_id, table=table, game=table.game, delta=delta, reason=reason, at=at)
        for user_id, delta, reason in entries
    )


def _change(changes: Sequence[Change], game: str, at: datetime, *, floor: bool = False) -> list[Change]:
    """Apply the changes, given in the order of user ids, to every ladder and period they count in; returns them as applied.

    With `floor` nobody is taken more than he has of all time in that game.
    """
    ladders, spans = (game, OVERALL), periods.periods_of(at)
    Standing.objects.bulk_create(
        (
            Standing(user_id=change.user_id, ladder=ladder, period=period, reached_at=at)
            for change in changes
            for ladder in ladders
            for period in spans
        ),
        ignore_conflicts=True,
    )
    rows = Standing.objects.filter(ladder__in=ladders, period__in=spans)
    locked = _locked(rows, [change.user_id for change in changes])
    if floor:
        has = {row.user_id: row.xp for row in locked if row.ladder == game and row.period == periods.ALL}
        changes = [change._replace(delta=max(change.delta, -max(0, has[change.user_id]))) for change in changes]
    alike: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for change in changes:
        alike[change.delta, change.wins, change.played].append(change.user_id)
    alike.pop((0, 0, 0), None)
    for (delta, wins, played), group in alike.items():
        rows.filter(user_id__in=group).update(
            xp=F("xp") + delta,
            wins=F("wins") + wins,
            played=F("played") + played,
            # The end that is written last need not be the latest.
            reached_at=Greatest(F("reached_at"), Value(at, output_field=DateTimeField())),
        )
    return list(changes)


def _locked(rows: QuerySet[Standing], users: Sequence[int]) -> list[Standing]:
    """The standings of these people, locked in one order."""
    return list(rows.filter(user_id__in=users).order_by("user_id", "id").select_for_update(no_key=True))
