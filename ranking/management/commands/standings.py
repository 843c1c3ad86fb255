"""`manage.py standings`: proves that standings and rungs are what the ledger says, or rebuilds them from it."""

from __future__ import annotations

from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ranking import audit, rungs


class Command(BaseCommand):
    """Prints each difference. `--check` ends with status 1 if there is one; `--rebuild` puts them right."""

    help = "Compare the standings with the ledger of XP (--check), or rebuild them from it (--rebuild)."

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--check", action="store_true", help="change nothing; end with status 1 if they differ")
        what.add_argument("--rebuild", action="store_true", help="make the standings what the ledger says")

    def handle(self, *args: Any, **options: Any) -> None:
        rebuild: bool = options["rebuild"]
        count = 0
        for difference in chain(audit.differences(rebuild=rebuild), rungs.differences(rebuild=rebuild)):
            count += 1
            self.stdout.write(str(difference))
        if count and not rebuild:
            raise CommandError(f"{count} standings differ from the ledger.")
        self.stdout.write(f"{count} standings put right." if count else "The standings agree with the ledger.")
