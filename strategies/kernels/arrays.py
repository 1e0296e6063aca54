"""A position as arrays, and the position after a cell was opened."""

from __future__ import annotations

from typing import Any

from strategies.kernels.memory import Memory
from strategies.kernels.settings import Ints


class ConstraintRows:
    """Constraints: `low[r]` to `high[r]` of the cells `members[start[r]:start[r + 1]]` are mines."""

    count: int
    start: Ints
    members: Ints
    low: Ints
    high: Ints


class PositionArrays:
    """The undecided cells, numbered from 0: the `bound` cells of constraints first, then the others.

    `counted` (per bound cell) and `openable` (per cell) are 0 or 1: the mine total includes the cell; the
    cell may be opened. The number of cell k counts `around[around_start[k]:around_start[k + 1]]`. The counted
    cells contain `least` to `most` mines; `most` is -1 if the total is unknown, and each mine then has the
    weight `odds`.
    """

    bound: int
    cells: int
    rows: ConstraintRows
    counted: Ints
    openable: Ints
    around_start: Ints
    around: Ints
    least: int
    most: int
    odds: float
    memory: Memory  # keeps the arrays alive


def make_position(
    counted: Any,
    openable: Any,
    start: Any,
    members: Any,
    low: Any,
    high: Any,
    around_start: Any,
    around: Any,
    least: int,
    most: int,
    odds: float,
) -> PositionArrays:
    """Convert NumPy arrays of 64-bit integers."""
    memory = Memory()
    rows = ConstraintRows()
    rows.count = len(low)
    rows.start, rows.members = memory.copy_ints(start), memory.copy_ints(members)
    rows.low, rows.high = memory.copy_ints(low), memory.copy_ints(high)
    position = PositionArrays()
    position.bound, position.cells, position.rows = len(counted), len(openable), rows
    position.counted, position.openable = memory.copy_ints(counted), memory.copy_ints(openable)
    position.around_start, position.around = memory.copy_ints(around_start), memory.copy_ints(around)
    position.least, position.most, position.odds = least, most, odds
    position.memory = memory
    return position


class Renumbering:
    """New numbers of cells: `number` by old number (-1: none), `cells` by new number; the first are bound."""

    bound: int
    number: Ints
    cells: Ints


def renumber_after(position: PositionArrays, cell: int, is_kept: Ints, memory: Memory) -> Renumbering:
    """Number the bound cells after `cell` was opened: kept bound cells, then unconstrained neighbours."""
    bound = position.bound
    around_start, around = position.around_start, position.around
    number = memory.ints(position.cells, -1)
    cells = memory.empty_ints(position.cells)
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
    after = Renumbering()
    after.bound, after.number, after.cells = fill, number, cells
    return after


def counted_after(position: PositionArrays, after: Renumbering, memory: Memory) -> Ints:
    """For each bound cell, whether the mine total includes it."""
    counted = memory.ints(after.bound, 1)
    for k in range(after.bound):
        if after.cells[k] < position.bound:
            counted[k] = position.counted[after.cells[k]]
    return counted


def renumber_rows(rows: ConstraintRows, number: Ints, more: int, memory: Memory) -> ConstraintRows:
    """The constraints on numbered cells, with space for another one on `more` cells."""
    start, members = rows.start, rows.members
    after = ConstraintRows()
    after.start = memory.ints(rows.count + 2, 0)
    after.members = memory.empty_ints(start[rows.count] + more)
    after.low, after.high = memory.empty_ints(rows.count + 1), memory.empty_ints(rows.count + 1)
    count, fill = 0, 0
    for r in range(rows.count):
        for t in range(start[r], start[r + 1]):
            if number[members[t]] >= 0:
                after.members[fill] = number[members[t]]
                fill += 1
        if fill > after.start[count]:
            after.low[count], after.high[count] = rows.low[r], rows.high[r]
            count += 1
            after.start[count] = fill
    after.count = count
    return after


def rows_after(
    position: PositionArrays, cell: int, number: Ints, mines: int, memory: Memory
) -> ConstraintRows:
    """The constraints on numbered cells, and one for the mines that `cell` counts."""
    begin, shown = position.around_start[cell], position.around_start[cell + 1] - position.around_start[cell]
    after = renumber_rows(position.rows, number, shown, memory)
    if shown:
        fill = after.start[after.count]
        for t in range(shown):
            after.members[fill + t] = number[position.around[begin + t]]
        after.low[after.count] = after.high[after.count] = mines
        after.count += 1
        after.start[after.count] = fill + shown
    return after


def position_after(position: PositionArrays, cell: int, mines: int, memory: Memory) -> PositionArrays:
    """The position after `cell` was opened and counts `mines` mines among the undecided cells."""
    after = renumber_after(position, cell, memory.ints(position.bound, 1), memory)
    number, cells, fill = after.number, after.cells, after.bound
    for k in range(position.bound, position.cells):
        if k != cell and number[k] < 0:
            number[k] = fill
            cells[fill] = k
            fill += 1
    rows = rows_after(position, cell, number, mines, memory)
    return renumbered_position(position, after, fill, rows, memory)


def renumbered_position(
    position: PositionArrays, after: Renumbering, cells: int, rows: ConstraintRows, memory: Memory
) -> PositionArrays:
    """The position of the first `cells` renumbered cells, with these constraints."""
    result = PositionArrays()
    result.bound, result.cells, result.rows = after.bound, cells, rows
    result.counted, result.openable = counted_after(position, after, memory), memory.empty_ints(cells)
    result.around_start = memory.ints(cells + 1, 0)
    result.around = memory.empty_ints(position.around_start[position.cells])
    fill = 0
    for k in range(cells):
        old = after.cells[k]
        result.openable[k] = position.openable[old]
        for t in range(position.around_start[old], position.around_start[old + 1]):
            number = after.number[position.around[t]]
            if number >= 0:
                result.around[fill] = number
                fill += 1
        result.around_start[k + 1] = fill
    result.least, result.most, result.odds = position.least, position.most, position.odds
    result.memory = memory
    return result
