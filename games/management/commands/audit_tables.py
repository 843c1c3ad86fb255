"""`manage.py audit_tables`: replay the log of tables and print every difference to what is stored. Exit 1 if there is one."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games import observe
from games.models import Table


class Command(BaseCommand):
    help = "Replay every started table (or those named) and compare states, events and snapshots; prints each difference."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("codes", nargs="*")

    def handle(self, *args: Any, **options: Any) -> None:
        tables = Table.objects.filter(started_at__isnull=False).order_by("pk")
        if options["codes"]:
            tables = tables.filter(code__in=options["codes"])
        count = problems = 0
        for table in tables.iterator(chunk_size=200):
            count += 1
            for problem in observe.audit(table):
                problems += 1
                self.stdout.write(problem)
        self.stdout.write(f"{count} tables, {problems} differences")
        if problems:
            sys.exit(1)
