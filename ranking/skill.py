"""The skill rating of a match. Pure: no database, no clock, no Django.

Plackett-Luce of the package openskill (Weng and Lin, 2011): a player is a normal distribution of strength, `mu` wide by
`sigma`. Sides are teams, equal ranks are ties. Whoever left the match, or had more than half of his moves decided by the
clock, is last, whatever the site won in his seat; a side is last when all of it is.

People read it as a "cote": 1,500 for a newcomer, 400 more for somebody who beats him ten times out of eleven, as in Elo's
system, with one standard deviation beside it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from openskill.models import PlackettLuce

_MODEL = PlackettLuce()
CENTRE = 1500
SCALE = 50.9
"""Points of the cote for one of mu. Luck in a match is 25/6 wide for each of two players: 400 points ahead wins 10 in 11."""


class Skill(NamedTuple):
    """How strong somebody is at a game, as far as one knows."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma

    @property
    def cote(self) -> int:
        """What people read, to the ten."""
        return 10 * round((CENTRE + (self.mu - _MODEL.mu) * SCALE) / 10)

    @property
    def margin(self) -> int:
        """One standard deviation of the cote, to the ten."""
        return max(10, 10 * round(self.sigma * SCALE / 10))


class Finisher(NamedTuple):
    """One rated person of a match: his side (his seat where everybody plays for himself), the rank of the side (1 is a
    winner), and whether he was `gone`."""

    user_id: int
    side: int
    rank: int
    gone: bool = False


def rate(finishers: Iterable[Finisher], skills: Mapping[int, Skill]) -> dict[int, Skill]:
    """The new skill of each person, from those before the match; nobody's changes where only one side is rated."""
    teams: dict[int, list[Finisher]] = defaultdict(list)
    for finisher in sorted(finishers, key=lambda finisher: (finisher.side, finisher.user_id)):
        teams[finisher.side].append(finisher)
    if len(teams) < 2:
        return {}
    last = 1 + max(finisher.rank for team in teams.values() for finisher in team)
    places = {side: last if all(one.gone for one in team) else team[0].rank for side, team in teams.items()}
    after = _rate(teams, places, skills)
    for side, team in teams.items():
        if places[side] != last and any(one.gone for one in team):
            # His partner's result is not his: he is rated as if the side had come last.
            lost = _rate(teams, places | {side: last}, skills)
            after |= {one.user_id: lost[one.user_id] for one in team if one.gone}
    return after


def _rate(teams: Mapping[int, list[Finisher]], places: Mapping[int, int], skills: Mapping[int, Skill]) -> dict[int, Skill]:
    sides = list(teams)
    before = [[_MODEL.create_rating(list(skills.get(one.user_id, Skill()))) for one in teams[side]] for side in sides]
    rated = _MODEL.rate(before, ranks=[float(places[side]) for side in sides])
    return {
        one.user_id: Skill(new.mu, new.sigma)
        for side, news in zip(sides, rated, strict=True)
        for one, new in zip(teams[side], news, strict=True)
    }
