"""The staff: roles, actions with a reason, reports, announcements, the log of what was done. Layer above ranking."""
