"""What ranking does when a match ends."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from games.models import Table
from games.services.endings import Result, table_finished
from ranking import ledger


@receiver(table_finished, dispatch_uid="ranking.pay_points")
def pay_points(*, table: Table, results: list[Result], **kwargs: Any) -> None:
    """Write the points of the match in the transaction that ends it."""
    ledger.record(table, results)
