"""`manage.py audit`: proves tables, tokens, holds, escrow, points and standings from the log, and prints every difference."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import connection, transaction

from accounts import token_audit
from games import observe, stake_audit
from games.models import Table
from ranking import audit


class Command(BaseCommand):
    """Ends with status 1 if there is a difference. Changes nothing."""

    help = "Recompute states, tokens, holds, escrow, points and standings from the log; prints each difference, exit 1 if any."

    def add_arguments(self, parser: CommandParser) -> None:
        """`--no-replay` leaves out the slow part."""
        parser.add_argument("--no-replay", action="store_true", help="do not replay the moves of every table")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the differences and their number."""
        count = 0
        for problem in differences(replay=not options["no_replay"]):
            count += 1
            self.stdout.write(problem)
        self.stdout.write(f"{count} differences")
        if count:
            sys.exit(1)


def differences(*, replay: bool = True) -> Iterator[str]:
    """Every difference, as a line. All but the standings are read as of one moment, so the site may run meanwhile."""
    with transaction.atomic():
        if connection.vendor == "postgresql" and not connection.savepoint_ids:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                cursor.execute("SET LOCAL statement_timeout = 0")
        if replay:
            for table in Table.objects.filter(started_at__isnull=False).order_by("pk").iterator(chunk_size=200):
                yield from observe.audit(table)
        yield from token_audit.problems()
        yield from stake_audit.problems()
        yield from audit.wrong_points()
    for difference in audit.differences():
        yield f"standings: {difference}"
