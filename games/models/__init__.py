"""Tables, seats and moves. The vault is not re-exported: only services and `games.observe` may import it."""

from games.models.clock import ClockState, UnforeseenTimeout
from games.models.move import By, Move
from games.models.seat import VOTE_OPEN, AbandonVote, Penalty, Removal, Seat
from games.models.table import Status, Table, TableEvent, Uncounted, Visibility

__all__ = [
    "VOTE_OPEN",
    "AbandonVote",
    "By",
    "ClockState",
    "Move",
    "Penalty",
    "Removal",
    "Seat",
    "Status",
    "Table",
    "TableEvent",
    "Uncounted",
    "UnforeseenTimeout",
    "Visibility",
]
