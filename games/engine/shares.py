"""Who gets how many of the tokens that were staked on a match (rules 7.2, 7.5, 7.6), and whom the clock replaced. Pure.

Everybody staked the same; whatever happens, the shares of a match that was finished add up to the pot.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple


def clock_decided(own_moves: int, clock_moves: int) -> bool:
    """Whether the clock made more than half of a seat's decisions. A seat without any decision was not absent."""
    return 2 * clock_moves > own_moves + clock_moves


class Finished(NamedTuple):
    """How one seat of a finished match stands: `rank` 1 has won; `abandoned`: its player left; `absent`: the clock decided
    more than half of its moves."""

    side: int
    rank: int
    abandoned: bool = False
    absent: bool = False


def split(amount: int, seats: Iterable[int]) -> dict[int, int]:
    """`amount` in equal parts, what remains one each in seat order."""
    sharing = sorted(seats)
    part, rest = divmod(amount, len(sharing))
    return {seat: part + (order < rest) for order, seat in enumerate(sharing)}


def shares(seats: Sequence[Finished], stake: int) -> tuple[int, ...]:
    """The tokens of each seat, in seat order.

    The pot goes to the winners, in equal parts. In a match that nobody wins each finisher has his stake back, and the
    stakes of those who left are shared among the finishers. The part of somebody who was absent goes to the best-ranked
    other side, to those of it who neither left nor were absent; where there is none, to his own. If nobody is left who may
    win tokens the stakes go back.
    """
    able = {seat for seat, how in enumerate(seats) if not how.abandoned and not how.absent}
    if not able:
        return (stake,) * len(seats)
    paid = dict.fromkeys(range(len(seats)), 0)
    pot, sharing = stake * len(seats), [seat for seat, how in enumerate(seats) if how.rank == 1 and not how.abandoned]
    if not sharing:
        sharing = [seat for seat, how in enumerate(seats) if not how.abandoned]
        paid |= dict.fromkeys(sharing, stake)
        pot -= stake * len(sharing)
    for seat, part in split(pot, sharing).items():
        for heir, share in split(part, {seat} if seat in able else _heirs(seats, seat, able)).items():
            paid[heir] += share
    return tuple(paid.values())


def _heirs(seats: Sequence[Finished], absent: int, able: Collection[int]) -> list[int]:
    """Who gets the part of somebody who was absent."""
    others = [seat for seat in able if seats[seat].side != seats[absent].side]
    if not others:
        return list(able)
    best = min(seats[seat].rank for seat in others)
    return [seat for seat in others if seats[seat].rank == best]
