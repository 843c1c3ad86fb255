"""Background work of ranking. Each task may run twice, late or by several workers: the rows decide."""

from __future__ import annotations

import logging

from celery import shared_task

from ranking import audit, rungs, seasons, statistics

log = logging.getLogger(__name__)


@shared_task
def fold_rungs() -> int:
    """Put the rows of each rung together; how many rungs had several."""
    return rungs.fold()


@shared_task
def count_fresh() -> int:
    """Count the statistics of matches that ended since; how many."""
    return statistics.count_fresh()


@shared_task
def close_seasons() -> list[str]:
    """Close the months that are over; which."""
    return seasons.close_over()


@shared_task(time_limit=3600)
def audit_ledgers() -> int:
    """Recompute tokens, holds, escrow, points and standings; the number of differences, each one logged."""
    count = 0
    for problem in audit.everything(replay=False):
        count += 1
        log.error("audit: %s", problem)
    return count
