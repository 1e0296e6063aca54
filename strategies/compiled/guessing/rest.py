"""The rest of a game that has few layouts left, solved exactly."""

from __future__ import annotations

import numpy as np

from strategies.compiled.field import Field
from strategies.compiled.guessing.candidates import IS_SAFE, SCORE
from strategies.compiled.guessing.endgame import best_opening
from strategies.compiled.guessing.listing import MINE, MOST_LAYOUTS, list_layouts, values_of
from strategies.compiled.settings import Settings
from strategies.compiled.tables import Floats, Ints

MOST_STEPS = 100  # cells filled in for each layout that is listed


def solve_rest(
    field: Field, most_layouts: float, order: Floats, settings: Settings, marks: Ints, figures: Floats
) -> tuple[int, bool]:
    """The cell with which most layouts are won, and whether that is certain.

    Cells of which `order` is below 0 are not tried, unless that leaves none whose number shows anything; of
    equal ones the one with the higher `order` is better. Where that is too much work, it is the best as far
    as is known, -1 when nothing is. The score of the cell becomes its chance to win, a chance that is no
    greater where that is not certain. Those of others rank them: no less than their chance for cells that
    were solved as far as they could be the best, no greater for those that were only played on from.
    """
    bound, members = field.bound, field.members
    cells = len(field.openable)
    all_counted = np.ones(cells, np.int64)
    for k in range(bound):
        all_counted[k] = field.counted[k]
    filled = np.empty(cells, np.int64)
    seen = np.zeros(cells, np.int64)
    fill = 0
    for t in range(len(members)):
        if not seen[members[t]]:
            seen[members[t]] = 1
            filled[fill] = members[t]
            fill += 1
    for k in range(cells):
        if not seen[k]:
            filled[fill] = k
            fill += 1
    for k in range(cells):
        if field.around_start[k + 1] - field.around_start[k] >= MINE:
            return -1, False
    most = min(int(most_layouts), MOST_LAYOUTS) + 1
    count, layouts = list_layouts(field, filled, all_counted, most, MOST_STEPS * most)
    if count <= 0:
        return -1, False
    informative, shown = values_of(layouts, count, filled, field)
    if len(informative) == 0:  # one layout is won in the end; the safest cell first
        safest = 0
        for k in range(1, cells):
            if field.openable[k] * figures[k, IS_SAFE] > field.openable[safest] * figures[safest, IS_SAFE]:
                safest = k
        figures[safest, SCORE] = 1.0 / count
        return safest, field.openable[safest] > 0
    order = order[informative]
    if order[int(np.argmax(order))] < 0.0:
        order = figures[informative, IS_SAFE]
    shares = np.full(len(informative), -1.0, np.float64)
    chosen, is_certain = best_opening(shown, order, marks, int(settings.played), int(settings.work), shares)
    if chosen < 0:
        return -1, False
    for k in range(cells):
        figures[k, SCORE] = -1.0
    for t in range(len(informative)):
        figures[informative[t], SCORE] = shares[t]
    return int(informative[chosen]), is_certain
