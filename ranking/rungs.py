"""How many people stand at each number of XP on each ladder: what makes a rank a sum over few rows, however many players.

Triggers on the standings keep it, in the statement that changes them, whoever writes. They only ever add rows ("one more at
40", "one fewer at 30"), so ends of matches never wait for each other at a popular rung nor lock rungs in two orders; `fold`
puts the rows of one rung together again, from time to time. A rank reads the same before and after.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.models import Count, Q, Sum

from ranking.models import Rung, Standing

KEY = ("ladder", "period", "xp")
EVENTS = ("insert", "update", "delete")

_SQLITE = {
    "insert": "INSERT INTO {rungs} (ladder, period, xp, people) VALUES (NEW.ladder, NEW.period, NEW.xp, 1);",
    "delete": "INSERT INTO {rungs} (ladder, period, xp, people) VALUES (OLD.ladder, OLD.period, OLD.xp, -1);",
}
_SQLITE["update"] = _SQLITE["delete"] + _SQLITE["insert"]
_MOVED = "WHEN (OLD.xp, OLD.ladder, OLD.period) IS NOT (NEW.xp, NEW.ladder, NEW.period)"
_FUNCTION = """
CREATE OR REPLACE FUNCTION follow_standings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO {rungs} (ladder, period, xp, people) SELECT ladder, period, xp, COUNT(*) FROM new_rows GROUP BY 1, 2, 3;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO {rungs} (ladder, period, xp, people) SELECT ladder, period, xp, -COUNT(*) FROM old_rows GROUP BY 1, 2, 3;
  ELSE
    INSERT INTO {rungs} (ladder, period, xp, people)
      SELECT ladder, period, xp, SUM(n) FROM (
        SELECT ladder, period, xp, 1 AS n FROM new_rows UNION ALL SELECT ladder, period, xp, -1 FROM old_rows
      ) AS moved GROUP BY 1, 2, 3 HAVING SUM(n) <> 0;
  END IF;
  RETURN NULL;
END $$
"""
_TRANSITIONS = {"insert": "NEW TABLE AS new_rows", "delete": "OLD TABLE AS old_rows"}
_TRANSITIONS["update"] = f"{_TRANSITIONS['insert']} {_TRANSITIONS['delete']}"


def install(using: str = DEFAULT_DB_ALIAS) -> None:
    """Make the triggers; those that are there stay as they are."""
    link = connections[using]
    standings, rungs = (link.ops.quote_name(model._meta.db_table) for model in (Standing, Rung))
    with transaction.atomic(using=using), link.cursor() as cursor:
        if link.vendor == "postgresql":
            cursor.execute(_FUNCTION.format(rungs=rungs))
        for event in EVENTS:
            name = _name(event)
            if link.vendor == "postgresql":
                how = f"REFERENCING {_TRANSITIONS[event]} FOR EACH STATEMENT EXECUTE FUNCTION follow_standings()"
                cursor.execute(f"CREATE OR REPLACE TRIGGER {name} AFTER {event} ON {standings} {how}")
            else:
                how = f"{_MOVED if event == 'update' else ''} BEGIN {_SQLITE[event].format(rungs=rungs)} END"
                cursor.execute(f"CREATE TRIGGER IF NOT EXISTS {name} AFTER {event} ON {standings} {how}")


def remove(using: str = DEFAULT_DB_ALIAS) -> None:
    """Drop the triggers: for whoever loads or empties standings in bulk and counts anew."""
    link = connections[using]
    on = f" ON {link.ops.quote_name(Standing._meta.db_table)}" if link.vendor == "postgresql" else ""
    with transaction.atomic(using=using), link.cursor() as cursor:
        for event in EVENTS:
            cursor.execute(f"DROP TRIGGER IF EXISTS {_name(event)}{on}")


def _name(event: str) -> str:
    return f"rungs_follow_{event}"


def after_migration(*, using: str, **kwargs: Any) -> None:
    """post_migrate: SQLite rebuilds a table, and loses its triggers, to change a column."""
    if {model._meta.db_table for model in (Standing, Rung)} <= set(connections[using].introspection.table_names()):
        install(using)


def people(ladder: str, period: str) -> int:
    """How many people stand on a ladder."""
    return _people(Rung.objects.filter(ladder=ladder, period=period))


def ranks(ladder: str, period: str, points: Iterable[int]) -> dict[int, int]:
    """The rank of everybody who has exactly so many XP, for each of `points`: 1 + how many people have more."""
    wanted = sorted(set(points), reverse=True)
    if not wanted:
        return {}
    rows = Rung.objects.filter(ladder=ladder, period=period)
    rank = 1 + _people(rows.filter(xp__gt=wanted[0]))
    found = {wanted[0]: rank}
    if len(wanted) > 1:
        # How many share each number of points between the best and the last one wanted.
        between = rows.filter(xp__lte=wanted[0], xp__gt=wanted[-1]).values_list("xp").annotate(n=Sum("people"))
        sizes = sorted(between, reverse=True)
        for xp in wanted[1:]:
            found[xp] = rank + sum(n for higher, n in sizes if higher > xp)
    return found


def ranks_on(points: Mapping[str, int], period: str) -> dict[str, int]:
    """The rank on each ladder of somebody with so many XP there, in one query."""
    if not points:
        return {}
    better = [Q(ladder=ladder, xp__gt=xp) for ladder, xp in points.items()]
    rows = Rung.objects.filter(reduce(or_, better), period=period).values_list("ladder").annotate(n=Sum("people"))
    above = dict(rows)
    return {ladder: 1 + above.get(ladder, 0) for ladder in points}


def _people(rows: Any) -> int:
    return rows.aggregate(n=Sum("people"))["n"] or 0


def fold(most: int = 5000) -> int:
    """Put the rows of each rung that has several into one (none where nobody is left); returns how many rungs were folded.

    Two at once do no harm: each replaces the rows that it deleted itself.
    """
    several = Rung.objects.values_list(*KEY).annotate(n=Count("pk")).filter(n__gt=1).order_by(*KEY)
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for ladder, period, xp, _n in several[:most]:
        found[ladder, period].append(xp)
    for (ladder, period), points in found.items():
        _fold(ladder, period, points)
    return sum(map(len, found.values()))


@transaction.atomic
def _fold(ladder: str, period: str, points: list[int]) -> None:
    rows = Rung.objects.filter(ladder=ladder, period=period, xp__in=points)
    held = list(rows.select_for_update(skip_locked=connection.features.has_select_for_update_skip_locked))
    Rung.objects.filter(pk__in=[row.pk for row in held]).delete()
    left: Counter[int] = Counter()
    for row in held:
        left[row.xp] += row.people
    Rung.objects.bulk_create(Rung(ladder=ladder, period=period, xp=xp, people=n) for xp, n in left.items() if n)


class Miscount(NamedTuple):
    """A rung that does not hold as many people as there are standings."""

    ladder: str
    period: str
    xp: int
    counted: int
    standing: int

    def __str__(self) -> str:
        return f"rung {self.ladder}/{self.period} at {self.xp} XP: {self.counted} people, {self.standing} standings"


def differences(*, rebuild: bool = False) -> Iterator[Miscount]:
    """Every rung that disagrees with a recount of the standings, ladder by ladder; `rebuild` puts each one right.

    Each ladder is compared in a transaction of its own, during which no standing can change.
    """
    ladders = set(Rung.objects.values_list("ladder", "period").distinct())
    ladders |= set(Standing.objects.values_list("ladder", "period").distinct())
    for ladder, period in sorted(ladders):
        with transaction.atomic():
            hold_standings()
            found = _compare(ladder, period)
            if rebuild:
                Rung.objects.bulk_create(
                    Rung(ladder=ladder, period=period, xp=row.xp, people=row.standing - row.counted) for row in found
                )
        yield from found


def hold_standings() -> None:
    """Keep writers of standings out until the transaction ends. SQLite's transactions write alone anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {connection.ops.quote_name(Standing._meta.db_table)} IN SHARE MODE")


def _compare(ladder: str, period: str) -> list[Miscount]:
    here = {"ladder": ladder, "period": period}
    counted = dict(Rung.objects.filter(**here).values_list("xp").annotate(n=Sum("people")))
    standing = dict(Standing.objects.filter(**here).order_by().values_list("xp").annotate(n=Count("pk")))
    return [
        Miscount(ladder, period, xp, counted.get(xp, 0), standing.get(xp, 0))
        for xp in sorted(counted.keys() | standing.keys())
        if counted.get(xp, 0) != standing.get(xp, 0)
    ]
