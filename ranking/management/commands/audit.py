"""`manage.py audit`: proves tables, tokens, holds, escrow, points and standings from the log, and prints every difference."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

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
        for problem in audit.everything(replay=not options["no_replay"]):
            count += 1
            self.stdout.write(problem)
        self.stdout.write(f"{count} differences")
        if count:
            sys.exit(1)
