"""Tables, seats and moves. The vault is not re-exported: only services and `games.observe` may import it."""

from games.models.clock import ClockState, UnforeseenTimeout
from games.models.move import By, Move
from games.models.seat import Removal, Seat
from games.models.table import Status, Table, TableEvent, Visibility

__all__ = ["By", "ClockState", "Move", "Removal", "Seat", "Status", "Table", "TableEvent", "UnforeseenTimeout", "Visibility"]
