"""Celery tasks of games. All are hints: doing one twice, or never, changes nothing that a sweep does not make good."""

from __future__ import annotations

import logging

from celery import shared_task

from games import observe
from games.models import Status, Table
from games.services import abandon, clocks, moves, penalties, tables

log = logging.getLogger(__name__)


@shared_task
def sweep() -> int:
    """Play the turns that are due; the number of turns played."""
    return clocks.sweep()


@shared_task
def play_waiting(code: str) -> int:
    """Play the bots and automatic seats of one table; the number of turns played."""
    return moves.play_waiting(code)


@shared_task
def close_old() -> int:
    """Close tables that never started; how many."""
    return tables.close_old()


@shared_task
def close_late() -> int:
    """End what waits for words and got none in time: proposals to stop, votes about penalties; how many."""
    return abandon.close_proposals() + penalties.close_votes()


@shared_task
def audit() -> int:
    """Replay every running table and compare with its snapshot; the number of differences, each one logged."""
    problems = 0
    for table in Table.objects.filter(status=Status.PLAYING).order_by("pk").iterator(chunk_size=200):
        for problem in observe.audit(table):
            problems += 1
            log.error("audit: %s", problem)
    return problems
