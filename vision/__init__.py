"""Reading boards: locate the grid in a captured image, then read the state of every cell."""
