"""The automatic player of Cinq: a value for every legal card from the observation alone (rules 11), no search."""

from collections.abc import Mapping
from typing import Any

from games.cinq.rules import CLASSIQUE, DECK, PIVOT
from games.engine.prospects import Prospect, lot

LEVELS = ("prudent", "malin")


def choose(observation: Mapping[str, Any], seed: bytes | int, level: str = "prudent") -> str:
    """A legal text for the seat that observes and is on turn; ties are broken by the seed. Raises ValueError off turn.

    Both levels play by the same value function: searching on top of it has gained nothing so far (rules 11.3).
    """
    if level not in LEVELS:
        raise ValueError(f"no such level: {level}")
    legal: list[str] = observation["legal"]
    if not legal:
        raise ValueError("this seat is not to act")
    if len(legal) == 1:
        return legal[0]
    worth = Prospect.step_worth if observation["mode"] == CLASSIQUE else Prospect.leap_worth
    return max(legal, key=lambda text: (worth(Prospect.of(observation, text, DECK.ranks, PIVOT)), lot(seed, text)))
