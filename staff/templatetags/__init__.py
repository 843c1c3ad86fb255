"""Template tags of the staff's panel."""
