"""Who you are and what you own: users, guests, notices. Knows no games and no ranking."""
