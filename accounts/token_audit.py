"""Proves the wallets from their entries: balances, chains, holds, and that no token was made or lost."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import F, OuterRef, Subquery, Sum, Window
from django.db.models.functions import Coalesce

from accounts.models import TokenEntry, TokenHold, TokenReason, Wallet
from accounts.models.wallet import SETTLING


def problems() -> Iterator[str]:
    """Every difference, as a line. Reads only; in one transaction of its caller's, so that nothing moves meanwhile."""
    yield from _sums()
    yield from _wallets()
    yield from _chains()


def _sums() -> Iterator[str]:
    """Double entry: everything adds up to zero, and so does each movement of a table."""
    if total := TokenEntry.objects.aggregate(n=Coalesce(Sum("delta"), 0))["n"]:
        yield f"tokens: all movements add up to {total}, not to 0"
    if total := Wallet.objects.aggregate(n=Coalesce(Sum("balance"), 0))["n"]:
        yield f"tokens: all balances add up to {total}, not to 0"
    movements = TokenEntry.objects.filter(reason__in=[TokenReason.STAKE, *SETTLING]).values("reason", "ref").order_by("ref")
    for row in movements.annotate(n=Sum("delta")).exclude(n=0).iterator():
        yield f"tokens: the movement {row['reason']} of {row['ref']} adds up to {row['n']}, not to 0"


def _wallets() -> Iterator[str]:
    """Balance and holds of each wallet against its rows."""
    entries = TokenEntry.objects.filter(wallet=OuterRef("pk")).order_by().values("wallet").annotate(n=Sum("delta")).values("n")
    holds = TokenHold.objects.filter(wallet=OuterRef("pk")).order_by().values("wallet").annotate(n=Sum("amount")).values("n")
    sums = Wallet.objects.annotate(moved=Coalesce(Subquery(entries), 0), kept=Coalesce(Subquery(holds), 0))
    for row in (sums.exclude(balance=F("moved")) | sums.exclude(held=F("kept"))).order_by("pk").iterator():
        yield f"tokens: wallet {row.pk} has {row.balance}, {row.held} held; its rows say {row.moved} and {row.kept}"


def _chains() -> Iterator[str]:
    """Each entry says what the wallet held after it."""
    running = Window(Sum("delta"), partition_by=F("wallet"), order_by=F("id").asc())
    for row in TokenEntry.objects.annotate(sum=running).order_by("pk").iterator():
        if row.sum != row.balance_after:
            yield f"tokens: entry {row.pk} of wallet {row.wallet_id} says {row.balance_after} where {row.sum} should be"
