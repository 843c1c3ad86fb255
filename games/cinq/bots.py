"""The automatic players of Cinq. *prudent* goes by a value for every card (rules 11); in piégeur *malin* plays the hand out.

Both know the observation only: the hidden cards of *malin*'s playouts are dealt by himself. In classique the two are one:
searching on top of the value has gained nothing there (rules 11.3).
"""

from collections.abc import Callable, Mapping
from typing import Any

from games.cinq.rules import CLASSIQUE, DECK, LADDERS, PIEGEUR, PIVOT, CardMove, hand_scores
from games.engine.foresight import Foresight, View
from games.engine.prospects import Prospect, lot

LEVELS = ("prudent", "malin")
_ALL_CARDS = (1 << DECK.size) - 1
_FORESIGHT = Foresight(LADDERS[PIEGEUR], _ALL_CARDS)


def choose(observation: Mapping[str, Any], seed: bytes | int, level: str = "prudent") -> str:
    """A legal text for the seat that observes and is on turn; ties are broken by the seed. Raises ValueError off turn."""
    if level not in LEVELS:
        raise ValueError(f"no such level: {level}")
    legal: list[str] = observation["legal"]
    if not legal:
        raise ValueError("this seat is not to act")
    if len(legal) == 1:
        return legal[0]
    classique = observation["mode"] == CLASSIQUE
    worth = Prospect.step_worth if classique else Prospect.leap_worth
    value = {text: (worth(Prospect.of(observation, text, DECK.ranks, PIVOT)), lot(seed, text)) for text in legal}
    ranked = sorted(legal, key=value.__getitem__, reverse=True)
    return ranked[0] if level == "prudent" or classique else _foreseen(observation, ranked, lot(seed, "worlds"))


def _foreseen(observation: Mapping[str, Any], ranked: list[str], key: bytes) -> str:
    """The candidate that leaves the best hand on average; among equals the one that *prudent* ranks first."""
    layout = LADDERS[PIEGEUR]
    table, hand = layout.table_of(observation["played"]), DECK.mask(observation["hand"])
    dead = layout.dead(table)
    view = View(
        me=observation["me"],
        table=table,
        mine=hand & ~dead,
        hidden=_ALL_CARDS & ~(table | hand | dead),
        sizes=[size - lost for size, lost in zip(observation["hand_sizes"], observation["dead_counts"], strict=True)],
        plays=[(seat, CardMove.parse(text).number) for seat, text in observation["plays"]],
    )
    cards = {DECK.mask([text]): text for text in ranked}
    return cards[_FORESIGHT.best(list(cards), view, key, _judge(observation))]


def _judge(observation: Mapping[str, Any]) -> Callable[[list[int]], float]:
    """My points of the hand less the mean of the others', from the cards that everybody still places."""
    me: int = observation["me"]
    others: int = observation["seats"] - 1

    def judge(more: list[int]) -> float:
        left = tuple(size - placed for size, placed in zip(observation["hand_sizes"], more, strict=True))
        scores = hand_scores(PIEGEUR, left)
        return scores[me] - (sum(scores) - scores[me]) / others

    return judge
