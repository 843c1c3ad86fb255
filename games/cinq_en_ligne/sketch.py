"""A board to think on: what every free square is worth to every side, kept up to date peg by peg.

Each of the 192 windows of five squares has a code, one digit to base 6 a side: the pegs that side has in it. A window is worth
something only while at most one side has pegs there.
"""
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from games.cinq_en_ligne.board import LENGTH, SQUARES, Board
from games.engine.cards import members

_BASE: Final = LENGTH + 1
_OWN: Final = (1.0, 6.0, 30.0, 200.0, 10_000.0, 0.0)
"""Worth of a square in a window by the own pegs there already, no enemy in it (rules 3.7)."""
_ENEMY: Final = (1.0, 4.0, 22.0, 150.0, 5_000.0, 0.0)
"""The same by the pegs of one enemy alone: to stop him."""
_HOPE: Final = (0.0, 1.0, 5.0, 25.0, 90.0, 400.0)
"""What a side's window is worth at the end of a thought, by its pegs."""


class Frame(NamedTuple):
    """What a board gives every sketch of it: the windows, and for each square those it lies in."""

    windows: tuple[tuple[int, ...], ...]
    through: tuple[tuple[int, ...], ...]


@cache
def _tables(sides: int) -> tuple[tuple[tuple[float, ...], ...], tuple[tuple[float, ...], ...]]:
    """By side and code: worth of a free square of the window, and hope of the window."""
    worth: list[list[float]] = [[] for _ in range(sides)]
    hope: list[list[float]] = [[] for _ in range(sides)]
    for code in range(_BASE ** sides):
        pegs = [code // _BASE ** side % _BASE for side in range(sides)]
        owners = [side for side in range(sides) if pegs[side]]
        for side in range(sides):
            alone = len(owners) <= 1
            mine = owners in ([], [side])
            count = pegs[owners[0]] if owners else 0
            worth[side].append(0.0 if not alone else _OWN[count] if mine else _ENEMY[count])
            hope[side].append(_HOPE[count] if owners == [side] else 0.0)
    return tuple(map(tuple, worth)), tuple(map(tuple, hope))


@cache
def _frame(numbers: tuple[int, ...]) -> Frame:
    windows = tuple(tuple(members(window)) for window in Board(numbers).windows)
    return Frame(windows, tuple(tuple(i for i, window in enumerate(windows) if square in window) for square in range(SQUARES)))


class Sketch:
    """Pegs on a board, changed in place. `worth[side][square]`, `hope[side]`, `threats[side]` (squares that win at once)."""

    __slots__ = ("_code", "_frame", "free", "hope", "sides", "threats", "worth")

    def __init__(self, board: Board, sides: int) -> None:
        self._frame = _frame(board.numbers)
        self.sides = sides
        self.free = list(range(SQUARES))
        self._code = [0] * len(self._frame.windows)
        self.worth = [[_OWN[0] * len(own) for own in self._frame.through] for _ in range(sides)]
        self.hope = [0.0] * sides
        self.threats: list[set[int]] = [set() for _ in range(sides)]

    def copy(self) -> "Sketch":
        """Another sketch of the same pegs."""
        other = object.__new__(Sketch)
        other._frame = self._frame
        other.sides = self.sides
        other.free = self.free[:]
        other._code = self._code[:]
        other.worth = [worth[:] for worth in self.worth]
        other.hope = self.hope[:]
        other.threats = [set(threats) for threats in self.threats]
        return other

    def put(self, side: int, square: int) -> bool:
        """Set a peg on a free square; True when it wins."""
        worths, hopes = _tables(self.sides)
        code, windows, step = self._code, self._frame.windows, _BASE ** side
        free, hope = self.free, self.hope
        self.free.remove(square)
        won = square in self.threats[side]
        for threats in self.threats:
            threats.discard(square)
        for i in self._frame.through[square]:
            old = code[i]
            new = code[i] = old + step
            window = windows[i]
            for each, worth in enumerate(self.worth):
                table = worths[each]
                change = table[new] - table[old]
                if change:
                    for other in window:
                        worth[other] += change
                hope[each] += hopes[each][new] - hopes[each][old]
            if new == 4 * step:
                self.threats[side].update(other for other in window if other in free)
        return won

    def fits(self, hand: Sequence[int]) -> list[tuple[int, int]]:
        """Each free square that a card of this rising hand fits, with the highest such card."""
        found, last, rising = [], -1, iter((*hand, SQUARES))
        following = next(rising)
        for square in self.free:
            while square >= following:
                last, following = following, next(rising)
            if last >= 0:
                found.append((last, square))
        return found
