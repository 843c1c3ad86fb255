"""What accounts keeps: users, names, notices, limits, exports, departures. It knows no games."""

from accounts.models.departure import Departure
from accounts.models.export import Export
from accounts.models.limit import RateBucket
from accounts.models.notice import Notice
from accounts.models.user import RetiredName, User, key_of

__all__ = ["Departure", "Export", "Notice", "RateBucket", "RetiredName", "User", "key_of"]
