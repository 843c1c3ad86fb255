"""Who earns how many experience points (XP) in a match. Pure: no database, no clock, no Django.

Rules document, section 7.3, with the half rule of 7.2 and abandonment of 7.6: only competitive matches that count and were
finished pay. With n seats at the start each winner earns 10 x n, alone, tied or as one of a side, and every other finisher
10; whoever abandoned earns nothing, whatever his side did. A seat for which the clock decided more than half of its moves
earns nothing either (forced moves are counted for neither), and nobody else's points change.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple, Protocol

from games.engine.shares import clock_decided

POINTS = 10
PENALTY = 20
"""What somebody loses whom the others penalise for abandoning; never more than he has in that game."""


class Reason(StrEnum):
    """Why an entry of the ledger is there. `ABSENT` and `ABANDON` pay nothing and say why; the voiding ones take back an
    entry of a match that was declared void afterwards."""

    WIN = "win"
    FINISH = "finish"
    ABSENT = "absent"
    ABANDON = "abandon"
    PENALTY = "penalty"
    VOID_WIN = "void_win"
    VOID_FINISH = "void_finish"
    VOID_PENALTY = "void_penalty"


class Finisher(Protocol):
    """One seat of a finished match, as `games.services.endings.Result` tells it. `rank` 1 is a winner."""

    @property
    def seat(self) -> int: ...
    @property
    def user_id(self) -> int | None: ...
    @property
    def rank(self) -> int: ...
    @property
    def own_moves(self) -> int: ...
    @property
    def clock_moves(self) -> int: ...
    @property
    def abandoned(self) -> bool: ...


class Award(NamedTuple):
    """What one person gets: `delta` XP, for `reason`."""

    seat: int
    user_id: int
    delta: int
    reason: Reason


def awards(results: Iterable[Finisher], *, counts: bool) -> tuple[Award, ...]:
    """The award of each person of a finished match, by seat; none for one that does not count. Bots count as players only."""
    finishers = sorted(results, key=lambda result: result.seat)
    if not counts:
        return ()
    return tuple(_award(finisher, finisher.user_id, len(finishers)) for finisher in finishers if finisher.user_id is not None)


def _award(finisher: Finisher, user_id: int, players: int) -> Award:
    if finisher.abandoned:
        return Award(finisher.seat, user_id, 0, Reason.ABANDON)
    if clock_decided(finisher.own_moves, finisher.clock_moves):
        return Award(finisher.seat, user_id, 0, Reason.ABSENT)
    if finisher.rank == 1:
        return Award(finisher.seat, user_id, POINTS * players, Reason.WIN)
    return Award(finisher.seat, user_id, POINTS, Reason.FINISH)
