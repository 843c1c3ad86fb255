"""Who wins when people leave a match before its end (rules 7.6). Pure.

A seat is *out* when its player has left; a bot is out when all the people of its side have left. A side is out when all
its seats are.
"""

from collections.abc import Collection, Sequence

from games.engine.rules import Place


def seats_out(sides: Sequence[int], left: Collection[int], bots: Collection[int]) -> frozenset[int]:
    """The seats that are out: `sides[seat]` is each seat's side, `left` the seats whose people have left, `bots` the bots'.

    Bots count as players: one whose side has no people goes on alone.
    """
    deserted = {
        side
        for side in set(sides)
        if (people := [seat for seat in range(len(sides)) if sides[seat] == side and seat not in bots])
        and all(seat in left for seat in people)
    }
    return frozenset(seat for seat in range(len(sides)) if seat in left or (seat in bots and sides[seat] in deserted))


def live_sides(sides: Sequence[int], out: Collection[int]) -> frozenset[int]:
    """The sides that can still win."""
    return frozenset(side for seat, side in enumerate(sides) if seat not in out)


def places(outcome: Sequence[Place], out: Collection[int], *, by_total: bool) -> tuple[Place, ...]:
    """The final place of each seat, from the `outcome` of the rules and the seats that are out.

    The only side left has won. Among several the best one wins; where nobody wins by a total (`by_total` False: 5inq), only
    a side that has really won does, and a line of a side that is out is a draw for the others. Seats that are out share
    the last rank, unless nobody wins: then everybody shares rank 2.
    """
    if not out:
        return tuple(outcome)
    rank_of = {place.side: place.rank for place in outcome}
    live = live_sides([place.side for place in outcome], out)
    if len(live) == 1:
        final = dict.fromkeys(live, 1)
    elif by_total:
        final = {side: 1 + sum(rank_of[other] < rank_of[side] for other in live) for side in live}
    else:
        final = {side: rank_of[side] for side in live}
    last = 1 + len(live) if 1 in final.values() else 2
    return tuple(place._replace(rank=last if seat in out else final[place.side]) for seat, place in enumerate(outcome))
