"""Reading questions about tables: who may see one, whose turn it is, the lobby, the log, the record."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.apps import apps
from django.db.models import BigIntegerField, CharField, Count, Exists, OuterRef, Prefetch, QuerySet, SmallIntegerField, Value
from django.utils.translation import gettext as _

from accounts import ties
from accounts.models import User
from games import observe, registry
from games.engine import abandonment, codec
from games.engine import record as records
from games.engine.rules import Place
from games.engine.shares import Finished, clock_decided
from games.errors import NotFound
from games.models import By, Invitation, Move, Removal, Seat, Status, Table, TableEvent, Visibility

LOBBY_SIZE = 60
LOG_SIZE = 30
INVITATIONS = 20
FRIENDS = 100
"""Friends whom the page of a waiting table offers to invite."""


@dataclass(frozen=True, slots=True)
class LogRow:
    """One public fact. `seat` is None for what is no move; `by` says who decided and stands on the move itself, not on what
    it led to (the end of a hand, the next deal)."""

    ply: int
    seat: int | None
    by: str | None
    at: datetime
    event: list[Any]


@dataclass(frozen=True, slots=True)
class TurnRow:
    """A table that waits for somebody: `deadline` is None where there is no pace."""

    table: Table
    seat: Seat
    deadline: datetime | None


def admits(table: Table, seated: bool, token: str = "") -> bool:
    """Whether a reader who is `seated` there or not, holding `token` ("" for none), may know of the table."""
    if table.visibility == Visibility.PUBLIC or seated:
        return True
    return bool(token) and secrets.compare_digest(token.encode(), table.token.encode())


def is_invited(table: Table, player: User | None) -> bool:
    """Whether a friend has invited the player to this table, which still waits, and he has not refused."""
    if table.status != Status.OPEN or player is None or player.is_guest:
        return False
    return Invitation.objects.filter(table=table, user=player, declined_at=None).exists()


def invitations_for(player: User | None) -> list[Invitation]:
    """The waiting tables that friends have invited the player to, newest first; none with somebody a block keeps him from."""
    if player is None or player.is_guest:
        return []
    rows = Invitation.objects.filter(user=player, declined_at=None, table__status=Status.OPEN)
    hidden = Seat.objects.filter(user__in=ties.people_hidden_from(player.pk))
    rows = rows.exclude(table__seats__user=player).exclude(table__in=hidden.values("table"))
    return list(rows.select_related("table", "by").order_by("-pk")[:INVITATIONS])


def friends_to_invite(table: Table, player: User, seats: Iterable[Seat]) -> list[User]:
    """The player's friends who do not sit at the waiting table and were not removed from it, by name; each with the
    attribute `invited`. One query."""
    if player.is_guest or table.status != Status.OPEN:
        return []
    here = {seat.user_id for seat in seats}
    friends = (
        ties.friends(player.pk)
        .exclude(pk__in=Removal.objects.filter(table=table).values("user"))
        .annotate(invited=Exists(Invitation.objects.filter(table=table, user=OuterRef("pk"))))
        .order_by("name_key")[:FRIENDS]
    )
    return [friend for friend in friends if friend.pk not in here]


def parted(table: Table, player: User | None, seated: Iterable[int | None]) -> bool:
    """Whether a block keeps the player from a table that waits for players: for him it is not there. `seated`: user ids.

    Whoever sits there stays; running and finished tables are for everybody to watch.
    """
    if table.status != Status.OPEN or player is None or player.is_guest:
        return False
    others = {*seated, table.opener_id}
    return player.pk not in others and ties.any_block(player.pk, others)


def get_table(code: str, player: User | None, token: str = "") -> Table:
    """The table, if this reader may know of it. Raises NotFound."""
    table = Table.objects.select_related("opener").filter(code=code).first()
    if table is None:
        raise NotFound("no_table")
    if table.visibility == Visibility.PUBLIC and table.status != Status.OPEN:
        return table
    seated = set() if player is None else set(Seat.objects.filter(table=table).values_list("user_id", flat=True))
    mine = player is not None and player.pk in seated
    if not admits(table, mine, token) and not is_invited(table, player):
        raise NotFound("no_table")
    if not mine and parted(table, player, seated):
        raise NotFound("no_table")
    return table


def seat_of(table: Table, player: User | None) -> Seat | None:
    """Where the player sits at this table."""
    return None if player is None else Seat.objects.filter(table=table, user=player).first()


def seats(table: Table) -> list[Seat]:
    """The seats with their users: by number once started, by order of sitting before."""
    return list(Seat.objects.filter(table=table).select_related("user").order_by("number", "joined"))


def seat_name(seat: Seat) -> str:
    """What a seat is called: the pseudonym, or the bot's name with the word bot."""
    if seat.user is not None:
        return seat.user.display_name
    return _("%(name)s (bot)") % {"name": seat.bot}


def seats_out(table: Table, by_number: Sequence[Seat], *, also: int | None = None) -> frozenset[int]:
    """The seats of a started table that can win nothing any more: their people have left (rules 7.6). `also`: as if the
    player of that seat left too."""
    left = {number for number, seat in enumerate(by_number) if seat.abandoned or number == also}
    if not left:
        return frozenset()
    sides = table.rules.sides(table.rules.read_options(table.options), len(by_number))
    bots = {number for number, seat in enumerate(by_number) if seat.bot}
    return abandonment.seats_out([number % sides for number in range(len(by_number))], left, bots)


def standing(table: Table, by_number: Sequence[Seat]) -> list[Finished]:
    """How the seats of a finished match stand to its pot."""
    sides = table.rules.sides(table.rules.read_options(table.options), len(by_number))
    return [
        Finished(number % sides, seat.place or 0, seat.abandoned, clock_decided(seat.own_moves, seat.clock_moves))
        for number, seat in enumerate(by_number)
    ]


def names(table: Table) -> list[str]:
    """The name of each seat, by number."""
    return [seat_name(seat) for seat in seats(table)]


def _owing(player: User) -> QuerySet[Seat]:
    return Seat.objects.filter(user=player, owes_move=True, automatic_since__isnull=True)


def waiting_for(player: User | None) -> int:
    """At how many tables it is this player's turn."""
    return 0 if player is None else _owing(player).count()


def my_turns(player: User | None) -> list[TurnRow]:
    """The tables where it is his turn, most urgent first."""
    if player is None:
        return []
    rows = _owing(player).select_related("table").order_by("deadline", "pk")
    return [TurnRow(seat.table, seat, seat.deadline if seat.table.pace else None) for seat in rows]


def next_table(player: User | None, after_code: str = "") -> str | None:
    """The code of the next table waiting for the player, by deadline, after the one he looks at, round and round."""
    codes = [row.table.code for row in my_turns(player)]
    if not codes:
        return None
    if after_code in codes:
        return codes[(codes.index(after_code) + 1) % len(codes)]
    return codes[0]


def _with_seats(tables: QuerySet[Table]) -> QuerySet[Table]:
    return tables.select_related("opener").prefetch_related(
        Prefetch("seats", Seat.objects.select_related("user").order_by("number", "joined"))
    )


def my_tables(player: User | None, finished: int = 20) -> list[Table]:
    """Every waiting or running table of the player, then the last `finished` ones; seats prefetched."""
    if player is None:
        return []
    mine = Table.objects.filter(seats__user=player)
    live = list(_with_seats(mine.filter(status__in=[Status.OPEN, Status.PLAYING]).order_by("-pk")))
    over = list(_with_seats(mine.filter(status__in=[Status.FINISHED, Status.CANCELLED]).order_by("-ended_at", "-pk"))[:finished])
    return live + over


NO_PACE = 0
"""What the lobby's filter calls a table without a time limit."""


def open_tables(
    player: User | None = None,
    game: str = "",
    pace: int | None = None,
    competitive: bool | None = None,
    seats: int | None = None,
) -> list[Table]:
    """Public tables that wait for players, newest first; seats prefetched. `pace` 0 means without a time limit.

    No table of somebody with a block between him and the player, and none that the player was removed from.
    """
    tables = Table.objects.filter(status=Status.OPEN, visibility=Visibility.PUBLIC)
    if game:
        tables = tables.filter(game=game)
    if pace is not None:
        tables = tables.filter(pace__isnull=True) if pace == NO_PACE else tables.filter(pace=pace)
    if competitive is not None:
        tables = tables.filter(competitive=competitive)
    if seats is not None:
        tables = tables.filter(seats_wanted=seats)
    if player is not None:
        tables = without_blocks(tables.exclude(removals__user=player), player)
    return list(_with_seats(tables.order_by("-pk"))[:LOBBY_SIZE])


def without_blocks(tables: QuerySet[Table], player: User | None) -> QuerySet[Table]:
    """Those tables where nobody sits whom a block keeps apart from the player."""
    if player is None or player.is_guest:
        return tables
    return tables.exclude(pk__in=Seat.objects.filter(user__in=ties.people_hidden_from(player.pk)).values("table"))


def running_tables(player: User | None = None, game: str = "", most: int = 12) -> list[Table]:
    """Public running tables to watch, those with most people first, then the newest; none of people with a block."""
    tables = without_blocks(Table.objects.filter(status=Status.PLAYING, visibility=Visibility.PUBLIC), player)
    if game:
        tables = tables.filter(game=game)
    recent = _with_seats(tables.order_by("-pk"))[: most * 4]
    return sorted(recent, key=lambda table: -sum(seat.user_id is not None for seat in table.seats.all()))[:most]


def moves(table: Table) -> QuerySet[Move]:
    """The typed move rows of a table, in order."""
    model: type[Move] = apps.get_model(registry.get(table.game).move_model)
    return model._default_manager.filter(table=table, ply__lte=table.plies).order_by("ply")


def log(table: Table, limit: int | None = LOG_SIZE) -> list[LogRow]:
    """Public facts, oldest first; with a limit, those of the last `limit` plies. As of the version `table` was read at.

    One query: moves (each with the list of its events) and the facts that are no move (key > 0, one event each).
    """
    plies = moves(table)
    facts = TableEvent.objects.filter(table=table, version__lte=table.version)
    if limit is not None and table.plies > limit:
        plies = plies.filter(ply__gt=table.plies - limit)
        facts = facts.filter(ply__gte=table.plies - limit)
    nobody, no_key = Value(None, SmallIntegerField()), Value(0, BigIntegerField())
    found = (
        plies.order_by()
        .values_list("ply", "seat", "by", "played_at", "events", no_key)
        .union(facts.order_by().values_list("ply", nobody, Value(None, CharField()), "at", "event", "pk"), all=True)
    )
    # A fact of ply p happened after that ply was made; facts of one ply come in the order of their keys.
    return [
        LogRow(ply, None if by == By.STAFF else seat, by if index == 0 else None, at, event)
        for ply, seat, by, at, events, key in sorted(found, key=lambda row: (row[0], row[5]))
        for index, event in enumerate([events] if key else events)
    ]


def record(table: Table, now_over: bool | None = None) -> str:
    """The table as a text record. While it runs: no seed, no hash, and `?` for each notation that hides something."""
    over = table.over if now_over is None else now_over
    rows = sorted(Seat.objects.filter(table=table).select_related("user"), key=lambda seat: seat.joined)
    started = table.started_at is not None
    by_number = sorted(rows, key=lambda seat: seat.number or 0) if started else []
    plies = tuple(records.Ply(row.seat, row.by, _notation(row, over), row.state_hash if over else None) for row in moves(table))
    return records.write(
        records.Record(
            code=table.code,
            game=table.game,
            version=table.rules_version,
            options=codec.canonical_json(table.options),
            seats=table.seats_wanted,
            joined=tuple(seat.joined for seat in by_number),
            client_seeds=tuple(seat.client_seed for seat in rows) if started else (),
            commitment=table.commitment,
            seed=bytes.fromhex(table.server_seed) if over and table.server_seed else None,
            result=_result(table, by_number),
            sides=tuple(seat.side for seat in rows if seat.side is not None) if started else (),
            out=_out(table, by_number),
            plies=plies,
            headers=_free_headers(table, by_number),
        )
    )


def _result(table: Table, by_number: Sequence[Seat]) -> tuple[Place, ...] | None:
    if table.status != Status.FINISHED:
        return None
    sides = table.rules.sides(table.rules.read_options(table.options), table.seats_wanted)
    return tuple(Place(number % sides, seat.place or 0, seat.score or 0) for number, seat in enumerate(by_number))


def _out(table: Table, by_number: Sequence[Seat]) -> tuple[tuple[int, int], ...]:
    """(seat, ply) of every seat that is out, in the order in which it happened; a deserted bot goes with its last person."""
    gone = seats_out(table, by_number)
    if not gone:
        return ()
    told = TableEvent.objects.filter(table=table, event__0="abandoned").order_by("pk").values_list("event", "ply")
    plies = {int(event[1]): ply for event, ply in told}
    sides = table.rules.sides(table.rules.read_options(table.options), len(by_number))
    for seat in gone - plies.keys():
        plies[seat] = max(plies[other] for other in gone if other % sides == seat % sides and not by_number[other].bot)
    return tuple(sorted(((seat, plies[seat]) for seat in gone), key=lambda pair: (pair[1], pair[0])))


def _notation(row: Move, over: bool) -> str | None:
    """A move's text for the record: None where it hides something while the table runs."""
    if not row.sealed:
        return row.notation
    return observe.notation(row) if over else None


def _free_headers(table: Table, by_number: Iterable[Seat]) -> dict[str, str]:
    headers = {f"Player{seat.number}": seat_name(seat) for seat in by_number}
    if table.started_at:
        headers["Started"] = table.started_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    if table.ended_at:
        headers["Ended"] = table.ended_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    if table.status == Status.CANCELLED:
        headers["Cancelled"] = table.end
    return headers


def counts() -> dict[str, int]:
    """How many tables wait and run, for the home page."""
    rows = Table.objects.filter(status__in=[Status.OPEN, Status.PLAYING]).values_list("status").annotate(n=Count("pk"))
    found = dict(rows)
    return {"open": found.get(Status.OPEN, 0), "playing": found.get(Status.PLAYING, 0)}
