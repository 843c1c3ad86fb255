"""Background work of ranking. Each task may run twice, late or by several workers: the rows decide."""

from __future__ import annotations

from celery import shared_task

from ranking import rungs


@shared_task
def fold_rungs() -> int:
    """Put the rows of each rung together; how many rungs had several."""
    return rungs.fold()
