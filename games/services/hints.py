"""Celery messages are hints: "somebody may look at this table now". Losing all of them costs seconds, never a move."""

from __future__ import annotations

import logging
import time

from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError

log = logging.getLogger(__name__)
SICK_SECONDS = 30.0
_sick_until = 0.0


def send(task: str, *args: str) -> bool:
    """Publish one task message; False when the broker does not take it. A sick broker is left alone for 30 s.

    With a hung broker one caller waits a second once, not every request.
    """
    global _sick_until
    if not settings.BROKER_URL or time.monotonic() < _sick_until:
        return False
    try:
        current_app.send_task(task, args=args, retry=False)
    except (OperationalError, OSError) as error:
        _sick_until = time.monotonic() + SICK_SECONDS
        log.warning("no broker, doing the work here: %s", error)
        return False
    return True
