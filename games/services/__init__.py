"""The only writers of tables, seats, moves and vaults."""
