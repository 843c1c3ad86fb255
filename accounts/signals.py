"""Signals by which accounts tells the layers above what happened to a person. Accounts imports neither games nor ranking."""

from django.dispatch import Signal

# Sent once, inside a transaction, when a guest's seats are to follow him into his account.
# Arguments: guest (User, already inactive), user (User).
guest_claimed = Signal()

# Sent after the commit when a session may no longer be used: the sockets opened under it must close.
# Arguments: user_id (int), session_key (str; "" means every session of the user).
session_closed = Signal()

# A person has asked for the deletion of his account: his lobby seats are freed, his running ones played by the site.
# Sent outside any transaction, perhaps more than once. Arguments: user (User).
departure_asked = Signal()

# He came back in time. Arguments: user (User).
departure_kept = Signal()

# The time is up: what he still plays is abandoned. Sent outside any transaction, before his personal data go, perhaps more
# than once. Arguments: user (User).
departed = Signal()

# Sent when `user` has blocked `other` (both User), after the block is written: from now on they share nothing new.
person_blocked = Signal()
