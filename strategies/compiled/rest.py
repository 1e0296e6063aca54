"""The rest of a game that has few layouts left, solved exactly."""

from __future__ import annotations

import numpy as np

from strategies.compiled.endgame import best_opening, list_layouts, values_of
from strategies.compiled.field import Field
from strategies.compiled.settings import Settings
from strategies.compiled.tables import Ints

MOST_STEPS = 300_000  # cells filled in while layouts are listed


def solve_rest(field: Field, settings: Settings, marks: Ints) -> tuple[int, float]:
    """The cell with which most layouts are won, and their share; -1 for the cell when it is too much work."""
    bound, members = field.bound, field.members
    cells = len(field.openable)
    all_counted = np.ones(cells, np.int64)
    all_counted[:bound] = field.counted
    order = np.empty(cells, np.int64)
    seen = np.zeros(cells, np.int64)
    fill = 0
    for t in range(len(members)):
        if not seen[members[t]]:
            seen[members[t]] = 1
            order[fill] = members[t]
            fill += 1
    for k in range(cells):
        if not seen[k]:
            order[fill] = k
            fill += 1
    count, layouts = list_layouts(
        order, cells, all_counted, field.start, members, field.low, field.high, field.least, field.most,
        int(settings.layouts) + 1, MOST_STEPS,
    )  # fmt: skip
    if count <= 0:
        return -1, 0.0
    shown = values_of(layouts, count, order, cells, field.around_start, field.around)
    chosen, wins, _ = best_opening(shown, count, marks, int(settings.work))
    if chosen < 0:
        return -1, 0.0
    return int(order[chosen]), wins / count
