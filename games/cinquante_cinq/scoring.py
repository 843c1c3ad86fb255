"""What a deal of 55 is worth, and the race to the target trick by trick (rules 1.7, 1.8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from games.cinquante_cinq.auction import SWEEP

TRICK: Final = 5
BONUS: Final = 5


class Settled(NamedTuple):
    """The end of a deal: whether the contract was made, what each side gains and then has.

    `winner` is the side that reached the target first, `decisive` the trick (from 0) that took it there; `decisive` is
    None for a 60, which counts as a whole.
    """

    made: bool
    gains: tuple[int, ...]
    totals: tuple[int, ...]
    winner: int | None
    decisive: int | None


def trick_points(won: Sequence[int], bonus: int | None) -> list[tuple[int, int]]:
    """(seat, points) of each trick in order; trick number `bonus` (from 0) holds the highest trump played."""
    return [(seat, TRICK + BONUS if trick == bonus else TRICK) for trick, seat in enumerate(won)]


def settle(scores: Sequence[int], tricks: Sequence[tuple[int, int]], declarer: int, contract: int, target: int) -> Settled:
    """Count a deal. `scores` are the sides' totals before it, `tricks` (seat, points), `declarer` a seat.

    The winner is found by counting the tricks again in order; tricks of a declarer's side that failed, or played for 60,
    count nothing (rules 1.8).
    """
    sides = len(scores)
    mine = declarer % sides
    made = contract_made(tricks, mine, sides, contract)
    totals = list(scores)
    winner = decisive = None
    for trick, (seat, points) in enumerate(tricks):
        side = seat % sides
        if side == mine and (not made or contract == SWEEP):
            continue
        totals[side] += points
        if winner is None and totals[side] >= target:
            winner, decisive = side, trick
    if not made:
        totals[mine] -= contract
    elif contract == SWEEP:
        totals[mine] += SWEEP
        if totals[mine] >= target:
            winner = mine
    gains = tuple(total - score for total, score in zip(totals, scores, strict=True))
    return Settled(made, gains, tuple(totals), winner, decisive)


def contract_made(tricks: Sequence[tuple[int, int]], side: int, sides: int, contract: int) -> bool:
    """Whether the declarer's side has what it promised: that many points, or every trick for 60."""
    taken = [points for seat, points in tricks if seat % sides == side]
    return len(taken) == len(tricks) if contract == SWEEP else sum(taken) >= contract
