"""`manage.py statistics`: counts every match anew and proves, or puts right, statistics and badges."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ranking import statistics
from ranking.one_moment import one_moment


class Command(BaseCommand):
    """Prints each difference. `--check` ends with status 1 if there is one; `--rebuild` puts right what may be changed."""

    help = "Count all matches anew and compare statistics and badges (--check), or put them right (--rebuild)."

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--check", action="store_true", help="change nothing; end with status 1 if they differ")
        what.add_argument("--rebuild", action="store_true", help="put statistics of games right and give missing badges")

    def handle(self, *args: Any, **options: Any) -> None:
        rebuild: bool = options["rebuild"]
        statistics.count_fresh()
        count = 0
        with nullcontext() if rebuild else one_moment():
            for difference in statistics.differences(rebuild=rebuild):
                count += 1
                self.stdout.write(str(difference))
        if count and not rebuild:
            raise CommandError(f"{count} numbers differ from the matches.")
        self.stdout.write(f"{count} differences put right." if count else "The statistics agree with the matches.")
