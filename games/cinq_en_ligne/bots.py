"""The automatic players of 5inq en Ligne, from the observation alone: *prudent* weighs squares, *malin* also looks ahead.

Both spend the highest live card that fits a square, which keeps the low ones for the moment they are needed (rules 3.7).
"""
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

from games.cinq_en_ligne.board import FIXED, board_of
from games.cinq_en_ligne.foresight import best
from games.cinq_en_ligne.sketch import Sketch

LEVELS: Final = ("prudent", "malin")
_URGENT: Final = 150.0
"""A square worth this much is played rather than a card drawn."""
_LOW_CARD: Final = 0.35


def choose(observation: Mapping[str, Any], seed: bytes | int, level: str = "prudent") -> str:
    """A legal text for the seat that observes and is on turn; ties are broken by the seed. Raises ValueError off turn."""
    legal: list[str] = observation["legal"]
    if not legal:
        raise ValueError("this seat is not to act")
    if len(legal) == 1:
        return legal[0]
    salt = seed if isinstance(seed, bytes) else str(seed).encode()
    sketch = _sketch(observation)
    if level == "malin":
        return best(sketch, observation, salt)
    return prudent(sketch, observation, salt)


def prudent(sketch: Sketch, observation: Mapping[str, Any], salt: bytes) -> str:
    """Win, block, make or stop a line that grows, else draw; a low card must be worth it."""
    side, hand = observation["me"] % observation["sides"], observation["hand"]
    worth = sketch.worth[side]
    options = [(worth[square] - _LOW_CARD * (99 - card), card, square) for card, square in sketch.fits(hand)]
    if "draw" in observation["legal"] and all(worth[square] < _URGENT for _, _, square in options):
        return "draw"
    most = max(value for value, _, _ in options)
    texts = [f"{card}@{square}" for value, card, square in options if value == most]
    return max(texts, key=lambda text: sha256(salt + text.encode()).digest())


def _sketch(observation: Mapping[str, Any]) -> Sketch:
    """The table as the observer sees it, ready to be thought about."""
    board = FIXED.get(observation["plateau"]) or board_of(tuple(observation["layout"]))
    sketch = Sketch(board, observation["sides"])
    for side, squares in enumerate(observation["pegs"]):
        for square in squares:
            sketch.put(side, square)
    return sketch
