"""Unavoidable 50/50s of two cells, which no number will ever decide, unless one of a few others is safe."""

from __future__ import annotations

import numpy as np

from strategies.compiled.counting.survey import Survey, risk
from strategies.compiled.field import Field
from strategies.compiled.tables import Floats, Ints


def find_twos(field: Field, found: Survey, most_apart: int, least: float) -> tuple[Ints, Floats]:
    """Pairs of cells between which only few other cells can decide, and the chance that these are all mines.

    A row: the two cells, how many can decide, and those. The chance is that one of the pair is a mine
    and every cell that could show which one is a mine as well.
    """
    bound, around_start, around = field.bound, field.around_start, field.around
    pairs = np.empty((bound, 3 + most_apart), np.int64)
    chance = np.empty(bound, np.float64)
    length = 0
    cells = len(field.openable)
    near = np.zeros(cells, np.int64)
    last = np.full(bound + 1, -1, np.int64)
    for y in range(bound):
        x = last[found.cls[y]]
        last[found.cls[y]] = y
        if x < 0 or found.differs[x] == 0.0:
            continue
        for t in range(around_start[x], around_start[x + 1]):
            near[around[t]] += 1
        for t in range(around_start[y], around_start[y + 1]):
            near[around[t]] += 1
        apart = 0
        likely = found.differs[x]
        for side in range(2):
            k = y if side else x
            for t in range(around_start[k], around_start[k + 1]):
                z = around[t]
                if near[z] == 1 and z not in (x, y):
                    if apart < most_apart:
                        pairs[length, 3 + apart] = z
                    apart += 1
                    likely *= risk(field, found, z)
        for side in range(2):
            k = y if side else x
            for t in range(around_start[k], around_start[k + 1]):
                near[around[t]] = 0
        if apart <= most_apart and likely >= least:
            pairs[length, 0] = x
            pairs[length, 1] = y
            pairs[length, 2] = apart
            chance[length] = likely
            length += 1
    return pairs[:length], chance[:length]
