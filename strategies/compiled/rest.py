"""The rest of a game that has few layouts left, solved exactly."""

from __future__ import annotations

import math

import numpy as np

from strategies.compiled.candidates import IS_SAFE, SCORE
from strategies.compiled.endgame import best_opening, list_layouts, values_of
from strategies.compiled.field import Field, field_after
from strategies.compiled.settings import Settings
from strategies.compiled.survey import survey
from strategies.compiled.tables import Floats, Ints, Tables

TRIED = 10  # cells whose numbers are followed to the end
MOST_STEPS = 300_000  # cells filled in while layouts are listed
ROUNDED = 1e-9  # chances that differ less are equal


def solve_rest(
    field: Field, need: float, settings: Settings, marks: Ints, work: float
) -> tuple[int, float, float]:
    """The cell with which most layouts are won, their share, and how much of the `work` is left.

    Less than 0 is left when that is too much work. When it is certain that the share is no more than `need`,
    the cell is -1 and `need`, or a little less, the share.
    """
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
        return -1, 0.0, -1.0
    shown = values_of(layouts, count, order, cells, field.around_start, field.around)
    chosen, wins, left = best_opening(shown, count, max(int(need * count), 0), marks, int(work))
    if chosen >= 0:
        chosen = int(order[chosen])
    return chosen, wins / count, float(left)


def solve_next(
    field: Field, size: float, settings: Settings, marks: Ints, tables: Tables, figures: Floats
) -> int:
    """Solve exactly what the numbers of promising cells leave; the best cell, -1 when that is too much work.

    `size` is the logarithm of the number of layouts. The score of the best cell becomes its chance to win,
    those of other cells that were tried no less than theirs: a cell is given up when it cannot be better.
    """
    cells = len(field.openable)
    scores = figures[:cells, SCORE].copy()
    shares = np.full(cells, -1.0, np.float64)
    left = settings.work
    chosen, best = -1, 0.0
    for _ in range(TRIED):
        k = int(np.argmax(scores))
        if scores[k] < 0.0:
            break
        scores[k] = -1.0
        hoped = figures[k, IS_SAFE]
        for v in range(field.around_start[k + 1] - field.around_start[k] + 1):
            if hoped <= best + ROUNDED:
                break
            after = field_after(field, k, v)
            found = survey(after, tables)
            if not found.worked:
                continue
            if found.size >= math.log(settings.layouts + 0.5):
                return -1
            share = math.exp(found.size - size)
            need = (best - (hoped - share)) / share
            _, won, left = solve_rest(after, need, settings, marks, left)
            if left < 0.0:
                return -1
            hoped -= share * (1.0 - won)
        shares[k] = hoped
        if hoped > best + ROUNDED:
            chosen, best = k, hoped
    if chosen >= 0:
        figures[:cells, SCORE] = shares
    return chosen
