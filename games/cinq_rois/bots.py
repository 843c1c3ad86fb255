"""Automatic players of Les Cinq Rois, from the observation alone (rules 2.10), deterministic from a seed.

*prudent* keeps the hand whose cards left over cost least. *malin* counts how many cards a hand still lacks to go out and how
many unseen cards would bring it nearer, and looks at points when hands are equally near.
"""
from collections import Counter
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, Final, NamedTuple

from games.cinq_rois import melds
from games.cinq_rois.cards import DECK, JOKER, NUMBERS, TEXTS, WIDTH, Hand, added, without
from games.cinq_rois.melds import Law, Solver
from games.cinq_rois.rules import IMMEDIATE, law_of

LEVELS: Final = ("prudent", "malin")
REACH: Final = 2


class _View(NamedTuple):
    """What a decision looks at, as kinds."""

    hand: Hand
    law: Law
    immediate: bool
    last_turns: bool
    top: int
    taken: int | None
    fed: Hand
    unseen: Mapping[int, int]

    @classmethod
    def of(cls, observation: Mapping[str, Any]) -> "_View":
        me, seats = observation["me"], observation["seats"]
        hand = tuple([NUMBERS[card] for card in observation["hand"]])
        pile = [NUMBERS[card] for card in observation["pile"]]
        known = [tuple([NUMBERS[card] for card in cards]) for cards in observation["known"]]
        laid = [NUMBERS[card] for card in observation["laid"]]
        elsewhere = [card for seat, cards in enumerate(known) if seat not in (me, observation["finisher"]) for card in cards]
        unseen = Counter(DECK)
        unseen.subtract([*hand, *pile, *elsewhere, *laid])
        taken = NUMBERS[observation["drawn"]] if observation["source"] == "pile" else None
        return cls(hand, law_of(observation), observation["fin_manche"] == IMMEDIATE, observation["finisher"] is not None,
                   pile[-1] if pile else JOKER, taken, known[(me + 1) % seats], unseen)


Worth = tuple[float, ...]
"""How good a hand is; the larger the better, compared in order."""


def choose(observation: Mapping[str, Any], seed: bytes | int, level: str = "prudent") -> str:
    """A legal text for the seat that observes and is on turn; ties are broken by the seed. Raises ValueError off turn."""
    legal: list[str] = observation["legal"]
    if not legal:
        raise ValueError("this seat is not to act")
    if len(legal) == 1:
        return legal[0]
    view = _View.of(observation)
    judge = _prudent if level == LEVELS[0] else _malin
    if observation["source"] is None:
        return "pile" if _wants(view, judge) else "stock"
    out = [text for text in legal if text.startswith("out")]
    if out:
        return min(out, key=lambda text: _lot(seed, text))
    worth = judge(view, view.hand)
    fit = [text for text in legal if NUMBERS[text.split()[1]] != view.taken] or legal
    return max(fit, key=lambda text: (worth(NUMBERS[text.split()[1]]), _lot(seed, text)))


def _lot(seed: bytes | int, text: str) -> bytes:
    return sha256(f"{seed.hex() if isinstance(seed, bytes) else seed}/{text}".encode()).digest()


def _wants(view: _View, judge: Callable[[_View, Hand], Callable[[int], Worth]]) -> bool:
    """Whether to take the top of the pile."""
    if view.top in melds.wilds(view.law):
        return True
    hand = added(view.hand, view.top)
    worth = judge(view, hand)
    others = {card for card in hand if card != view.top}
    return max(worth(card) for card in others)[0] > worth(view.top)[0]


def _prudent(view: _View, hand: Hand) -> Callable[[int], Worth]:
    """The fewest points left over; then the better linked cards, then the cheaper ones."""
    solver, price = Solver(hand, view.law), melds.points(view.law)
    return lambda card: (-solver.least_without(card), -_links(view, hand, card), price[card])


def _links(view: _View, hand: Hand, card: int) -> int:
    """How many other cards a card may go with; a wild goes with all."""
    if card in melds.wilds(view.law):
        return len(hand)
    return sum(_near(card, other) for other in hand)


def _near(card: int, other: int) -> bool:
    """Same rank in another suit, or the same suit at a distance of one or two."""
    if JOKER in (card, other) or card == other:
        return False
    if card // WIDTH == other // WIDTH:
        return abs(card - other) <= REACH
    return card % WIDTH == other % WIDTH


import os
B=float(os.environ.get('B','1'))
P=float(os.environ.get('P','0.01'))
A=float(os.environ.get('A','100'))
def _malin(view: _View, hand: Hand) -> Callable[[int], Worth]:
    """The hand that lacks fewest cards to go out."""
    price = melds.points(view.law)
    solver, wild = Solver(hand, view.law, spare=3, flat=True), melds.wilds(view.law)
    lack = {card: next(spare for spare in range(len(hand)) if solver.left(spare, card) <= spare) for card in set(hand) if card not in wild}
    least = min(lack.values(), default=0)
    cache = {}
    def worth(card: int) -> Worth:
        if card in wild:
            return (-999.0, 0.0)
        if card in cache: return cache[card]
        s = lack[card]
        v = -A * s
        if s == least and B:
            n, tot = _outs(view, without(hand, card), s)
            v += B * n / tot
        v -= P * melds.total(without(hand, card), view.law)
        v = (v, -_links(view, hand, card))
        cache[card]=v
        return v

    return worth


def _outs(view, hand, lacks):
    wild = melds.wilds(view.law)
    n = tot = 0
    for card, count in view.unseen.items():
        if not count: continue
        tot += count
        if card in wild: n += count; continue
        if any(c == card or (c not in wild and c != JOKER and (c // WIDTH == card // WIDTH and abs(c - card) < 5 or c % WIDTH == card % WIDTH)) for c in hand):
            if Solver(added(hand, card), view.law, spare=3, flat=True).left(lacks - 1) <= lacks: n += count
    return n, tot
