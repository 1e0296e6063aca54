"""Counting: classes of cells, layouts of each component, the mine total, the risk of every cell."""
