"""Declaring a finished match void: it did not count after all. Entries of the opposite sign take back what it paid.

The match, its places and its record stay as they are. Who may do it, and the second person it needs where tokens were staked,
are the staff panel's to see to.
"""

from __future__ import annotations

from datetime import datetime

from django.dispatch import Signal
from django.utils.translation import gettext_lazy as _

from accounts import wallet
from games import live
from games.errors import Closed
from games.models import Penalty, Seat, Status, Table, Uncounted
from games.services import running
from games.services.doors import door, lock, update

table_voided = Signal()
"""Sent inside the transaction that declares a finished match void: `table`."""


@door
def void(code: str) -> Table:
    """Declare a finished match void; twice is the same as once. Raises NotFound, Closed for one that never counted."""
    table = lock(code)
    if table.uncounted == Uncounted.VOID:
        return table
    if table.status != Status.FINISHED or not table.counts:
        raise Closed("not_counted", _("Only a finished match that counts can be declared void."))
    now: datetime = table.now  # type: ignore[attr-defined]
    running.add_event(table, ["uncounted", Uncounted.VOID.value], now)
    Seat.objects.filter(table=table, penalty=Penalty.OPEN).update(penalty=Penalty.DROPPED)
    update(table, counts=False, uncounted=Uncounted.VOID, version=table.version + 1)
    if table.stake:
        wallet.void(table.code, now)
    table_voided.send(sender=Table, table=table)
    live.announce(table)
    return table
