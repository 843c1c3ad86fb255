"""Signals by which accounts tells the layers above what happened to a person. Accounts imports neither games nor ranking."""

from django.dispatch import Signal

# Sent once, inside a transaction, when a guest's seats are to follow him into his account.
# Arguments: guest (User, already inactive), user (User).
guest_claimed = Signal()

# Sent after the commit when a session may no longer be used: the sockets opened under it must close.
# Arguments: user_id (int), session_key (str; "" means every session of the user).
session_closed = Signal()
