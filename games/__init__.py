"""Tables of any game: rules, seats, moves, clocks, pages."""
