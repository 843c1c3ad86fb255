"""Background work of ranking. Each task may run twice, late or by several workers: the rows decide."""

from __future__ import annotations

from celery import shared_task

from ranking import rungs, seasons, statistics


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
