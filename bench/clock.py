"""The clock: many turns fall due in the same instant; how late one worker plays them, and how many a second."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

from django.db.models import F

from bench.house import House, medians, percentile, report, resident
from bench.matches import open_matches
from games import clocktime
from games.models import By, ClockState, Seat
from games.services.running import move_model

TURNS = 200
PACE = 86400
AHEAD = timedelta(seconds=2)
PATIENCE = 60.0


def run(house: House) -> None:
    """One worker of one process, one beat, as `make run` starts them."""
    celery = ["-m", "celery", "-q", "-A", "cinqsite"]
    flags = "worker -P prefork -c 1 -Q clock,default,mail -l error --without-gossip --without-mingle"
    worker = house.python([*celery, *flags.split()])
    beat = house.python([*celery, "beat", "-l", "error", "--pidfile=", "-s", str(house.folder / "beat")])
    wait_for_sweep()
    ids = [match.pk for match in open_matches(TURNS, PACE)]
    figures = medians(lambda: fall_due(ids))
    report(
        "clock.lateness",
        f"{TURNS} turns due together, one worker",
        figures["p50"],
        "s p50",
        p99_s=round(figures["p99"], 2),
        max_s=round(figures["max"], 2),
        unplayed=int(figures["unplayed"]),
    )
    report("clock.rate", "one worker", figures["rate"], "timeouts/s")
    report("clock.memory", "worker (main, pool process)", max(resident(worker)), "MiB", runs=1, processes=resident(worker))
    report("clock.memory", "beat", max(resident(beat)), "MiB", runs=1)
    house.end(worker, beat)


def wait_for_sweep() -> None:
    """Until the worker has swept once; RuntimeError when it does not."""
    limit = time.monotonic() + 30
    while not ClockState.objects.filter(swept_at__isnull=False).exists():
        if time.monotonic() > limit:
            raise RuntimeError("no sweep within 30 s")
        time.sleep(0.1)


def fall_due(ids: list[int]) -> dict[str, float]:
    """Let the turns of these tables fall due in the same instant, wait until they are played, and say how late each was."""
    due = clocktime.now() + AHEAD
    # Strikes away, so that no seat becomes automatic; both times together, or the circuit breaker would count them.
    Seat.objects.filter(table__in=ids).update(strikes=0, automatic_since=None)
    owing = Seat.objects.filter(table__in=ids, owes_move=True)
    before: dict[int, Any] = dict(owing.values_list("table_id", "table__plies"))
    owing.update(deadline=due, owes_since=due - timedelta(seconds=PACE), extension=F("extension") * 0)
    limit = time.monotonic() + PATIENCE
    while Seat.objects.filter(table__in=ids, deadline=due).exists() and time.monotonic() < limit:
        time.sleep(0.2)
    rows = move_model("cinq")._default_manager.filter(table__in=ids, by=By.CLOCK, played_at__gte=due).order_by("ply")
    first: dict[int, Any] = {}
    for table, ply, at in rows.values_list("table_id", "ply", "played_at"):
        if ply > before[table]:
            first.setdefault(table, at)
    moments = sorted(first.values())
    late = [(at - due).total_seconds() for at in moments] or [PATIENCE]
    span = (moments[-1] - moments[0]).total_seconds() if len(moments) > 1 else PATIENCE
    return {
        "p50": percentile(late, 0.5),
        "p99": percentile(late, 0.99),
        "max": late[-1],
        "rate": (len(moments) - 1) / span if span else 0.0,
        "unplayed": len(ids) - len(first),
    }
