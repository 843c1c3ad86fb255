"""Quick match: sit at the open table that fits best, or open one where the next to come will sit.

People who ask in the same instant decide one after the other (a lock of the database's, not of a row), so two of them meet
at one table instead of opening two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import fmean

from django.db import connection
from django.db.models import Prefetch, QuerySet

from accounts.models import User
from games import esteem, registry, selectors
from games.errors import Refused
from games.esteem import Cote
from games.models import Seat, Status, Table, Visibility
from games.paces import QUICK_PACES
from games.services import tables
from games.services.doors import door

LOCK = 0x51C
CANDIDATES = 100
"""How many of the newest open tables are compared."""
# What keeps a table from fitting, in one measure: 400 points of cote between the people.
FREE_PLACE = 0.25
FRIENDLY = 0.25
LATE_TURNS = 4.0
"""Weight of the share of turns that the people there let run out."""
UNKNOWN_PUNCTUALITY = 0.9


@door
def play_quick(*, user: User, game: str = "", pace: str = "", stake: int = 0, origin: str = "") -> Table:
    """The table at which `user` sits now; the one where he waits already, if it is such a one.

    `game` is a key or "" for any, `pace` a key of QUICK_PACES or "" for any, `stake` the most tokens he would risk. Guests
    play friendly matches only. Raises KeyError for a game or pace that there is not, Refused where he may not open a table.
    """
    if game:
        registry.get(game)
    _one_at_a_time()
    fitting = _open_tables(user, game, QUICK_PACES[pace] if pace else None, stake)
    if waiting := fitting.filter(seats__user=user).first():
        return waiting
    found = fitting.exclude(seats__user=user).exclude(removals__user=user)
    for table in _best_first(user, list(found[:CANDIDATES])):
        try:
            return tables.sit(table.code, user=user, origin=origin)
        except Refused:
            continue  # full, closed or barred since we looked
    return _open(user, registry.get(game or _usual_game(user)), pace, origin)


def _one_at_a_time() -> None:
    """Until the transaction ends. SQLite's transactions write alone anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])


def _open_tables(user: User, game: str, paces: tuple[int, ...] | None, stake: int) -> QuerySet[Table]:
    """Newest first, with their seats."""
    found = Table.objects.filter(status=Status.OPEN, visibility=Visibility.PUBLIC, stake__lte=stake)
    if game:
        found = found.filter(game=game)
    if paces is not None:
        found = found.filter(pace__in=paces)
    if user.is_guest:
        found = found.filter(competitive=False)
    return (
        selectors.without_blocks(found, user).order_by("-pk").prefetch_related(Prefetch("seats", Seat.objects.order_by("joined")))
    )


def _best_first(user: User, found: list[Table]) -> list[Table]:
    """By how well they fit; among equals who has waited longest."""
    people = {seat.user_id for table in found for seat in table.seats.all() if seat.user_id is not None}
    pairs = {(pk, table.game) for table in found for pk in (user.pk, *_people(table))}
    cotes, punctual = esteem.source.cotes(pairs), esteem.source.punctuality(people)
    return sorted(found, key=lambda table: (misfit(user, table, cotes, punctual), table.pk))


def misfit(user: User, table: Table, cotes: Mapping[tuple[int, str], Cote], punctual: Mapping[int, float]) -> float:
    """How badly a table fits, 0 the best: the distance of cotes, late people, free places that are still to be filled."""
    others = _people(table)
    unknown = Cote(esteem.NEWCOMER, 0)
    mine = cotes.get((user.pk, table.game), unknown).points
    distance = _mean(abs(cotes.get((pk, table.game), unknown).points - mine) / 400 for pk in others)
    late = _mean(1 - punctual.get(pk, UNKNOWN_PUNCTUALITY) for pk in others)
    free = table.seats_wanted - len(table.seats.all()) - 1
    friendly = FRIENDLY if not table.competitive and not user.is_guest else 0.0
    return distance + LATE_TURNS * late + FREE_PLACE * free + friendly


def _people(table: Table) -> list[int]:
    return [seat.user_id for seat in table.seats.all() if seat.user_id is not None]


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return fmean(listed) if listed else 0.0


def _usual_game(user: User) -> str:
    """The game he sat down to last, the first of the house for a newcomer."""
    last = Seat.objects.filter(user=user).order_by("-pk").values_list("table__game", flat=True).first()
    return last if last in registry.GAMES else registry.GAMES[0]


def _open(user: User, game: registry.Game, pace: str, origin: str) -> Table:
    return tables.open_table(
        user=user,
        game=game.key,
        options={},
        seats=game.default_seats,
        pace=QUICK_PACES[pace or "day"][-1],
        competitive=not user.is_guest,
        origin=origin,
    )
