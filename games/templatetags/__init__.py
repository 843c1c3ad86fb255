"""Template tags: cards, icons, times."""
