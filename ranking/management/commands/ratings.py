"""`manage.py ratings`: replays the log of ratings and proves, or puts right, the ratings by it."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ranking import ratings
from ranking.one_moment import one_moment


class Command(BaseCommand):
    """Prints each difference. `--check` ends with status 1 if there is one; `--rebuild` puts the ratings right."""

    help = "Replay the log of ratings and compare every number (--check), or rebuild the ratings from it (--rebuild)."

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--check", action="store_true", help="change nothing; end with status 1 if they differ")
        what.add_argument("--rebuild", action="store_true", help="make the ratings what the log says")

    def handle(self, *args: Any, **options: Any) -> None:
        rebuild: bool = options["rebuild"]
        count = 0
        with nullcontext() if rebuild else one_moment():
            for difference in ratings.differences(rebuild=rebuild):
                count += 1
                self.stdout.write(str(difference))
        if count and not rebuild:
            raise CommandError(f"{count} numbers differ from the log of ratings.")
        self.stdout.write(f"{count} differences; the ratings are put right." if count else "The ratings agree with their log.")
