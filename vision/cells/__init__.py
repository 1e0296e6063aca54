"""Single cells: the cell model and clusters of cells that look alike."""
