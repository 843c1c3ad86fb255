"""Template tags of Les Cinq Rois."""
