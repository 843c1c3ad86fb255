"""Template tags of 5inq en Ligne."""
