"""Trains what decides in `vision/locating`: pictures with boards, whose lines are known.

`scenes` draws desktops with boards in the themes of `training`, or in `looks` of their own, `surroundings`
what is around them; `cuts` takes cut-outs with their classes. `python -m training.locating` trains the judge
of cells (`network`), then fits the judge of whole boards (`weights`). Neither has ever seen a screenshot of a
program. `report` measures on families that nothing was fitted on.
"""
