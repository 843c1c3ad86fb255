"""The Celery application. Messages are hints only: the database rows are the jobs (see games/services/clocks.py)."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_init, worker_process_init

# Set before the app is made: Celery's Django fixup then closes connections round every task.
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cinqsite.settings")

app = Celery("cinqsite")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_process_init.connect
def _die_with_worker(**kwargs: Any) -> None:
    """A pool process whose worker was killed hard would stay for ever."""
    from cinqsite.processes import die_with_parent

    die_with_parent()


@worker_init.connect
def _refuse_to_start_unsafe(**kwargs: Any) -> None:
    from cinqsite.checks import refuse_to_start_unsafe

    refuse_to_start_unsafe()
