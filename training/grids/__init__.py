"""Fit the grid judge of `vision/locating` on drawn scenes with known lines.

`scenes` draws desktops with boards, in themes of `training.drawings` or in looks of `random_looks`, and with
the surroundings of `scene_parts`. `grid_samples` takes labelled cut-outs. `grid_network` trains the judge of
cells, `grid_weights` fits the probability of whole grids, and `board_check` fits the probability that a
labelled grid is a board. `locate_report` measures locating on families that nothing was fitted on. No step
uses a screenshot of a program.
"""
