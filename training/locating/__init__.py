"""Trains what decides in `vision/locating`: pictures with boards of made-up looks, whose lines are known.

`surfaces` draws cells, `scenes` windows and what else is on a desktop, `cuts` takes cut-outs with their
classes.
`python -m training.locating.network` trains the judge of cells, then `python -m training.locating.weights`
fits the judge of whole boards. Neither has ever seen a screenshot of a program. `themed` draws scenes with
the themes of `training` (`surroundings` what is around a board), and `report` measures on them.
"""
