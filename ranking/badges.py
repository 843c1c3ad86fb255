"""Marks that one earns: which there are, what each is for, and who has just earned one.

Only matches between people count, and a victory only where it pays points. A badge is never taken back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import registry
from games.models import Table
from ranking.models import Badge, Played

IN_TIME, IN_A_ROW, MANY, TRICKS, PODIUM_RANK = 10, 5, 100, 5, 3
PODIUM = "podium"


class Ply(NamedTuple):
    """What statistics and badges need of a move."""

    seat: int
    by: str
    at: datetime
    events: list[list[Any]]


class Face(NamedTuple):
    """How a badge looks: the symbol of badges.svg, its name, what it is for."""

    symbol: str
    name: str
    why: str


def face(badge: str) -> Face:
    """A badge in the reader's language."""
    kind, _colon, game = badge.partition(":")
    if kind == "win":
        name = registry.get(game).name if game in registry.GAMES else game
        return Face("victory", _("First victory: %(game)s") % {"game": name}, _("Won a competitive match of this game."))
    return {
        "every_game": Face("every", _("All-rounder"), _("Won a competitive match of every game.")),
        "punctual": Face(
            "clock",
            _("On time"),
            ngettext("%(n)d match in a row without a time-out.", "%(n)d matches in a row without a time-out.", IN_TIME)
            % {"n": IN_TIME},
        ),
        "streak": Face("flame", _("In form"), _("%(n)d competitive matches of one game won in a row.") % {"n": IN_A_ROW}),
        "hundred": Face("hundred", _("Regular"), _("%(n)d matches with other people played to the end.") % {"n": MANY}),
        "sweep": Face("tricks", _("All the tricks"), _("All five tricks in one hand of 55.")),
        PODIUM: Face("podium", _("On the podium"), _("Among the first three of a month, all games together.")),
    }[kind]


ORDER = ("podium", "every_game", "streak", "sweep", "hundred", "punctual", "win")


def order(badge: str) -> int:
    """Where a badge stands on a profile: the rare ones first."""
    return ORDER.index(badge.partition(":")[0])


@dataclass(slots=True)
class History:
    """Somebody's matches so far, as far as badges need them."""

    matches: int = 0
    in_time: int = 0
    wins: set[str] = field(default_factory=set)
    row: Counter[str] = field(default_factory=Counter)

    def add(self, game: str, place: int, late: int, turns: int, *, counts: bool) -> list[str]:
        """Another match; the badges that are due after it, those that were due before among them."""
        self.matches += 1
        self.in_time = 0 if late else self.in_time + (turns > 0)
        if counts:
            self.row[game] = self.row[game] + 1 if place == 1 else 0
            if place == 1:
                self.wins.add(game)
        due = [f"win:{game}"] if counts and place == 1 else []
        due += ["every_game"] if self.wins >= set(registry.GAMES) else []
        due += ["streak"] if self.row[game] >= IN_A_ROW else []
        due += ["punctual"] if self.in_time >= IN_TIME else []
        due += ["hundred"] if self.matches >= MANY else []
        return due


def of_match(table: Table, seat: int, plies: Iterable[Ply]) -> list[str]:
    """The badges that one match gives by itself to whoever sat there."""
    if table.game != "cinquante_cinq":
        return []
    sides = table.rules.sides(table.rules.read_options(table.options), table.seats_wanted)
    won: Counter[int] = Counter()
    for ply in plies:
        for event in ply.events:
            if event[0] == "deal":
                won.clear()
            elif event[0] == "trick":
                won[event[1] % sides] += 1
                if won[seat % sides] == TRICKS:
                    return ["sweep"]
    return []


def new(table: Table, user_id: int, due: Iterable[str], held: set[tuple[int, str]]) -> list[Badge]:
    """Those of the badges `due` that he does not hold; `held` takes them in."""
    assert table.ended_at is not None, "the end of a match has a time"
    found = []
    for key in due:
        if (user_id, key) not in held:
            held.add((user_id, key))
            found.append(Badge(user_id=user_id, badge=key, table=table, at=table.ended_at))
    return found


def award(table: Table, rows: Sequence[Played], plies: Sequence[Ply]) -> None:
    """Give the people of a match, just counted, what they have earned by it."""
    people = [row.user_id for row in rows]
    held = set(Badge.objects.filter(user__in=people).values_list("user_id", "badge"))
    found = []
    for row in rows:
        history, due = History(), [*of_match(table, row.seat, plies)]
        for game, place, late, turns, counts in (
            Played.objects.filter(user=row.user_id).order_by("pk").values_list("game", "place", "late", "turns", "counts")
        ):
            due += history.add(game, place, late, turns, counts=counts)
        found += new(table, row.user_id, due, held)
    Badge.objects.bulk_create(found, ignore_conflicts=True)
