"""Trains what decides in `vision/locating`: pictures with boards of made-up looks, whose lines are known.

`scenes` puts boards of the themes of `training` on desktops, `surroundings` draws windows and other grids,
`cuts` takes cut-outs with their classes. `network` trains the judge of cells, `weights` fits the judge of
whole boards, `report` measures both. None of them has ever seen a screenshot of a program.
"""
