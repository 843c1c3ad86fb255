"""Counts finished matches for the statistics pages: soon after their end, each exactly once, outside the write path.

The end of a match leaves a row (`FreshMatch`); counting takes it away in the transaction that writes what was counted. Matches
of one person with bots alone count for nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import F, Min

from games import registry
from games import selectors as tables
from games.models import By, Seat, Table
from ranking import badges
from ranking.badges import Ply
from ranking.models import Badge, FreshMatch, GameTally, Played

LENGTH_STEP = 10
"""Turns a player, to a step of the histogram of lengths."""
LONGEST = 200


def expect(table: Table) -> None:
    """Note, in the transaction that ends a match, that it is to be counted."""
    FreshMatch.objects.create(table=table)


def count_fresh(most: int = 200) -> int:
    """Count the matches that ended since; returns how many. Two workers share the work."""
    counted = 0
    for pk in list(FreshMatch.objects.order_by("pk").values_list("pk", flat=True)[:most]):
        counted += _count(pk)
    return counted


@transaction.atomic
def _count(pk: int) -> bool:
    fresh = FreshMatch.objects.select_for_update(skip_locked=True, of=("self",)).select_related("table").filter(pk=pk).first()
    if fresh is None:
        return False
    table = fresh.table
    fresh.delete()
    seats, plies = _facts(table)
    if sum(seat.user_id is not None for seat in seats) > 1:
        rows = Played.objects.bulk_create(played_rows(table, seats, plies))
        _add(tallies(table, seats, plies), table.game)
        badges.award(table, rows, plies)
    return True


def _facts(table: Table) -> tuple[list[Seat], list[Ply]]:
    seats = list(Seat.objects.filter(table=table).select_related("user").order_by("number"))
    moves = tables.moves(table).values_list("seat", "by", "played_at", "events")
    return seats, [Ply(*row) for row in moves]


def played_rows(table: Table, seats: Iterable[Seat], plies: Iterable[Ply]) -> list[Played]:
    """One row for each registered person of a match."""
    assert table.ended_at is not None, "the end of a match has a time"
    delay, turns = delays(plies, table.started_at)
    return [
        Played(
            user=seat.user,
            table=table,
            game=table.game,
            players=table.seats_wanted,
            seat=seat.number,
            place=seat.place or 0,
            counts=table.counts,
            delay=round(delay[seat.number]),
            turns=turns[seat.number],
            late=seat.clock_moves,
            at=table.ended_at,
        )
        for seat in seats
        if seat.user is not None and not seat.user.is_guest and seat.number is not None
    ]


def delays(plies: Iterable[Ply], start: datetime | None) -> tuple[Counter[int], Counter[int]]:
    """Seconds taken and turns played by each seat's own player. A turn begins with the last move of somebody else."""
    seconds: Counter[int] = Counter()
    turns: Counter[int] = Counter()
    since, last = start, None
    for ply in plies:
        if ply.seat != last and ply.by == By.PLAYER and since is not None:
            seconds[ply.seat] += int((ply.at - since).total_seconds())
            turns[ply.seat] += 1
        since, last = ply.at, ply.seat
    return seconds, turns


def tallies(table: Table, seats: list[Seat], plies: Iterable[Ply]) -> dict[tuple[str, str], tuple[int, int]]:
    """What one match adds to the statistics of its game: (kind, key) -> (times, wins)."""
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for seat in seats:
        found["seat", f"{len(seats)}/{seat.number}"] = (1, int(seat.place == 1))
    decided = sum(seat.own_moves + seat.clock_moves for seat in seats)
    bots = sum(ply.by == By.BOT for ply in plies)
    step = min(LONGEST, (decided + bots) // len(seats) // LENGTH_STEP * LENGTH_STEP)
    found["length", str(step)] = (1, 0)
    game = registry.get(table.game)
    ends = Counter(key for ply in plies for event in ply.events if (key := game.ending(event)) is not None)
    return found | {("ending", key): (n, 0) for key, n in ends.items()}


def _add(game_tallies: dict[tuple[str, str], tuple[int, int]], game: str) -> None:
    """In the order of their keys, so that two workers cannot wait for each other."""
    keys = sorted(game_tallies)
    GameTally.objects.bulk_create((GameTally(game=game, kind=kind, key=key) for kind, key in keys), ignore_conflicts=True)
    for kind, key in keys:
        count, wins = game_tallies[kind, key]
        GameTally.objects.filter(game=game, kind=kind, key=key).update(count=F("count") + count, wins=F("wins") + wins)


class Difference(NamedTuple):
    """Something stored that is not what the matches say."""

    what: str
    stored: str
    counted: str

    def __str__(self) -> str:
        return f"{self.what}: {self.stored} is stored, the matches give {self.counted}"


def differences(*, rebuild: bool = False) -> Iterator[Difference]:
    """Count every counted match anew and compare: statistics of games, rows of people, badges. `rebuild` puts the statistics
    of games right and gives the badges that are missing; rows of people are never changed."""
    totals: dict[tuple[str, str, str], list[int]] = defaultdict(lambda: [0, 0])
    histories: dict[int, badges.History] = defaultdict(badges.History)
    missing: list[Badge] = []
    held = set(Badge.objects.values_list("user_id", "badge"))
    for table in _counted_tables():
        seats, plies = _facts(table)
        for (kind, key), numbers in tallies(table, seats, plies).items():
            total = totals[table.game, kind, key]
            total[0] += numbers[0]
            total[1] += numbers[1]
        rows = {row.user_id: row for row in Played.objects.filter(table=table)}
        for row in played_rows(table, seats, plies):
            yield from _compare_row(rows.get(row.user_id), row)
        for user_id, row in rows.items():
            keys = histories[user_id].add(row.game, row.place, row.late, row.turns, counts=row.counts)
            missing += badges.new(table, user_id, [*keys, *badges.of_match(table, row.seat, plies)], held)
    yield from _compare_tallies(totals, rebuild=rebuild)
    for badge in missing:
        yield Difference(f"badge {badge.badge} of user {badge.user_id}", "nothing", "it")
    if rebuild:
        Badge.objects.bulk_create(missing, ignore_conflicts=True)


def _counted_tables() -> Iterator[Table]:
    """The tables that have been counted, in that order."""
    first = Played.objects.values("table").annotate(first=Min("pk")).order_by("first").values_list("table", flat=True)
    for pk in list(first):
        yield Table.objects.get(pk=pk)


def _compare_row(stored: Played | None, counted: Played) -> Iterator[Difference]:
    names = ("game", "players", "seat", "place", "delay", "turns", "late")
    found, should = (None if row is None else tuple(getattr(row, name) for name in names) for row in (stored, counted))
    if found != should:
        yield Difference(f"table {counted.table_id}, user {counted.user_id}", str(found), str(should))


def _compare_tallies(totals: dict[tuple[str, str, str], list[int]], *, rebuild: bool) -> Iterator[Difference]:
    stored = {(row.game, row.kind, row.key): [row.count, row.wins] for row in GameTally.objects.all()}
    for key in sorted(stored.keys() | totals.keys()):
        found, should = stored.get(key, [0, 0]), list(totals.get(key, [0, 0]))
        if found == should:
            continue
        yield Difference(f"{key[0]}, {key[1]} {key[2]}", str(found), str(should))
        if rebuild:
            numbers = {"count": should[0], "wins": should[1]}
            GameTally.objects.update_or_create(game=key[0], kind=key[1], key=key[2], defaults=numbers)
