"""Automatic players of Les Cinq Rois, from the observation alone (rules 2.10), deterministic from a seed.

*prudent* keeps the hand whose cards left over cost least. *malin* counts how many cards a hand still lacks and how many unseen
cards would bring it nearer, turns both into a chance to be the one who goes out, and keeps the hand that costs least on average.
"""

from collections import Counter
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final, NamedTuple

from games.cinq_rois import melds
from games.cinq_rois.cards import DECK, JOKER, NUMBERS, WIDTH, Hand, added
from games.cinq_rois.melds import Law, Solver
from games.cinq_rois.rules import IMMEDIATE, law_of

LEVELS: Final = ("prudent", "malin")
REACH: Final = 2
CHANCES: Final = {1: (0.22, 0.8), 2: (0.04, 0.42), 3: (0.03, 0.1)}
"""Cards lacking -> chance to go out first, as a constant and a slope over the share of unseen cards that help; measured over
2,750 rounds of one *malin* among three *prudents*."""
HOPELESS: Final = (0.01, 0.03)
LAP: Final = (1.18, 0.09, 0.4)
"""What the chance is multiplied by in a round's first lap, what every lap takes off, and the least factor; measured too."""
NEXT_SHARE: Final = 0.28
"""The usual share of helpful cards of a hand that has just become better."""


class _View(NamedTuple):
    """What a decision looks at, cards as kinds: `top` of the pile, `taken` from it in this turn, `unseen` counts."""

    hand: Hand
    law: Law
    immediate: bool
    last_turns: bool
    top: int
    taken: int | None
    lap: int
    unseen: Mapping[int, int]

    @classmethod
    def of(cls, observation: Mapping[str, Any]) -> "_View":
        me, finisher = observation["me"], observation["finisher"]
        pile = [NUMBERS[card] for card in observation["pile"]]
        unseen = Counter(DECK)
        unseen.subtract(pile)
        shown = [cards for seat, cards in enumerate(observation["known"]) if seat not in (me, finisher)]
        for cards in (observation["hand"], observation["laid"], *shown):
            unseen.subtract([NUMBERS[card] for card in cards])
        return cls(
            hand=tuple([NUMBERS[card] for card in observation["hand"]]),
            law=law_of(observation),
            immediate=observation["fin_manche"] == IMMEDIATE,
            last_turns=finisher is not None,
            top=pile[-1] if pile else JOKER,
            taken=NUMBERS[observation["drawn"]] if observation["source"] == "pile" else None,
            lap=observation["turns"] // observation["seats"],
            unseen=unseen,
        )


class _Worth(NamedTuple):
    """How good the hand is that a discard leaves; the larger the better, compared in order."""

    value: float
    links: int
    price: int


def choose(observation: Mapping[str, Any], seed: bytes | int, level: str = "prudent") -> str:
    """A legal text for the seat that observes and is on turn; ties are broken by the seed. Raises ValueError off turn."""
    legal: list[str] = observation["legal"]
    if not legal:
        raise ValueError("this seat is not to act")
    if len(legal) == 1:
        return legal[0]
    view = _View.of(observation)
    clever = level == LEVELS[1] and not view.last_turns
    if observation["source"] is None:
        wants = view.top in melds.wilds(view.law) or (_malin_wants(view) if clever else _prudent_wants(view))
        return "pile" if wants else "stock"
    out = [text for text in legal if text.startswith("out")]
    worth = _malin(view, view.hand) if clever and not out else _prudent(view, view.hand)
    fit = out or [text for text in legal if _card(text) in worth and _card(text) != view.taken] or legal
    return max(fit, key=lambda text: (worth.get(_card(text), ()), _lot(seed, text)))


def _card(text: str) -> int:
    return NUMBERS[text.split()[1]]


def _lot(seed: bytes | int, text: str) -> bytes:
    return sha256(f"{seed.hex() if isinstance(seed, bytes) else seed}/{text}".encode()).digest()


def _links(view: _View, hand: Hand, card: int) -> int:
    """How many other cards of the hand a card may go with; a wild goes with all."""
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


def _prudent(view: _View, hand: Hand) -> dict[int, _Worth]:
    """For each discard: the fewest points left over; then throw the worst linked card, then the dearest."""
    solver, price = Solver(hand, view.law), melds.points(view.law)
    return {card: _Worth(-solver.least_without(card), -_links(view, hand, card), price[card]) for card in set(hand)}


def _prudent_wants(view: _View) -> bool:
    """Whether the top of the pile leaves fewer points over than the hand has without it."""
    worth = _prudent(view, added(view.hand, view.top))
    return max(found.value for card, found in worth.items() if card != view.top) > worth[view.top].value


class _Prospect(NamedTuple):
    """What a hand may come to: cards it lacks, share of unseen cards that help, points it costs if another goes out first."""

    lacks: int
    share: float
    cost: int

    def loss(self, lap: int) -> float:
        """The points it costs on average."""
        if not self.lacks:
            return 0.0
        constant, slope = CHANCES.get(self.lacks, HOPELESS)
        first, each, least = LAP
        return self.cost * (1 - min(1.0, (constant + slope * self.share) * max(least, first - each * lap)))


def _prospects(view: _View, hand: Hand) -> dict[int, _Prospect]:
    """For each discard that is no wild: the prospect of the hand it leaves."""
    wild, price, unseen = melds.wilds(view.law), melds.points(view.law), view.unseen
    solver = Solver(hand, view.law, spare=True)
    whole, many, helpful = melds.total(hand, view.law), sum(unseen.values()), sum(unseen[card] for card in wild)
    found = {}
    for card in sorted(set(hand) - wild):
        lacks = solver.lacks(card)
        wanted = solver.wanted(card, lacks) if lacks else ()
        cost = whole - price[card] if view.immediate else solver.least_without(card)
        found[card] = _Prospect(lacks, (helpful + sum(unseen[other] for other in wanted)) / max(1, many), cost)
    return found


def _malin(view: _View, hand: Hand) -> dict[int, _Worth]:
    """For each discard but a wild: the points the hand costs on average."""
    price = melds.points(view.law)
    return {
        card: _Worth(-prospect.loss(view.lap), -_links(view, hand, card), price[card])
        for card, prospect in _prospects(view, hand).items()
    }


def _malin_wants(view: _View) -> bool:
    """Whether the top of the pile promises more than a card of the stock, which may help or not."""
    found = _prospects(view, added(view.hand, view.top))
    stay = found.pop(view.top)
    if not found:
        return True
    now, helped = stay.loss(view.lap), stay._replace(lacks=max(0, stay.lacks - 1), share=NEXT_SHARE).loss(view.lap)
    return min(prospect.loss(view.lap) for prospect in found.values()) < now + stay.share * (helped - now)
