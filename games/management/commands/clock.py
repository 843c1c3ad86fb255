"""`manage.py clock`: how the clock of the games stands; `--resume` closes its circuit breaker again."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games import clocktime
from games.models import ClockState, Seat
from games.services import clocks


class Command(BaseCommand):
    help = "Show heartbeat, last sweep, overdue turns and the circuit breaker; --resume lets the clock go on after a halt."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--resume", action="store_true", help="close the circuit breaker")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["resume"]:
            self.stdout.write("resumed" if clocks.resume() else "the clock was not halted")
        state = ClockState.objects.filter(pk=1).first()
        overdue = Seat.objects.filter(owes_move=True, deadline__lt=clocktime.now()).count()
        self.stdout.write(f"heartbeat {state.beat_at if state else 'never'}, last sweep {state.swept_at if state else 'never'}")
        self.stdout.write(f"overdue turns {overdue}")
        if state and state.halted_at:
            self.stdout.write(f"HALTED since {state.halted_at}: {state.reason}")
