"""Single cells: the cell model's likelihoods, and clusters of cells that look alike."""
