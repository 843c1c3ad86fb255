"""The only writer of ratings and of their log, while a match ends; and the proof of one from the other.

Each entry of the log keeps what a replay needs (side, rank, gone) beside the skill it led to. Rows of ratings are locked by
user id before anything is read, so entries of people who met are written one match after the other: replayed in the order of
the log, every number comes out the same to the last bit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Min

from games.engine.shares import clock_decided
from games.esteem import Cote
from games.models import Table
from games.services.endings import Result
from ranking.models import Rating, RatingEntry
from ranking.skill import Finisher, Skill, rate


def record(table: Table, results: Iterable[Result]) -> None:
    """Rate a match that was just played to the end, inside the transaction that ends it. Those that do not count rate nobody."""
    finishers = _finishers(table, results) if table.counts else []
    if len({finisher.side for finisher in finishers}) < 2:
        return
    assert table.ended_at is not None, "the end of a match has a time"
    ratings = _lock(table.game, [finisher.user_id for finisher in finishers])
    after = rate(finishers, {user_id: Skill(row.mu, row.sigma) for user_id, row in ratings.items()})
    for finisher in finishers:
        row = ratings[finisher.user_id]
        row.mu, row.sigma = after[finisher.user_id]
        row.matches += 1
    Rating.objects.bulk_update(ratings.values(), ["mu", "sigma", "matches"])
    RatingEntry.objects.bulk_create(
        RatingEntry(
            user_id=one.user_id,
            table=table,
            game=table.game,
            side=one.side,
            rank=one.rank,
            gone=one.gone,
            mu=after[one.user_id].mu,
            sigma=after[one.user_id].sigma,
            at=table.ended_at,
        )
        for one in finishers
    )


def _finishers(table: Table, results: Iterable[Result]) -> list[Finisher]:
    """The registered people of a match, by user id."""
    seats = list(results)
    sides = table.rules.sides(table.rules.read_options(table.options), len(seats))
    known = set(
        get_user_model()
        .objects.filter(pk__in=[seat.user_id for seat in seats if seat.user_id], is_guest=False)
        .values_list("pk", flat=True)
    )
    return sorted(
        Finisher(seat.user_id, seat.seat % sides, seat.rank, seat.abandoned or clock_decided(seat.own_moves, seat.clock_moves))
        for seat in seats
        if seat.user_id in known and seat.user_id is not None
    )


def _lock(game: str, users: Sequence[int]) -> dict[int, Rating]:
    """The rating of each of these people (by id), made if need be, locked in that order."""
    Rating.objects.bulk_create((Rating(user_id=user, game=game) for user in users), ignore_conflicts=True)
    rows = Rating.objects.filter(game=game, user_id__in=users).order_by("user_id").select_for_update(no_key=True)
    return {row.user_id: row for row in rows}


def cotes(pairs: Iterable[tuple[int, str]]) -> dict[tuple[int, str], Cote]:
    """What the games show of (user id, game): the cote of those who have played a rated match, in one query."""
    wanted = set(pairs)
    if not wanted:
        return {}
    rows = Rating.objects.filter(user_id__in={user for user, _game in wanted}, game__in={game for _user, game in wanted})
    return {key: Cote(row.skill.cote, row.skill.margin) for row in rows if (key := (row.user_id, row.game)) in wanted}


class Difference(NamedTuple):
    """A number that a replay of the log does not find. `where` is a rating or an entry."""

    where: str
    stored: str
    replayed: str

    def __str__(self) -> str:
        return f"{self.where}: {self.stored} is stored, the log gives {self.replayed}"


CHUNK = 500
"""Matches replayed at once."""


def differences(*, rebuild: bool = False) -> Iterator[Difference]:
    """Replay the whole log: every entry that is not what the ones before it lead to, and every rating that is not its owner's
    last entry; `rebuild` puts the ratings right (entries are never changed)."""
    last: dict[tuple[int, str], Rating] = {}
    for entries in _matches():
        game = entries[0].game
        skills = {one.user_id: Skill(row.mu, row.sigma) for one in entries if (row := last.get((one.user_id, game)))}
        after = rate((Finisher(one.user_id, one.side, one.rank, one.gone) for one in entries), skills)
        for one in entries:
            found = Skill(one.mu, one.sigma)
            if found != after.get(one.user_id):
                yield Difference(f"entry of user {one.user_id}, table {one.table_id}", str(found), str(after.get(one.user_id)))
            row = last.setdefault((one.user_id, game), Rating(user_id=one.user_id, game=game))
            row.mu, row.sigma, row.matches = one.mu, one.sigma, row.matches + 1
    yield from _compare(last, rebuild=rebuild)


def _matches() -> Iterator[list[RatingEntry]]:
    """The entries of each rated match, in the order they were written."""
    order = RatingEntry.objects.values("table").annotate(first=Min("pk")).order_by("first").values_list("table", flat=True)
    tables = order.iterator(chunk_size=CHUNK)
    while chunk := list(islice(tables, CHUNK)):
        found: dict[int, list[RatingEntry]] = defaultdict(list)
        for entry in RatingEntry.objects.filter(table__in=chunk).order_by("pk"):
            found[entry.table_id].append(entry)
        yield from (found[table] for table in chunk)


def _compare(last: dict[tuple[int, str], Rating], *, rebuild: bool) -> Iterator[Difference]:
    stored = {(row.user_id, row.game): row for row in Rating.objects.iterator()}
    for key in sorted(last.keys() | stored.keys()):
        is_, should = _say(stored.get(key)), _say(last.get(key))
        if is_ == should:
            continue
        yield Difference(f"rating of user {key[0]}, {key[1]}", is_, should)
        if rebuild:
            with transaction.atomic():
                _put_right(key, last.get(key))


def _put_right(key: tuple[int, str], row: Rating | None) -> None:
    user_id, game = key
    if row is None:
        Rating.objects.filter(user_id=user_id, game=game).delete()
    else:
        numbers = {"mu": row.mu, "sigma": row.sigma, "matches": row.matches}
        Rating.objects.update_or_create(user_id=user_id, game=game, defaults=numbers)


def _say(row: Rating | None) -> str:
    return "nothing" if row is None else f"mu {row.mu!r}, sigma {row.sigma!r} after {row.matches} matches"
