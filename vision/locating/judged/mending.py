"""A board that was seen by its lines and that the judge of cells doubts: lines elsewhere, another extent."""

from __future__ import annotations

from itertools import product

import numpy as np

from vision.locating.evidence import place
from vision.locating.grid import Grid
from vision.locating.judged.extent import extended, spread
from vision.locating.judged.fitting import SECOND, edge_profile, phases
from vision.locating.judged.gaps import centred
from vision.locating.judged.judging import Judge
from vision.locating.judged.weighing import Weighed, weighed

BEST = 2  # places whose extent is looked at


def mended(judge: Judge, grid: Grid) -> list[Weighed]:
    """Grids of the same pitch, with other phases and extents, and how likely each is a board."""
    ways = [_shifts(judge, grid, axis) for axis in (1, 0)]
    grids = list(dict.fromkeys(grid.moved(1, across).moved(0, down) for across, down in product(*ways)))
    scores = judge.scores([cell for each in grids for cell in spread(each, SECOND)])
    order = np.argsort(-scores.reshape(len(grids), SECOND).mean(axis=1), kind="stable")[:BEST]
    both = [each for at in order.tolist() for each in (grids[at], extended(judge, grids[at]))]
    return [weighed(judge, each) for each in dict.fromkeys(both)]


def _shifts(judge: Judge, grid: Grid, axis: int) -> list[float]:
    """How far the lines of an axis may be moved: to edges that all cells have, and to the middle of gaps."""
    xs, ys = grid.lines(1), grid.lines(0)
    left, top = max(0, place(xs[0])), max(0, place(ys[0]))
    part = judge.pixels[top : place(ys[-1]), left : place(xs[-1])]
    pitch = grid.pitch(axis)
    found = {0.0, centred(judge.pixels, grid).lines(axis)[0] - grid.lines(axis)[0]}
    for phase in phases(edge_profile(part, axis), pitch):
        found.add(phase if phase <= pitch / 2 else phase - pitch)
    return sorted(found)
