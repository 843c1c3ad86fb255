"""Proves holds, escrow and payments of every table from its seats: what waits, what runs, what was finished."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import Prefetch, QuerySet

from accounts.models import TokenEntry, TokenHold, Wallet
from accounts.models.wallet import ESCROW, SETTLING
from games import selectors
from games.engine.shares import shares
from games.models import Seat, Status, Table, Uncounted


def problems() -> Iterator[str]:
    """Every difference, as a line. Reads only; in one transaction of its caller's."""
    held = _stakes(Table.objects.filter(status=Status.OPEN))
    holds = TokenHold.objects.values_list("wallet__user_id", "ref", "amount")
    yield from _differ("held", held, {(user_id, ref): tokens for user_id, ref, tokens in holds})
    escrow: Counter[str] = Counter()
    at_stake: Counter[int] = Counter()
    for (user_id, code), tokens in _stakes(Table.objects.filter(status=Status.PLAYING, counts=True)).items():
        escrow[ESCROW + code] += tokens
        at_stake[user_id] += tokens
    balances = Wallet.objects.filter(name__startswith=ESCROW).exclude(balance=0)
    yield from _differ("in escrow", escrow, dict(balances.values_list("name", "balance")))
    yield from _differ("at stake", at_stake, dict(Wallet.objects.filter(at_stake__gt=0).values_list("user_id", "at_stake")))
    yield from _payments()


def _stakes(tables: QuerySet[Table]) -> dict[tuple[int, str], int]:
    """(user id, table code) -> stake, of everybody who sits at these tables."""
    seats = Seat.objects.filter(table__in=tables.filter(stake__gt=0), user__isnull=False)
    return {(user_id, code): stake for user_id, code, stake in seats.values_list("user_id", "table__code", "table__stake")}


def _differ(what: str, wanted: Mapping[Any, int], found: Mapping[Any, int]) -> Iterator[str]:
    for key in sorted({*wanted, *found}, key=str):
        if wanted.get(key, 0) != found.get(key, 0):
            yield f"stakes: {key}: {found.get(key, 0)} tokens {what}, the tables say {wanted.get(key, 0)}"


def _payments() -> Iterator[str]:
    """What finished and cancelled matches paid against what the rules give."""
    over = Table.objects.filter(stake__gt=0, status__in=[Status.FINISHED, Status.CANCELLED], started_at__isnull=False)
    seats = Prefetch("seats", Seat.objects.order_by("number"))
    for table in over.order_by("pk").prefetch_related(seats).iterator(chunk_size=200):
        rows = TokenEntry.objects.filter(ref=table.code, reason__in=SETTLING, wallet__user__isnull=False)
        yield from _differ(f"paid by {table.code}", _due(table), dict(rows.values_list("wallet__user_id", "delta")))


def _due(table: Table) -> dict[int | None, int]:
    """What each user has to get of a staked match that was started and is over."""
    seats = list(table.seats.all())
    if table.uncounted == Uncounted.SAME_ADDRESS:
        return {}
    if table.status == Status.CANCELLED:
        return {seat.user_id: table.stake for seat in seats}
    return dict(zip((seat.user_id for seat in seats), shares(selectors.standing(table, seats), table.stake), strict=True))
