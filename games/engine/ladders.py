"""Ladders of the layout games: four suits that grow both ways from a pivot card (rules 1.2, 1.3).

The table is one bit mask of the cards played. Every shape of a suit's row is judged once, when the object is built, so
that a question about the whole table is four look-ups.
"""

SUITS = 4


class Ladders:
    """Playable and dead cards for one deck width, pivot index and manner of building.

    `leaps` False: only the two neighbours of a run may be played, and nothing dies. `leaps` True: anything below the
    lowest or above the highest card, and what lies between is dead. A suit is closed until its pivot is played.
    """

    __slots__ = ("_dead", "_playable", "_row", "pivot", "width")

    def __init__(self, width: int, pivot: int, *, leaps: bool) -> None:
        self.width = width
        self.pivot = pivot
        self._row = (1 << width) - 1
        rows = range(1 << width)
        self._playable = tuple(self._row_playable(row, leaps) for row in rows)
        self._dead = tuple(self._row_dead(row) if leaps else 0 for row in rows)

    def playable(self, table: int) -> int:
        """The set of cards that fit the table, whoever holds them."""
        judged, row, width = self._playable, self._row, self.width
        return (
            judged[table & row]
            | judged[table >> width & row] << width
            | judged[table >> 2 * width & row] << 2 * width
            | judged[table >> 3 * width & row] << 3 * width
        )

    def dead(self, table: int) -> int:
        """The set of unplayed cards that can never be played any more."""
        judged, row, width = self._dead, self._row, self.width
        return (
            judged[table & row]
            | judged[table >> width & row] << width
            | judged[table >> 2 * width & row] << 2 * width
            | judged[table >> 3 * width & row] << 3 * width
        )

    def ends(self, table: int, suit: int) -> tuple[int, int] | None:
        """Indices of the lowest and highest card played in a suit, None while it is closed."""
        row = table >> suit * self.width & self._row
        return _ends(row) if row >> self.pivot & 1 else None

    def _row_playable(self, row: int, leaps: bool) -> int:
        if not row >> self.pivot & 1:
            return 1 << self.pivot
        low, high = _ends(row)
        below, above = (1 << low) - 1, self._row & ~((2 << high) - 1)
        if leaps:
            return below | above
        return below & 1 << low >> 1 | above & 2 << high

    def _row_dead(self, row: int) -> int:
        if not row >> self.pivot & 1:
            return 0
        low, high = _ends(row)
        return ((1 << high) - 1) & ~((1 << low) - 1) & ~row


def _ends(row: int) -> tuple[int, int]:
    return (row & -row).bit_length() - 1, row.bit_length() - 1
