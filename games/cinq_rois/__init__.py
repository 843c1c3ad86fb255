"""Les Cinq Rois: draw, discard, and go out with every card in a run or a set; eleven rounds with a wild rank each."""
