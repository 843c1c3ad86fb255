"""Plus haut: a toy game of nine tricks of one card, for the test that adds a sixth game."""
