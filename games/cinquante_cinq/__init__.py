"""55: an auction, an exchange, five tricks, and a race to the target."""
