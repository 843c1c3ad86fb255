"""The automatic player of Six fous: a value for every legal card from the observation alone (rules 11.2)."""

from collections.abc import Mapping
from typing import Any

from games.engine.prospects import Prospect, lot
from games.six_fous.rules import CARDS, DECK, PIVOT

LEVELS = ("prudent", "malin")
RANKS = {jeu: tuple(dict.fromkeys(DECK.cards[card][:-1] for card in cards)) for jeu, cards in CARDS.items()}
"""The printed ranks of each deck; the six has the same place in both."""


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
    return max(legal, key=lambda text: (Prospect.of(observation, text, ranks, PIVOT).leap_worth(), lot(seed, text)))
