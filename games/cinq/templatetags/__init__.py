"""Template tags of Cinq."""
