"""5inq en Ligne: a hundred numbered cards, a board of a hundred numbered squares, five pegs of one team in a line."""
