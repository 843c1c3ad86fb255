"""Tables, seats, moves, messages. The vault is not re-exported: only services and `games.observe` may import it."""

from games.models.chat import ChatMessage, ChatMute
from games.models.clock import ClockState, UnforeseenTimeout
from games.models.invitation import Invitation
from games.models.move import By, Move
from games.models.seat import VOTE_OPEN, AbandonVote, Penalty, Removal, Seat
from games.models.table import Status, Table, TableEvent, Uncounted, Visibility

__all__ = [
    "VOTE_OPEN",
    "AbandonVote",
    "By",
    "ChatMessage",
    "ChatMute",
    "ClockState",
    "Invitation",
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
