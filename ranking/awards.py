"""Who earns how many experience points (XP) in a match. Pure: no database, no clock, no Django.

Rules document, section 7.3, with the half rule of 7.2: only competitive matches that were played to the end pay. With n
seats at the start each winner earns 10 x n, alone or tied, and every other finisher 10. A seat for which the clock
decided more than half of its moves earns nothing (forced moves are counted for neither) and nobody else's points change.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple, Protocol

POINTS = 10


class Reason(StrEnum):
    """Why an entry of the ledger is there. `ABSENT` pays nothing and says why."""

    WIN = "win"
    FINISH = "finish"
    ABSENT = "absent"


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


class Award(NamedTuple):
    """What one person gets: `delta` XP, for `reason`."""

    seat: int
    user_id: int
    delta: int
    reason: Reason


def clock_decided(own_moves: int, clock_moves: int) -> bool:
    """Whether the clock made more than half of a seat's decisions. A seat without any decision was not absent."""
    return 2 * clock_moves > own_moves + clock_moves


def awards(results: Iterable[Finisher], *, competitive: bool) -> tuple[Award, ...]:
    """The award of each person of a finished match, by seat; none for a friendly one. Bots count as players only."""
    finishers = sorted(results, key=lambda result: result.seat)
    if not competitive:
        return ()
    return tuple(_award(finisher, finisher.user_id, len(finishers)) for finisher in finishers if finisher.user_id is not None)


def _award(finisher: Finisher, user_id: int, players: int) -> Award:
    if clock_decided(finisher.own_moves, finisher.clock_moves):
        return Award(finisher.seat, user_id, 0, Reason.ABSENT)
    if finisher.rank == 1:
        return Award(finisher.seat, user_id, POINTS * players, Reason.WIN)
    return Award(finisher.seat, user_id, POINTS, Reason.FINISH)
