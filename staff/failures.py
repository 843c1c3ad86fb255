"""Keeps which background tasks failed, for the panel's home. A row too many is no harm, a lost one neither."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

from django.db import DatabaseError

from games import clocktime
from staff.models import FailedTask

log = logging.getLogger(__name__)
KEPT = timedelta(days=30)


def keep(sender: Any = None, exception: BaseException | None = None, **kwargs: Any) -> None:
    """Note the failure of a task, and drop what is older than thirty days."""
    try:
        now = clocktime.now()
        FailedTask.objects.create(task=str(getattr(sender, "name", ""))[:100], error=type(exception).__name__[:100], at=now)
        FailedTask.objects.filter(at__lt=now - KEPT).delete()
    except DatabaseError:
        log.warning("the failure of a task was not kept")
