"""The automatic players of 5inq en Ligne, from the observation alone, without search.

Both weigh every square by the windows of five it lies in, and spend the highest card that fits it, which keeps the low ones
(rules 3.7). *Malin* also asks of each window who holds cards low enough to finish it: a threat on a low square is hard to stop.
"""

from collections.abc import Callable, Mapping
from hashlib import sha256
from math import comb
from typing import Any, Final, NamedTuple

from games.cinq_en_ligne.board import FIXED, SQUARES, Board, board_of
from games.engine.cards import members

LEVELS: Final = ("prudent", "malin")


class Weights(NamedTuple):
    """What a peg in a window is worth.

    `own[k]` beside k own pegs, `enemy[k]` beside k pegs of one enemy; a square worth less than `urgent` waits while a card may
    be drawn; `card` is the price of the lowest card, falling to nothing for the highest as the power `fall` of its distance.
    """

    own: tuple[float, ...]
    enemy: tuple[float, ...]
    urgent: float
    card: float
    fall: float


WEIGHTS: Final = {
    "prudent": Weights((1, 6, 30, 200, 10_000), (0, 4, 22, 150, 5_000), 150, 35, 1),
    "malin": Weights((1, 7, 30, 200, 10_000), (0, 4, 19, 150, 5_000), 220, 300, 1.5),
}


def choose(observation: Mapping[str, Any], seed: bytes | int, level: str = "prudent") -> str:
    """A legal text for the seat that observes and is on turn; ties are broken by the seed. Raises ValueError off turn."""
    legal: list[str] = observation["legal"]
    if not legal:
        raise ValueError("this seat is not to act")
    if len(legal) == 1:
        return legal[0]
    table, weights = _Table.of(observation), WEIGHTS[level]
    worth = table.foresight(weights) if level == "malin" else table.counts(weights)
    options = [(card, square, worth(card, square)) for card, square in table.fits()]
    if "draw" in legal and all(value < weights.urgent for _, _, value in options):
        return "draw"
    salt = seed if isinstance(seed, bytes) else str(seed).encode()
    card, square, _ = max(options, key=lambda option: (option[2] - _price(option[0], weights), _lot(salt, *option[:2])))
    return f"{card}@{square}"


def _price(card: int, weights: Weights) -> float:
    highest = SQUARES - 1
    return weights.card * float(((highest - card) / highest) ** weights.fall)


def _lot(salt: bytes, card: int, square: int) -> bytes:
    return sha256(b"%b/%d@%d" % (salt, card, square)).digest()


class _Window(NamedTuple):
    """A window that one side at most has pegs in: whose and how many, and the squares still free."""

    mine: bool
    pegs: int
    free: tuple[int, ...]


Worth = Callable[[int, int], float]
"""What a square is worth when this card is played on it."""


class _Table(NamedTuple):
    """The table as one seat sees it; `open` are the windows not spoilt by two sides, by their mask."""

    board: Board
    hand: list[int]
    free: int
    open: Mapping[int, _Window]
    unseen: int
    mates: int
    enemies: int

    @classmethod
    def of(cls, seen: Mapping[str, Any]) -> "_Table":
        """`unseen`: cards neither played nor held; `mates`, `enemies`: cards in the hands of the side and of the next one."""
        board = FIXED.get(seen["plateau"]) or board_of(tuple(seen["layout"]))
        me, sides = seen["me"], seen["sides"]
        pegs = [sum(1 << square for square in squares) for squares in seen["pegs"]]
        free = (1 << SQUARES) - 1 & ~sum(pegs)
        played = (int(text.split("@")[0]) for _, text in seen["plays"] if "@" in text)
        known = sum(1 << card for card in (*seen["hand"], *played))
        sizes = [sum(seen["hand_sizes"][seat] for seat in range(side, seen["seats"], sides)) for side in range(sides)]
        mine = me % sides
        return cls(
            board,
            seen["hand"],
            free,
            _open_windows(board, pegs, mine, free),
            (1 << SQUARES) - 1 & ~known,
            sizes[mine] - len(seen["hand"]),
            sizes[(mine + 1) % sides],
        )

    def fits(self) -> list[tuple[int, int]]:
        """Each free square that a card of the hand fits, with the highest such card."""
        return [
            (max(card for card in self.hand if card <= square), square) for square in members(self.free) if square >= self.hand[0]
        ]

    def counts(self, weights: Weights) -> Worth:
        """By the pegs in each window alone."""

        def worth(card: int, square: int) -> float:
            windows = (self.open[mask] for mask in self.board.through[square] if mask in self.open)
            return sum((weights.own if window.mine else weights.enemy)[window.pegs] for window in windows)

        return worth

    def foresight(self, weights: Weights) -> Worth:
        """By the pegs and by the chance that the other squares of each window can be filled."""
        enemy, mate = self._reach(self.enemies), self._reach(self.mates)
        mine = [1 - (0.6 - 0.006 * square) * (1 - mate[square]) for square in range(SQUARES)]
        theirs = [0.5 + 0.5 * chance for chance in enemy]

        def worth(card: int, square: int) -> float:
            rest = [held for held in self.hand if held != card]
            lowest = rest[0] if rest else SQUARES
            value = 0.0
            for mask in self.board.through[square]:
                window = self.open.get(mask)
                if window is None:
                    continue
                if not window.mine and window.pegs == len(weights.enemy) - 1:
                    value += weights.enemy[window.pegs]
                    continue
                share = weights.own[window.pegs] if window.mine else weights.enemy[window.pegs] * (0.6 + 0.4 * enemy[square])
                for other in window.free:
                    if other != square:
                        share *= theirs[other] if not window.mine else 1 if other >= lowest else mine[other]
                value += share
            return value

        return worth

    def _reach(self, cards: int) -> list[float]:
        """For each square, the chance that so many unseen cards have one among them that fits it."""
        total, low, chances = self.unseen.bit_count(), 0, []
        for square in range(SQUARES):
            low += self.unseen >> square & 1
            chances.append(1 - comb(total - low, cards) / comb(total, cards))
        return chances


def _open_windows(board: Board, pegs: list[int], mine: int, free: int) -> dict[int, _Window]:
    found = {}
    for mask in board.windows:
        owners = [side for side, squares in enumerate(pegs) if squares & mask]
        if len(owners) <= 1:
            owner = owners[0] if owners else mine
            found[mask] = _Window(owner == mine, (pegs[owner] & mask).bit_count(), tuple(members(mask & free)))
    return found
