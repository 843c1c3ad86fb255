"""The board: layouts, windows of five, lines (rules 3.1, 3.4)."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from games.cinq_en_ligne.board import FIXED, LAYOUTS, SQUARES, Board

DOCUMENT = """
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


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_layout_has_every_number_once(name: str) -> None:
    assert sorted(LAYOUTS[name]) == list(range(SQUARES))


def test_the_winding_layout_is_the_documents() -> None:
    board = FIXED["sinueux"]
    drawn = [" ".join(f"{number:2d}" for number in row) for row in board.rows()]
    assert drawn == [line.strip().rjust(29) for line in DOCUMENT.split("\n")[1:-1]]
    assert board.place[73] == (0, 0) and board.place[0] == (0, 9) and board.place[82] == (9, 0) and board.place[91] == (9, 9)
    steps = [
        abs(board.place[a][0] - board.place[b][0]) + abs(board.place[a][1] - board.place[b][1])
        for a, b in pairwise(range(1, SQUARES))
    ]
    assert set(steps) == {1}


def test_the_spiral_starts_in_the_middle_and_ends_in_the_corner() -> None:
    board = FIXED["spirale"]
    assert [board.place[n] for n in (0, 1, 2, 3, 99)] == [(4, 4), (5, 4), (5, 5), (4, 5), (0, 9)]
    assert board.rows()[0] == (72, 71, 70, 69, 68, 67, 66, 65, 64, 99)
    steps = [
        abs(board.place[a][0] - board.place[b][0]) + abs(board.place[a][1] - board.place[b][1])
        for a, b in pairwise(range(SQUARES))
    ]
    assert set(steps) == {1}


def test_rows_run_from_left_to_right() -> None:
    assert FIXED["rangees"].rows()[:2] == [tuple(range(10)), tuple(range(10, 20))]


@pytest.mark.parametrize("name", LAYOUTS)
def test_there_are_192_windows_of_five(name: str) -> None:
    board = FIXED[name]
    assert len(set(board.windows)) == len(board.windows) == 192
    assert all(window.bit_count() == 5 for window in board.windows)
    counts = sorted(len(board.through[number]) for number in range(SQUARES))
    assert (counts[0], counts[-1], sum(counts)) == (3, 20, 5 * 192)


@pytest.mark.parametrize("seed", range(20))
def test_lines_and_windows_agree(seed: int) -> None:
    """A line found by walking and a whole window are the same thing."""
    rng = Random(seed)
    board = Board(rng.sample(range(SQUARES), SQUARES))
    pegs = sum(1 << number for number in rng.sample(range(SQUARES), 60))
    for square in range(SQUARES):
        if pegs >> square & 1:
            lines = board.lines(pegs, square)
            assert bool(lines) == board.wins(pegs, square)
            for line in lines:
                assert square in line and len(line) >= 5 and all(pegs >> number & 1 for number in line)
                ends = [board.place[line[0]], board.place[line[-1]]]
                gaps = [abs(ends[0][axis] - ends[1][axis]) for axis in (0, 1)]
                assert max(gaps) == len(line) - 1 and min(gaps) in (0, max(gaps))
