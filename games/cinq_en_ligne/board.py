"""The board of 5inq en Ligne: where the hundred numbers stand, and which squares lie in line (rules 3.1, 3.4).

A layout is plain data: the numbers row by row from the top left. A set of squares is a bit mask of their numbers, so the
rest of the rules needs no coordinates.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

WIDTH: Final = 10
SQUARES: Final = WIDTH * WIDTH
LENGTH: Final = 5
"""Pegs in a line that win."""

SINUEUX: Final = "sinueux"
SPIRALE: Final = "spirale"
RANGEES: Final = "rangees"
ALEATOIRE: Final = "aleatoire"

_DIRECTIONS: Final = ((0, 1), (1, 0), (1, 1), (1, -1))
_DRAWN: Final = """
 73 72 71 70 69 68 67 66 65  0
 74 57 58 59 60 61 62 63 64 99
 75 56 21 20 19 18 17 36 37 98
 76 55 22 13 14 15 16 35 38 97
 77 54 23 12  1  4  5 34 39 96
 78 53 24 11  2  3  6 33 40 95
 79 52 25 10  9  8  7 32 41 94
 80 51 26 27 28 29 30 31 42 93
 81 50 49 48 47 46 45 44 43 92
 82 83 84 85 86 87 88 89 90 91
"""


def _spiral() -> tuple[int, ...]:
    """0 in the middle, then down, right, up, left in runs of 1, 1, 2, 2, 3, 3 ... until 99 in the top right corner."""
    cells = [0] * SQUARES
    row = column = (WIDTH - 1) // 2
    number, run = 0, 0
    while number < SQUARES - 1:
        down, right = ((1, 0), (0, 1), (-1, 0), (0, -1))[run % 4]
        for _ in range(min(run // 2 + 1, WIDTH - 1)):
            row, column, number = row + down, column + right, number + 1
            cells[row * WIDTH + column] = number
        run += 1
    return tuple(cells)


LAYOUTS: Final[dict[str, tuple[int, ...]]] = {
    SINUEUX: tuple(map(int, _DRAWN.split())),
    SPIRALE: _spiral(),
    RANGEES: tuple(range(SQUARES)),
}
"""The layouts that never change; `aleatoire` is dealt for each table."""


class Board:
    """One layout with everything asked of it during play.

    `windows` are the 192 sets of five squares in line; `through[n]` those with square n in them.
    """

    __slots__ = ("_rays", "numbers", "place", "through", "windows")

    def __init__(self, numbers: Sequence[int]) -> None:
        self.numbers = tuple(numbers)
        self.place = {number: divmod(cell, WIDTH) for cell, number in enumerate(self.numbers)}
        self._rays = tuple(self._rays_of(number) for number in range(SQUARES))
        self.windows = tuple(self._windows())
        self.through = tuple(tuple(window for window in self.windows if window >> number & 1) for number in range(SQUARES))

    def rows(self) -> list[tuple[int, ...]]:
        """The numbers row by row, from the top."""
        return [self.numbers[start : start + WIDTH] for start in range(0, SQUARES, WIDTH)]

    def wins(self, pegs: int, square: int) -> bool:
        """Whether a peg on `square`, among these pegs of one side, makes a line of five or more."""
        return any(pegs & window == window for window in self.through[square])

    def lines(self, pegs: int, square: int) -> tuple[tuple[int, ...], ...]:
        """Every whole run of five pegs or more through the square, each from its left or upper end."""
        found = []
        for back, ahead in self._rays[square]:
            run = (*reversed(_unbroken(pegs, back)), square, *_unbroken(pegs, ahead))
            if len(run) >= LENGTH:
                found.append(run)
        return tuple(found)

    def _at(self, row: int, column: int) -> int | None:
        inside = 0 <= row < WIDTH and 0 <= column < WIDTH
        return self.numbers[row * WIDTH + column] if inside else None

    def _ray(self, number: int, down: int, right: int) -> tuple[int, ...]:
        row, column = self.place[number]
        ray = []
        while (found := self._at(row := row + down, column := column + right)) is not None:
            ray.append(found)
        return tuple(ray)

    def _rays_of(self, number: int) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
        """The squares on both sides of this one, nearest first, in each of the four directions."""
        return tuple((self._ray(number, -down, -right), self._ray(number, down, right)) for down, right in _DIRECTIONS)

    def _windows(self) -> list[int]:
        found = []
        for number in range(SQUARES):
            for _, ahead in self._rays[number]:
                if len(ahead) >= LENGTH - 1:
                    found.append(sum(1 << square for square in (number, *ahead[: LENGTH - 1])))
        return found


def _unbroken(pegs: int, ray: tuple[int, ...]) -> list[int]:
    found = []
    for square in ray:
        if not pegs >> square & 1:
            break
        found.append(square)
    return found


@lru_cache(maxsize=64)
def board_of(numbers: tuple[int, ...]) -> Board:
    """The board of a layout; the last ones asked for are kept."""
    return Board(numbers)


FIXED: Final = {name: Board(numbers) for name, numbers in LAYOUTS.items()}
"""The board of each layout that never changes."""
