"""What ranking does when a match ends, and when somebody is penalised for having abandoned one."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.dispatch import receiver

from games.models import Table
from games.services import hints
from games.services.endings import Result, table_finished
from games.services.penalties import penalised
from games.services.voiding import table_voided
from ranking import ledger, ratings, statistics


@receiver(table_finished, dispatch_uid="ranking.pay_points")
def pay_points(*, table: Table, results: list[Result], **kwargs: Any) -> None:
    """Write the points and the ratings of the match in the transaction that ends it; its statistics are counted soon after."""
    ledger.record(table, results)
    ratings.record(table, results)
    statistics.expect(table)
    transaction.on_commit(lambda: hints.send("ranking.tasks.count_fresh"), robust=True)


@receiver(penalised, dispatch_uid="ranking.take_points")
def take_points(*, table: Table, user_id: int, at: datetime, **kwargs: Any) -> None:
    """Take the penalty in the transaction that decides it."""
    ledger.penalise(table, user_id, at)


@receiver(table_voided, dispatch_uid="ranking.take_back")
def take_back(*, table: Table, **kwargs: Any) -> None:
    """Take back what a void match paid."""
    ledger.void(table)
