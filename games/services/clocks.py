"""The clock: sweeps the index of due seats, beats a heartbeat, gives back the time of an outage, resumes after a halt.

No timers and no ETA tasks: a deadline is a column, a sweep is a query. Two beats, redelivered tasks, twenty workers: one
acts, because each play locks its table and looks again (architecture, section 7; reliability D.2).
"""

from __future__ import annotations

import logging
import time
import urllib.error
import urllib.request
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from accounts import notices
from accounts.models import User
from games import clocktime, live
from games.errors import Forbidden, Over
from games.models import ClockState, Seat, Status, Table
from games.services import moves, running
from games.services.doors import door, lock, update

log = logging.getLogger(__name__)

HOLE = timedelta(seconds=60)
"""Without a heartbeat for longer than this the site was down."""
LEAST_EXTENSION = timedelta(minutes=30)
BATCH = 100
SWEEP_SECONDS = 20.0
"""How long one sweep may work before it leaves the rest to the next one."""
BAD_ROW_DELAY = timedelta(minutes=10)

ASK_EVERY = 15.0
_asked_at = -ASK_EVERY
_missing = False


def now() -> datetime:
    """The database's time."""
    return clocktime.now()


def sweep() -> int:
    """Play the turns that are due, oldest first; returns how many. Persons' turns only while the site is known to be up.

    Beats the heartbeat first (and gives back time after a hole); a row that fails is pushed ten minutes ahead and
    reported, the rest go on.
    """
    up = _site_answers()
    if up:
        beat(swept=True)
    if paused_since() is not None:
        return 0
    ends = time.monotonic() + SWEEP_SECONDS
    played = 0
    failed: set[int] = set()
    while time.monotonic() < ends:
        due = _due(people=up, without=failed)
        done = 0
        for seat_id, code, number in due:
            if time.monotonic() >= ends:
                break
            try:
                done += moves.play_for_absent(code, number)
            except Exception:
                log.exception("turn of seat %s at table %s could not be played", number, code)
                _push_ahead(seat_id)
                failed.add(seat_id)
        played += done
        if not done:
            break
    return played


def _due(*, people: bool, without: set[int]) -> list[tuple[int, str, int]]:
    """Due seats, oldest first: (id, table code, number). While the breaker is open, or the site does not answer, only bots
    and automatic seats."""
    seats = Seat.objects.filter(owes_move=True, deadline__lte=clocktime.now()).exclude(pk__in=without)
    if not people or halted():
        seats = seats.filter(Q(automatic_since__isnull=False) | ~Q(bot=""))
    rows = seats.order_by("deadline").values_list("pk", "table__code", "number")[:BATCH]
    return [(pk, code, number) for pk, code, number in rows if number is not None]


def _push_ahead(seat_id: int) -> None:
    Seat.objects.filter(pk=seat_id, owes_move=True).update(
        deadline=clocktime.now() + BAD_ROW_DELAY, extension=F("extension") + BAD_ROW_DELAY.seconds
    )


def halted() -> bool:
    """Whether the circuit breaker is open."""
    return ClockState.objects.filter(pk=1, halted_at__isnull=False).exists()


def resume() -> bool:
    """Close the circuit breaker again; returns whether it was open. The turns then due count from now on."""
    return bool(ClockState.objects.filter(pk=1, halted_at__isnull=False).update(halted_at=None, reason=""))


def paused_since() -> datetime | None:
    """Since when the staff has stopped all clocks; None while they go."""
    return ClockState.objects.filter(pk=1).values_list("paused_at", flat=True).first()


@door
def pause() -> bool:
    """Stop all clocks: sweeps play nobody's turn until `unpause`. Returns whether they went before."""
    moment = clocktime.now()
    ClockState.objects.get_or_create(pk=1, defaults={"beat_at": moment})
    return bool(ClockState.objects.filter(pk=1, paused_at__isnull=True).update(paused_at=moment))


@door
def unpause() -> timedelta | None:
    """Let the clocks go on: every deadline moves by the time it stood still. Returns the length of the pause, None if there
    was none. A turn that began during the pause begins now."""
    state = ClockState.objects.select_for_update().filter(pk=1, paused_at__isnull=False).first()
    if state is None or state.paused_at is None:
        return None
    _no_timeouts()
    moment, since = clocktime.now(), state.paused_at
    gift = moment - since
    owing = Q(owes_move=True, automatic_since__isnull=True, bot="", table__pace__isnull=False, table__status=Status.PLAYING)
    ids = sorted(set(Seat.objects.filter(owing).values_list("table_id", flat=True)))
    tables = list(Table.objects.select_for_update(no_key=True).filter(pk__in=ids, status=Status.PLAYING).order_by("pk"))
    for table in tables:
        _move_deadlines(table, since, moment)
    update(state, paused_at=None)
    return gift


def _move_deadlines(table: Table, since: datetime, moment: datetime) -> None:
    """Give the people of a locked table back the time from `since` to `moment`, and tell them."""
    gift = moment - since
    seats = Seat.objects.filter(table=table, owes_move=True, automatic_since__isnull=True, bot="")
    seats.filter(owes_since__lte=since).update(
        deadline=F("deadline") + gift, extension=F("extension") + int(gift.total_seconds())
    )
    fresh = moment + timedelta(seconds=table.pace or 0)
    seats.filter(owes_since__gt=since).update(owes_since=moment, deadline=fresh, extension=0)
    running.add_event(table, ["paused", int(gift.total_seconds())], moment)
    update(table, version=table.version + 1)
    live.announce(table)


def _no_timeouts() -> None:
    """Lift the database's time limits for this transaction, which touches every running table."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")


def _site_answers() -> bool:
    """Whether the web process answers, where `CLOCK_PROBE_URL` says how to ask; a site nobody can reach is down."""
    if not settings.CLOCK_PROBE_URL:
        return True
    try:
        with urllib.request.urlopen(f"{settings.CLOCK_PROBE_URL}/livez", timeout=2) as answer:  # noqa: S310 - our own address
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


@door
def beat(*, swept: bool) -> None:
    """Write the heartbeat. After a hole, first move the deadlines that fell into it, once, in the same transaction."""
    moment = clocktime.now()
    ClockState.objects.get_or_create(pk=1, defaults={"beat_at": moment})
    state = ClockState.objects.select_for_update().get(pk=1)
    moment = clocktime.now()
    # While the clocks stand still no time is lost: `unpause` gives all of it back.
    if moment - state.beat_at > HOLE and state.paused_at is None:
        _give_back(state.beat_at, moment)
    values = {"beat_at": moment, "swept_at": moment} if swept else {"beat_at": moment}
    update(state, **values)


def _give_back(down_since: datetime, moment: datetime) -> None:
    """Deadlines of people that fell into the hole, or fall within 30 minutes after it, move by its length, at least
    30 minutes (P9). Tables are locked before seats, in order, as everywhere."""
    _no_timeouts()
    gift = max(moment - down_since, LEAST_EXTENSION)
    hit = Q(owes_move=True, automatic_since__isnull=True, bot="", table__pace__isnull=False) & Q(
        deadline__gt=down_since, deadline__lte=moment + LEAST_EXTENSION
    )
    ids = sorted(set(Seat.objects.filter(hit).values_list("table_id", flat=True)))
    tables = list(Table.objects.select_for_update(no_key=True).filter(pk__in=ids, status=Status.PLAYING).order_by("pk"))
    for table in tables:
        extension = F("extension") + int(gift.total_seconds())
        Seat.objects.filter(hit, table=table).update(deadline=F("deadline") + gift, extension=extension)
        running.add_event(table, ["extended", int(gift.total_seconds())], moment)
        update(table, version=table.version + 1)
        live.announce(table)
    log.warning("down from %s to %s: %d tables got %s more", down_since, moment, len(tables), gift)


def visit(table: Table, seats: list[Seat]) -> None:
    """A signed-in member looks at a table. Costs nothing while sweeps come; when the last one is over 60 s old, visits keep
    the heartbeat (the site is up, only its clock is not) and play what is overdue at the table visited."""
    if not _sweeps_are_missing():
        return
    beat(swept=False)
    for seat in seats:
        if seat.owes_move and seat.number is not None and not halted() and paused_since() is None:
            moves.play_for_absent(table.code, seat.number)


def _sweeps_are_missing() -> bool:
    """Whether the last sweep is over 60 s old; each process asks the database every 15 s at most."""
    global _asked_at, _missing
    if time.monotonic() - _asked_at >= ASK_EVERY:
        _missing = ClockState.objects.filter(pk=1, swept_at__lt=clocktime.now() - HOLE).exists()
        _asked_at = time.monotonic()
    return _missing


@door
def take_back(code: str, *, user: User) -> Table:
    """A player switches automatic mode off and plays on himself, with a fresh deadline if it is his turn."""
    table = lock(code)
    seat = Seat.objects.filter(table=table, user=user).first()
    if seat is None:
        raise Forbidden("not_seated")
    if table.status != Status.PLAYING:
        raise Over("over")
    if seat.abandoned:
        raise Forbidden("abandoned", _("You have left this match: the site plays your seat to the end."))
    if not seat.automatic:
        return table
    moment: datetime = table.now  # type: ignore[attr-defined]
    seat.automatic_since, seat.strikes = None, 0
    if seat.owes_move:
        running.start_turn(seat, table, moment)
        notices.drop(user_id=user.pk, kind="turn", table=table.code)
    Seat.objects.bulk_update([seat], running.SEAT_COLUMNS)
    running.add_event(table, ["took_back", seat.number], moment)
    update(table, version=table.version + 1)
    live.announce(table, [user.pk])
    return table


def mark_seen(table: Table, seat: Seat) -> None:
    """The player has looked at his turn: no mail about it. Written once a turn."""
    if not seat.owes_move or seat.user_id is None or (seat.seen_at and seat.owes_since and seat.seen_at >= seat.owes_since):
        return
    with transaction.atomic():
        Seat.objects.filter(pk=seat.pk).update(seen_at=clocktime.now())
        notices.drop(user_id=seat.user_id, kind="turn", table=table.code)
