"""Locate boards in an image, with a probability for each.

`lines` and `repeats` propose grids, `judge` scores them, `locate` resolves overlaps. `relocate` finds a
known board again after its columns or rows have grown.
"""
