"""`manage.py rewind CODE PLY`, or `manage.py rewind --by clock --between FROM TO`: take running matches back after a fault.

The second form takes back every running table at which the clock decided a ply between two moments (ISO 8601) in the hand
being played: to the position before the first such ply. Each table is a transaction of its own; a second run finds nothing more.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from games import observe, selectors
from games.errors import Refused
from games.models import By, Status, Table
from games.services import oversight


class Command(BaseCommand):
    help = "Take a running match back to an earlier ply of its hand, or all those that the clock played between two moments."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("code", nargs="?")
        parser.add_argument("ply", nargs="?", type=int)
        parser.add_argument("--by", choices=["clock"], help="whose plies are taken back")
        parser.add_argument("--between", nargs=2, metavar=("FROM", "TO"), help="two moments, ISO 8601; without zone: the site's")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["by"] and options["between"] and not options["code"]:
            low, high = (self._moment(text) for text in options["between"])
            self._many(low, high)
        elif options["code"] and options["ply"] is not None and not options["by"]:
            self.stdout.write(f"{options['code']}: ply {self._one(options['code'], options['ply'])}")
        else:
            raise CommandError("either CODE PLY, or --by clock --between FROM TO")

    def _moment(self, text: str) -> datetime:
        moment = parse_datetime(text)
        if moment is None:
            raise CommandError(f"no moment: {text}")
        return moment if timezone.is_aware(moment) else timezone.make_aware(moment)

    def _one(self, code: str, ply: int) -> int:
        try:
            return oversight.rewind(code, ply)
        except Refused as refused:
            raise CommandError(str(refused)) from None

    def _many(self, low: datetime, high: datetime) -> None:
        done = left = 0
        for table in Table.objects.filter(status=Status.PLAYING).order_by("pk").iterator(chunk_size=200):
            meant = [row.ply for row in observe.line(selectors.moves(table)) if self._is_meant(row, low, high)]
            if not meant:
                continue
            try:
                floor = oversight.rewind_floor(table.code)
                # What an earlier hand holds stays: nobody goes behind a deal.
                first = next((ply for ply in meant if ply > floor), None)
                if first is not None:
                    self.stdout.write(f"{table.code}: back to {first - 1} by ply {oversight.rewind(table.code, first - 1)}")
                    done += 1
            except Refused as refused:
                self.stdout.write(f"{table.code}: {refused}")
                left += 1
        self.stdout.write(f"{done} tables taken back, {left} not")

    def _is_meant(self, row: Any, low: datetime, high: datetime) -> bool:
        return row.by == By.CLOCK and low <= row.played_at <= high
