"""A sixth game, added from outside: proof that a game is a folder."""
