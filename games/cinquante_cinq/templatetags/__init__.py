"""Template tags of 55."""
