"""The auction of 55 as an automaton over the calls made so far (rules 1.3).

A call is a number: a bid of 10, 15, 20, 25 or 60, `PASS` or `HOLD`. Everybody speaks once, the dealer last; a dealer who
takes over somebody's bid starts a duel with him.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

BIDS: Final = (10, 15, 20, 25, 60)
SWEEP: Final = 60
"""The bid that promises all five tricks."""
PASS: Final = 0
HOLD: Final = 1
TEXTS: Final = {PASS: "pass", HOLD: "hold", **{bid: str(bid) for bid in BIDS}}
CALLS: Final = {text: call for call, text in TEXTS.items()}


class Standing(NamedTuple):
    """An auction so far: who speaks now (None: it is over), the standing bid (0: none) and who owns it.

    `rival` is the dealer's opponent once the duel has begun.
    """

    turn: int | None
    bid: int
    owner: int | None
    rival: int | None


def standing(seats: int, dealer: int, calls: Iterable[int]) -> Standing:
    """Where the auction stands after these calls. They must have been legal when they were made."""
    now = Standing((dealer + 1) % seats, 0, None, None)
    for call in calls:
        now = after(now, seats, dealer, call)
    return now


def after(now: Standing, seats: int, dealer: int, call: int) -> Standing:
    """The standing after one more legal call of the seat on turn."""
    if now.turn == dealer:
        return _after_dealer(now, dealer, call)
    if now.rival is not None:
        return now._replace(turn=None, owner=dealer) if call == PASS else Standing(dealer, call, now.turn, now.rival)
    turn = (now.turn + 1) % seats if now.turn is not None else dealer
    return now._replace(turn=turn) if call == PASS else Standing(turn, call, now.turn, None)


def _after_dealer(now: Standing, dealer: int, call: int) -> Standing:
    if call == PASS:
        return now._replace(turn=None)
    bid = now.bid if call == HOLD else call
    if now.owner is None or bid == SWEEP:
        return Standing(None, bid, dealer, now.rival)
    return Standing(now.owner, bid, dealer, now.owner)


def options(now: Standing, dealer: int, *, forced_opening: bool) -> tuple[int, ...]:
    """The calls open to the seat on turn: pass, the higher bids, and the dealer's hold; () when the auction is over.

    `forced_opening`: a dealer to whom everybody passed may not pass (the table option `donneur_oblige`).
    """
    if now.turn is None:
        return ()
    bids = tuple(bid for bid in BIDS if bid > now.bid)
    if now.turn != dealer:
        return (PASS, *bids)
    if now.owner is None:
        return bids if forced_opening else (PASS, *bids)
    return (PASS, *bids, HOLD)


def may_only_pass(now: Standing, dealer: int) -> bool:
    """Whether everybody knows that the seat on turn can but pass: a 60 stands and only the dealer may hold it."""
    return now.turn is not None and now.turn != dealer and now.bid == SWEEP
