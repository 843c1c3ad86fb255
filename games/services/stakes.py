"""The tokens of a table: held when somebody sits, given back when he leaves, in escrow while the match runs, paid at its end.

Each step is part of the transaction that changes the table, with the table's row locked (rules 7.5).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import ngettext_lazy

from accounts import wallet
from accounts.models import TokenReason, User
from games import selectors
from games.engine.shares import shares
from games.errors import Refused
from games.models import Seat, Status, Table

HIGHEST = 10_000
"""The highest stake."""


def hold(table: Table, user: User) -> None:
    """Keep back the stake of somebody who sits down. Raises Refused 409 if he has not enough tokens."""
    if not table.stake:
        return
    try:
        wallet.hold(user.pk, table.stake, table.code)
    except wallet.Short as short:
        message = ngettext_lazy(
            "The stake at this table is %(stake)s tokens and you have %(free)s token free.",
            "The stake at this table is %(stake)s tokens and you have %(free)s tokens free.",
            "free",
        )
        raise Refused("short", message % {"stake": table.stake, "free": short.free}) from None


def release(table: Table, user_id: int | None) -> None:
    """Give back what is held of somebody who leaves a waiting table."""
    if table.stake and user_id is not None:
        wallet.release(table.code, [user_id])


def begin(table: Table, now: datetime) -> None:
    """The match starts: stakes go into escrow, or back at once if it does not count."""
    if not table.stake:
        return
    if table.counts:
        wallet.stake(table.code, now)
    else:
        wallet.release(table.code)


def pay(table: Table, seats: Sequence[Seat], now: datetime) -> None:
    """The match is finished: the pot goes out, once."""
    if not table.stake or not table.counts:
        return
    standing = selectors.standing(table, seats)
    paid = shares(standing, table.stake)
    won = any(how.rank == 1 and not how.abandoned for how in standing)
    able = any(not how.abandoned and not how.absent for how in standing)
    reason = TokenReason.REFUND if not able else TokenReason.POT if won else TokenReason.SHARED
    by_user = {seat.user_id: tokens for seat, tokens in zip(seats, paid, strict=True) if seat.user_id is not None}
    wallet.settle(table.code, by_user, table.stake, reason, now)


def give_back(table: Table, now: datetime) -> None:
    """A table is called off, before or after its start: everybody has his stake back."""
    if not table.stake:
        return
    if table.status == Status.PLAYING and table.counts:
        people = {seat.user_id: table.stake for seat in selectors.seats(table) if seat.user_id is not None}
        wallet.settle(table.code, people, table.stake, TokenReason.REFUND, now)
    else:
        wallet.release(table.code)
