"""Proves the ledger from the matches and the standings from the ledger, or makes the standings agree."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.db.models import Count, Max, Prefetch, Q, Sum
from django.db.models.functions import TruncMonth, TruncWeek

from accounts import token_audit
from games import observe, stake_audit
from games.models import Penalty, Seat, Status, Table, Uncounted
from games.services.endings import result_of
from ranking import periods, ratings, rungs, statistics
from ranking.awards import Reason, awards
from ranking.ledger import OVERALL
from ranking.models import Standing, XPEntry
from ranking.one_moment import one_moment

CHUNK = 2000
"""Users compared in one transaction."""


class Key(NamedTuple):
    """Which standing: whose, on which ladder, in which period."""

    user_id: int
    ladder: str
    period: str


class Total(NamedTuple):
    """What a standing holds."""

    xp: int
    wins: int
    played: int
    reached_at: datetime

    def plus(self, other: Total) -> Total:
        """Both together."""
        return Total(
            self.xp + other.xp, self.wins + other.wins, self.played + other.played, max(self.reached_at, other.reached_at)
        )


class Difference(NamedTuple):
    """A standing that is not the sum of its entries. `standing` or `ledger` is None when that side has no such row."""

    key: Key
    standing: Total | None
    ledger: Total | None

    def __str__(self) -> str:
        key = self.key
        return f"user {key.user_id}, {key.ladder}/{key.period}: standing {_say(self.standing)}, ledger {_say(self.ledger)}"


def _say(total: Total | None) -> str:
    if total is None:
        return "missing"
    return f"{total.xp} XP, {total.wins} won of {total.played}, reached {total.reached_at.isoformat()}"


def everything(*, replay: bool = True) -> Iterator[str]:
    """Every difference, as a line. All but the standings are read as of one moment, so the site may run meanwhile."""
    with one_moment():
        if replay:
            for table in Table.objects.filter(started_at__isnull=False).order_by("pk").iterator(chunk_size=200):
                yield from observe.audit(table)
        yield from token_audit.problems()
        yield from stake_audit.problems()
        yield from wrong_points()
        yield from (f"ratings: {difference}" for difference in ratings.differences())
        if replay:
            yield from (f"statistics: {difference}" for difference in statistics.differences())
    for difference in differences():
        yield f"standings: {difference}"
    for miscount in rungs.differences():
        yield f"standings: {miscount}"


def differences(*, rebuild: bool = False) -> Iterator[Difference]:
    """Every standing that disagrees with the ledger, by user id; with `rebuild` each one is put right as well.

    Users are compared in chunks, each in a transaction of its own during which no entry can be added, so matches may
    end meanwhile.
    """
    last = get_user_model().objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    for low in range(1, last + 1, CHUNK):
        with transaction.atomic():
            _hold_ledger()
            found = _compare(low, low + CHUNK - 1)
            if rebuild:
                for difference in found:
                    _put_right(difference)
        yield from found


_EARNED = {Reason.WIN, Reason.FINISH, Reason.ABSENT, Reason.ABANDON}


def wrong_points() -> Iterator[str]:
    """Every finished match whose entries are not what its seats earned, and every penalty that is not where one was decided.

    Reads only; in one transaction of its caller's.
    """
    seats = Prefetch("seats", Seat.objects.select_related("user").order_by("number"))
    rated = Table.objects.filter(status=Status.FINISHED, competitive=True).order_by("pk").prefetch_related(seats)
    for table in rated.iterator(chunk_size=200):
        found = list(XPEntry.objects.filter(table=table).values_list("user_id", "reason", "delta"))
        people = [seat for seat in table.seats.all() if seat.user is not None and not seat.user.is_guest]
        counted = table.counts or table.uncounted == Uncounted.VOID
        results = awards([result_of(seat) for seat in table.seats.all()], counts=counted)
        earned = sorted((award.user_id, award.reason.value, award.delta) for award in results)
        paid = sorted(entry for entry in found if entry[1] in _EARNED)
        if paid != [entry for entry in earned if entry[0] in {seat.user_id for seat in people}]:
            yield f"points: {table.code} paid {paid}, its seats earned {earned}"
        fined = sorted(user_id for user_id, reason, _delta in found if reason == Reason.PENALTY)
        wanted = sorted(seat.user_id for seat in people if seat.penalty == Penalty.APPLIED and seat.user_id is not None)
        if fined != wanted:
            yield f"points: {table.code} fined {fined}, the votes say {wanted}"


def _hold_ledger() -> None:
    """Keep new entries out until the transaction ends. SQLite's transactions write alone anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {connection.ops.quote_name(XPEntry._meta.db_table)} IN SHARE MODE")


def _compare(low: int, high: int) -> list[Difference]:
    ledger, standings = _from_ledger(low, high), _stored(low, high)
    return [
        Difference(key, standings.get(key), ledger.get(key))
        for key in sorted(ledger.keys() | standings.keys())
        if standings.get(key) != ledger.get(key)
    ]


def _from_ledger(low: int, high: int) -> dict[Key, Total]:
    """The sums of the entries of the users `low`..`high`."""
    sums = (
        XPEntry.objects.filter(user_id__gte=low, user_id__lte=high)
        .exclude(delta=0, reason__in=[Reason.ABSENT, Reason.ABANDON, Reason.PENALTY])
        .annotate(month=TruncMonth("at", tzinfo=periods.PARIS), week=TruncWeek("at", tzinfo=periods.PARIS))
        .values("user_id", "game", "month", "week")
        .annotate(
            xp=Sum("delta"),
            wins=Count("pk", filter=Q(reason=Reason.WIN)) - Count("pk", filter=Q(reason=Reason.VOID_WIN)),
            played=Count("pk", filter=Q(reason__in=[Reason.WIN, Reason.FINISH]))
            - Count("pk", filter=Q(reason__in=[Reason.VOID_WIN, Reason.VOID_FINISH])),
            reached_at=Max("at"),
        )
        .order_by()
    )
    totals: dict[Key, Total] = {}
    for row in sums:
        total = Total(row["xp"], row["wins"], row["played"], row["reached_at"])
        for ladder in (row["game"], OVERALL):
            for period in (periods.ALL, periods.month_of(row["month"]), periods.week_of(row["week"])):
                key = Key(row["user_id"], ladder, period)
                totals[key] = totals[key].plus(total) if key in totals else total
    return totals


def _stored(low: int, high: int) -> dict[Key, Total]:
    """The standings of the users `low`..`high`."""
    rows = Standing.objects.filter(user_id__gte=low, user_id__lte=high)
    return {
        Key(row.user_id, row.ladder, row.period): Total(row.xp, row.wins, row.played, row.reached_at) for row in rows.iterator()
    }


def _put_right(difference: Difference) -> None:
    key, total = difference.key, difference.ledger
    if total is None:
        Standing.objects.filter(user_id=key.user_id, ladder=key.ladder, period=key.period).delete()
    else:
        Standing.objects.update_or_create(user_id=key.user_id, ladder=key.ladder, period=key.period, defaults=total._asdict())
