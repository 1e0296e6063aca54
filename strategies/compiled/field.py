"""A position as arrays that compiled code works on, and the position after a cell has been opened."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from strategies.compiled.tables import Ints


class Rules(NamedTuple):
    """The cells of rule r are `members[start[r]:start[r + 1]]`; `low[r]` to `high[r]` of them are mines."""

    start: Ints
    members: Ints
    low: Ints
    high: Ints


class Field(NamedTuple):
    """The undecided cells, numbered from 0: the bound ones, which are in a rule, then the rest.

    `bound` is how many are in a rule. `counted` (of those) and `openable` (of all) are 0 or 1: whether the
    total counts the cell, whether it may be opened. The rules are as in `GameRules`;
    `around`, likewise with `around_start`, are the cells that the number of each would count. Between `least`
    and `most` mines are in the counted cells; `most` is -1 when no total is known, each mine then weighs
    `odds`.
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


def rules_of(field: Field) -> Rules:
    """The rules of a field."""
    return Rules(field.start, field.members, field.low, field.high)


class Numbering(NamedTuple):
    """Some cells by new numbers: `number` has that of each cell, -1 for the others, and `cells` the way back.

    The first `bound` of them are in a rule.
    """

    number: Ints
    cells: Ints
    bound: int


def number_after(field: Field, cell: int, is_kept: Ints) -> Numbering:
    """The cells in rules when `cell` is open: bound ones that are kept, then others that it counts."""
    bound, around_start, around = field.bound, field.around_start, field.around
    number = np.full(len(field.openable), -1, np.int64)
    cells = np.empty(len(field.openable), np.int64)
    fill = 0
    for k in range(bound):
        if k != cell and is_kept[k]:
            number[k] = fill
            cells[fill] = k
            fill += 1
    for t in range(around_start[cell], around_start[cell + 1]):
        if around[t] >= bound:
            number[around[t]] = fill
            cells[fill] = around[t]
            fill += 1
    return Numbering(number, cells, fill)


def counted_after(field: Field, after: Numbering) -> Ints:
    """Whether the total counts the cells that are in rules then."""
    counted = np.ones(after.bound, np.int64)
    for k in range(after.bound):
        if after.cells[k] < field.bound:
            counted[k] = field.counted[after.cells[k]]
    return counted


def rules_after(field: Field, cell: int, number: Ints, mines: int) -> Rules:
    """The rules about cells with a number, then one for the mines that `cell` counts, if it counts any."""
    start, members = field.start, field.members
    around_start, around = field.around_start, field.around
    rules = len(field.low)
    new_start = np.zeros(rules + 2, np.int64)
    new_members = np.empty(len(members) + around_start[cell + 1] - around_start[cell], np.int64)
    low = np.empty(rules + 1, np.int64)
    high = np.empty(rules + 1, np.int64)
    ruled, fill = 0, 0
    for r in range(rules):
        for t in range(start[r], start[r + 1]):
            if number[members[t]] >= 0:
                new_members[fill] = number[members[t]]
                fill += 1
        if fill > new_start[ruled]:
            low[ruled] = field.low[r]
            high[ruled] = field.high[r]
            ruled += 1
            new_start[ruled] = fill
    for t in range(around_start[cell], around_start[cell + 1]):
        new_members[fill] = number[around[t]]
        fill += 1
    if fill > new_start[ruled]:
        low[ruled] = mines
        high[ruled] = mines
        ruled += 1
        new_start[ruled] = fill
    return Rules(new_start[: ruled + 1], new_members[:fill], low[:ruled], high[:ruled])


def field_after(field: Field, cell: int, mines: int) -> Field:
    """The field when `cell` is open and counts `mines` mines among the undecided cells."""
    after = number_after(field, cell, np.ones(field.bound, np.int64))
    number, cells, fill = after.number, after.cells, after.bound
    for k in range(field.bound, len(number)):
        if k != cell and number[k] < 0:
            number[k] = fill
            cells[fill] = k
            fill += 1
    around_start = np.zeros(fill + 1, np.int64)
    around = np.empty(len(field.around), np.int64)
    reach = 0
    for k in range(fill):
        for t in range(field.around_start[cells[k]], field.around_start[cells[k] + 1]):
            if field.around[t] != cell:
                around[reach] = number[field.around[t]]
                reach += 1
        around_start[k + 1] = reach
    rules = rules_after(field, cell, number, mines)
    return Field(
        after.bound, counted_after(field, after), field.openable[cells[:fill]], rules.start, rules.members,
        rules.low, rules.high, around_start, around[:reach], field.least, field.most, field.odds,
    )  # fmt: skip
