"""What accounts keeps: users, names, notices, limits, ties, sanctions, exports, departures, tokens. It knows no games."""

from accounts.models.departure import Departure
from accounts.models.export import Export
from accounts.models.limit import RateBucket
from accounts.models.notice import Notice
from accounts.models.sanction import Appeal, Sanction
from accounts.models.tie import Block, Friendship
from accounts.models.user import RetiredName, User, key_of
from accounts.models.wallet import TokenEntry, TokenHold, TokenReason, Wallet

__all__ = [
    "Appeal",
    "Block",
    "Departure",
    "Export",
    "Friendship",
    "Notice",
    "RateBucket",
    "RetiredName",
    "Sanction",
    "TokenEntry",
    "TokenHold",
    "TokenReason",
    "User",
    "Wallet",
    "key_of",
]
