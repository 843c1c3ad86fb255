"""The automatic players of Six fous. *prudent* goes by a value for every card (rules 11.2); *malin* plays the hand out.

Both know the observation only: the hidden cards of *malin*'s playouts are dealt by himself.
"""

from collections.abc import Callable, Mapping
from typing import Any

from games.engine.foresight import Foresight, View
from games.engine.prospects import Prospect, lot
from games.six_fous.rules import CARDS, DECK, LADDERS, PIVOT, SixFousMove, hand_scores

LEVELS = ("prudent", "malin")
RANKS = {jeu: tuple(dict.fromkeys(DECK.cards[card][:-1] for card in cards)) for jeu, cards in CARDS.items()}
"""The printed ranks of each deck; the six has the same place in both."""
_FORESIGHT = {jeu: Foresight(LADDERS, sum(1 << card for card in cards)) for jeu, cards in CARDS.items()}


def choose(observation: Mapping[str, Any], seed: bytes | int, level: str = "prudent") -> str:
    """A legal text for the seat that observes and is on turn; ties are broken by the seed. Raises ValueError off turn."""
    if level not in LEVELS:
        raise ValueError(f"no such level: {level}")
    legal: list[str] = observation["legal"]
    if not legal:
        raise ValueError("this seat is not to act")
    if len(legal) == 1:
        return legal[0]
    ranks = RANKS[observation["jeu"]]
    value = {text: (Prospect.of(observation, text, ranks, PIVOT).leap_worth(), lot(seed, text)) for text in legal}
    ranked = sorted(legal, key=value.__getitem__, reverse=True)
    return ranked[0] if level == "prudent" else _foreseen(observation, ranked, lot(seed, "worlds"))


def _foreseen(observation: Mapping[str, Any], ranked: list[str], key: bytes) -> str:
    """The candidate that leaves the best hand on average; among equals the one that *prudent* ranks first."""
    table, hand = LADDERS.table_of(observation["played"]), DECK.mask(observation["hand"])
    away = sum(DECK.mask(pile) for pile in observation["aside"])
    view = View(
        me=observation["me"],
        table=table,
        mine=hand,
        hidden=sum(1 << card for card in CARDS[observation["jeu"]]) & ~(table | hand | away),
        sizes=observation["hand_sizes"],
        plays=[(seat, SixFousMove.parse(text).number) for seat, text in observation["plays"]],
    )
    cards = {DECK.mask([text]): text for text in ranked}
    return cards[_FORESIGHT[observation["jeu"]].best(list(cards), view, key, _judge(observation))]


def _judge(observation: Mapping[str, Any]) -> Callable[[list[int]], float]:
    """My points of the hand less the mean of the others', from the cards that everybody still places."""
    me: int = observation["me"]
    others: int = observation["seats"] - 1
    dealt = [
        size + len(aside) + placed
        for size, aside, placed in zip(observation["hand_sizes"], observation["aside"], observation["placed"], strict=True)
    ]

    def judge(more: list[int]) -> float:
        placed = [before + after for before, after in zip(observation["placed"], more, strict=True)]
        scores = hand_scores(placed, [cards - count for cards, count in zip(dealt, placed, strict=True)])
        return scores[me] - (sum(scores) - scores[me]) / others

    return judge
