"""A position as arrays that compiled code works on, and the position after a cell has been opened."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from strategies.compiled.tables import Ints


class Field(NamedTuple):
    """The undecided cells, numbered from 0: the bound ones, which are in a rule, then the rest.

    `bound` is how many are in a rule. `counted` (of those) and `openable` (of all) are 0 or 1: whether the
    total counts the cell, whether it may be opened. The cells of rule r are `members[start[r]:start[r + 1]]`;
    between `low[r]` and `high[r]` of them are mines. `around`, likewise with `around_start`, are the cells
    that the number of each would count. Between `least` and `most` mines are in the counted cells; `most` is
    -1 when no total is known, each mine then weighs `odds`.
    """

    bound: int
    counted: Ints
    openable: Ints
    start: Ints
    members: Ints
    low: Ints
    high: Ints
    around_start: Ints
    around: Ints
    least: int
    most: int
    odds: float


def field_after(field: Field, cell: int, mines: int) -> Field:
    """The field when `cell` is open and counts `mines` mines among the undecided cells."""
    bound, members, start = field.bound, field.members, field.start
    around_start, around = field.around_start, field.around
    cells = len(field.openable)
    number = np.full(cells, -1, np.int64)
    old = np.empty(cells, np.int64)
    fill = 0
    for k in range(bound):
        if k != cell:
            number[k] = fill
            old[fill] = k
            fill += 1
    for t in range(around_start[cell], around_start[cell + 1]):
        if around[t] >= bound:
            number[around[t]] = fill
            old[fill] = around[t]
            fill += 1
    new_bound = fill
    for k in range(bound, cells):
        if k != cell and number[k] < 0:
            number[k] = fill
            old[fill] = k
            fill += 1
    new_counted = np.ones(new_bound, np.int64)
    new_openable = np.empty(fill, np.int64)
    for k in range(fill):
        if old[k] < bound:
            new_counted[k] = field.counted[old[k]]
        new_openable[k] = field.openable[old[k]]
    rules = len(field.low)
    shown = around_start[cell + 1] - around_start[cell]
    new_start = np.zeros(rules + 2, np.int64)
    new_members = np.empty(len(members) + shown, np.int64)
    new_low = np.empty(rules + 1, np.int64)
    new_high = np.empty(rules + 1, np.int64)
    ruled, fill = 0, 0
    for r in range(rules):
        begin = fill
        for t in range(start[r], start[r + 1]):
            if members[t] != cell:
                new_members[fill] = number[members[t]]
                fill += 1
        if fill > begin:
            new_low[ruled] = field.low[r]
            new_high[ruled] = field.high[r]
            ruled += 1
            new_start[ruled] = fill
    if shown:
        for t in range(around_start[cell], around_start[cell + 1]):
            new_members[fill] = number[around[t]]
            fill += 1
        new_low[ruled] = mines
        new_high[ruled] = mines
        ruled += 1
        new_start[ruled] = fill
    new_around_start = np.zeros(len(new_openable) + 1, np.int64)
    new_around = np.empty(len(around), np.int64)
    reach = 0
    for k in range(len(new_openable)):
        for t in range(around_start[old[k]], around_start[old[k] + 1]):
            if around[t] != cell:
                new_around[reach] = number[around[t]]
                reach += 1
        new_around_start[k + 1] = reach
    return Field(
        new_bound, new_counted, new_openable, new_start[: ruled + 1], new_members[:fill],
        new_low[:ruled], new_high[:ruled], new_around_start, new_around[:reach],
        field.least, field.most, field.odds,
    )  # fmt: skip
