"""What accounts keeps: users, names, notices, limits. It knows no games."""

from accounts.models.limit import RateBucket
from accounts.models.notice import Notice
from accounts.models.user import RetiredName, User, key_of

__all__ = ["Notice", "RateBucket", "RetiredName", "User", "key_of"]
