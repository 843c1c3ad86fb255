"""What the profile pages show of a player's matches: numbers by game, curves of the last matches, badges. Nothing private.

Every question is bounded: sums over one person's own rows by index, or his last sixty matches.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import Count, Q, Sum
from django.utils.translation import gettext as _

from games import registry
from ranking import badges, charts, periods, rungs
from ranking.boards import ladder_name, ladders
from ranking.charts import Bar, Line
from ranking.ledger import OVERALL
from ranking.models import Badge, GameTally, Played, Rating, RatingEntry, Standing, XPEntry
from ranking.skill import Skill

if TYPE_CHECKING:
    from accounts.models import User

LAST = 60
"""Matches of a curve."""
STREAKS = 2000
"""Matches looked through for the longest streak."""


@dataclass(frozen=True, slots=True)
class GameLine:
    """One ladder on a profile page: `standing` and `rank` are None without XP, `skill` without a rated match."""

    ladder: str
    name: str
    standing: Standing | None
    rank: int | None
    skill: Skill | None
    matches: int
    wins: int


def game_lines(user: User) -> list[GameLine]:
    """Each ladder that somebody has anything on; all games together first."""
    standings = {row.ladder: row for row in Standing.objects.filter(user=user, period=periods.ALL)}
    ranks = rungs.ranks_on({ladder: row.xp for ladder, row in standings.items()}, periods.ALL)
    skills = {row.game: row.skill for row in Rating.objects.filter(user=user)}
    counted = {
        game: (matches, wins)
        for game, matches, wins in Played.objects.filter(user=user)
        .values_list("game")
        .annotate(matches=Count("pk"), wins=Count("pk", filter=Q(place=1)))
        .order_by()
    }
    counted[OVERALL] = (sum(n for n, _wins in counted.values()), sum(wins for _n, wins in counted.values()))
    return [
        GameLine(key, ladder_name(key), standings.get(key), ranks.get(key), skills.get(key), *counted.get(key, (0, 0)))
        for key in ladders()
        if key in standings or counted.get(key, (0, 0))[0]
    ]


class Earned(NamedTuple):
    """A badge on a profile."""

    face: badges.Face
    at: datetime


def badges_of(user: User) -> list[Earned]:
    """What somebody has earned, the rarest first."""
    rows = sorted(Badge.objects.filter(user=user), key=lambda row: (badges.order(row.badge), row.at, row.badge))
    return [Earned(badges.face(row.badge), row.at) for row in rows]


@dataclass(frozen=True, slots=True)
class GameSheet:
    """Somebody's statistics at one game. `delay` is in seconds a turn, None without a turn of his own; shares are 0 to 100."""

    matches: int
    wins: int
    delay: int | None
    late: int
    streak: int
    longest: int
    seats: list[Bar]
    seat_rows: list[tuple[int, int, int, int]]
    cotes: Line | None
    points: Line | None
    last: list[dict[str, Any]]

    @property
    def newest(self) -> datetime:
        """When the newest of the last rated matches ended."""
        moment: datetime = self.last[-1]["at"]
        return moment


def game_sheet(user: User, game: str) -> GameSheet:
    """The statistics of one person at one game."""
    mine = Played.objects.filter(user=user, game=game)
    by_seat = list(
        mine.values_list("players", "seat")
        .annotate(n=Count("pk"), wins=Count("pk", filter=Q(place=1)), delay=Sum("delay"), turns=Sum("turns"), late=Sum("late"))
        .order_by("players", "seat")
    )
    turns, late = sum(row[5] for row in by_seat), sum(row[6] for row in by_seat)
    streak, longest = streaks(place == 1 for place in mine.order_by("-pk").values_list("place", flat=True)[:STREAKS])
    last = last_rated(user, game)
    rows = [(players, seat + 1, n, wins) for players, seat, n, wins, *_more in by_seat]
    return GameSheet(
        matches=sum(row[2] for row in by_seat),
        wins=sum(row[3] for row in by_seat),
        delay=sum(row[4] for row in by_seat) // turns if turns else None,
        late=round(100 * late / (turns + late)) if turns + late else 0,
        streak=streak,
        longest=longest,
        seats=charts.bars([(_seat(seat, players), wins / n, f"{wins} / {n}") for players, seat, n, wins in rows], most=1),
        seat_rows=rows,
        cotes=charts.line([Skill().cote, *(row["cote"] for row in last)] if len(last) < LAST else [row["cote"] for row in last]),
        points=charts.line([row["xp"] for row in last]),
        last=last,
    )


def streaks(won: Iterable[bool]) -> tuple[int, int]:
    """The present row of victories and the longest one, from the newest match backwards."""
    now = longest = run = 0
    unbroken = True
    for victory in won:
        run = run + 1 if victory else 0
        unbroken = unbroken and victory
        now += unbroken
        longest = max(longest, run)
    return now, longest


def last_rated(user: User, game: str) -> list[dict[str, Any]]:
    """The last rated matches, oldest first: when, the cote and the XP of this game after each."""
    entries = list(RatingEntry.objects.filter(user=user, game=game).order_by("-pk")[:LAST])
    paid: dict[int, int] = dict(
        XPEntry.objects.filter(user=user, table__in=[row.table_id for row in entries])
        .order_by()
        .values_list("table_id")
        .annotate(xp=Sum("delta"))
    )
    standing = Standing.objects.filter(user=user, ladder=game, period=periods.ALL).first()
    xp, found = standing.xp if standing else 0, []
    for row in entries:
        found.append({"at": row.at, "cote": Skill(row.mu, row.sigma).cote, "xp": xp, "paid": paid.get(row.table_id, 0)})
        xp -= paid.get(row.table_id, 0)
    return found[::-1]


@dataclass(frozen=True, slots=True)
class GamePage:
    """Statistics of all matches of a game: the bars and the rows they are drawn from."""

    matches: int
    seats: list[tuple[int, list[Bar], list[tuple[int, int, int]]]]
    lengths: list[Bar]
    length_rows: list[tuple[str, int]]
    endings: list[Bar]
    ending_rows: list[tuple[Any, int]]


def game_page(game: registry.Game) -> GamePage:
    """What is known of a game: who wins from which seat, how long it takes, how hands end."""
    found: dict[str, dict[str, GameTally]] = {"seat": {}, "length": {}, "ending": {}}
    for row in GameTally.objects.filter(game=game.key):
        found[row.kind][row.key] = row
    seats = [(players, *_seats(found["seat"], players)) for players in game.seats if f"{players}/0" in found["seat"]]
    lengths = [(f"{key}–{key + 9}", found["length"][str(key)].count) for key in sorted(map(int, found["length"]))]
    endings = [(label, found["ending"][key].count) for key, label in game.endings.items() if key in found["ending"]]
    return GamePage(
        matches=sum(n for _label, n in lengths),
        seats=seats,
        lengths=charts.bars([(label, n, _share(n, lengths)) for label, n in lengths]),
        length_rows=lengths,
        endings=charts.bars([(label, n, _share(n, endings)) for label, n in endings]),
        ending_rows=endings,
    )


def _seats(found: dict[str, Any], players: int) -> tuple[list[Bar], list[tuple[int, int, int]]]:
    rows = [(seat + 1, row.wins, row.count) for seat in range(players) if (row := found.get(f"{players}/{seat}"))]
    return charts.bars([(_seat(seat), wins / n, f"{round(100 * wins / n)} %") for seat, wins, n in rows], most=1), rows


def _seat(seat: int, players: int | None = None) -> str:
    if players is None:
        return _("Seat %(seat)s") % {"seat": seat}
    return _("Seat %(seat)s of %(players)s") % {"seat": seat, "players": players}


def _share(n: int, rows: list[tuple[Any, int]]) -> str:
    return f"{round(100 * n / sum(other for _label, other in rows))} %"
