"""A position as arrays, and the position after a cell was opened.

Two arrays hold a list of lists: row r is `items[start[r]:start[r + 1]]`.
"""

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
    counted: Any, openable: Any, constraints: Any, around: Any, least: int, most: int, odds: float
) -> PositionArrays:
    """Convert NumPy arrays of 64-bit integers.

    `constraints` are `start`, `members`, `low` and `high`; `around` are `around_start` and `around`.
    """
    memory = Memory()
    rows = ConstraintRows()
    start, members, low, high = constraints
    rows.count = len(low)
    rows.start, rows.members = memory.copy_ints(start), memory.copy_ints(members)
    rows.low, rows.high = memory.copy_ints(low), memory.copy_ints(high)
    position = PositionArrays()
    position.bound, position.cells, position.rows = len(counted), len(openable), rows
    position.counted, position.openable = memory.copy_ints(counted), memory.copy_ints(openable)
    position.around_start, position.around = memory.copy_ints(around[0]), memory.copy_ints(around[1])
    position.least, position.most, position.odds = least, most, odds
    position.memory = memory
    return position


def transpose(start: Ints, items: Ints, rows: int, columns: int, memory: Memory) -> tuple[Ints, Ints]:
    """For each item below `columns`, list the rows that contain it; return these lists in the same form."""
    begin, fill = memory.ints(columns + 1, 0), memory.ints(columns + 1, 0)
    for t in range(start[rows]):
        begin[items[t] + 1] += 1
    for k in range(columns):
        begin[k + 1] += begin[k]
        fill[k + 1] = begin[k + 1]
    rows_of = memory.ints(start[rows], 0)
    for r in range(rows):
        for t in range(start[r], start[r + 1]):
            rows_of[fill[items[t]]] = r
            fill[items[t]] += 1
    return begin, rows_of


class Renumbering:
    """New numbers of `count` cells: `number` by old number (-1: none), `cells` by new number."""

    count: int
    number: Ints
    cells: Ints


def no_numbers(position: PositionArrays, memory: Memory) -> Renumbering:
    """Return a renumbering without cells."""
    after = Renumbering()
    after.count, after.cells = 0, memory.ints(position.cells, 0)
    after.number = memory.ints(position.cells, -1)
    return after


def add_number(after: Renumbering, cell: int) -> None:
    """Give the next number to a cell."""
    after.number[cell] = after.count
    after.cells[after.count] = cell
    after.count += 1


def renumber_after(position: PositionArrays, cell: int, is_kept: Ints, memory: Memory) -> Renumbering:
    """Number the bound cells after `cell` was opened: kept bound cells, then unconstrained neighbours."""
    after = no_numbers(position, memory)
    for k in range(position.bound):
        if k != cell and is_kept[k]:
            add_number(after, k)
    for t in range(position.around_start[cell], position.around_start[cell + 1]):
        if position.around[t] >= position.bound:
            add_number(after, position.around[t])
    return after


def counted_after(position: PositionArrays, after: Renumbering, bound: int, memory: Memory) -> Ints:
    """For each of the first `bound` cells, whether the mine total includes it."""
    counted = memory.ints(bound, 1)
    for k in range(bound):
        if after.cells[k] < position.bound:
            counted[k] = position.counted[after.cells[k]]
    return counted


def renumber_rows(rows: ConstraintRows, number: Ints, more: int, memory: Memory) -> ConstraintRows:
    """The constraints on numbered cells, with space for two others on `more` cells together."""
    start, members = rows.start, rows.members
    after = ConstraintRows()
    after.start = memory.ints(rows.count + 3, 0)
    after.members = memory.ints(start[rows.count] + more, 0)
    after.low, after.high = memory.ints(rows.count + 2, 0), memory.ints(rows.count + 2, 0)
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


def add_row(rows: ConstraintRows, number: Ints, cells: Ints, begin: int, end: int, mines: int) -> None:
    """Add a constraint: `mines` of the cells with the old numbers `cells[begin:end]` are mines."""
    last, fill = rows.count, rows.start[rows.count]
    for t in range(begin, end):
        rows.members[fill] = number[cells[t]]
        fill += 1
    rows.low[last] = rows.high[last] = mines
    rows.start[last + 1] = fill
    rows.count += 1


def rows_after(position: PositionArrays, cell: int, number: Ints, memory: Memory) -> ConstraintRows:
    """The constraints on numbered cells, and as the last one the number of `cell`, which is unknown yet."""
    begin, end = position.around_start[cell], position.around_start[cell + 1]
    after = renumber_rows(position.rows, number, end - begin, memory)
    if end > begin:
        add_row(after, number, position.around, begin, end, 0)
    return after


def position_after(position: PositionArrays, cell: int, memory: Memory) -> PositionArrays:
    """The position after `cell` was opened; its number is the last constraint, if it has any neighbour."""
    after = renumber_after(position, cell, memory.ints(position.bound, 1), memory)
    bound = after.count
    for k in range(position.bound, position.cells):
        if k != cell and after.number[k] < 0:
            add_number(after, k)
    rows = rows_after(position, cell, after.number, memory)
    return renumbered_position(position, after, bound, rows, memory)


def renumbered_position(
    position: PositionArrays, after: Renumbering, bound: int, rows: ConstraintRows, memory: Memory
) -> PositionArrays:
    """The position of the renumbered cells, the first `bound` of which are in these constraints."""
    result = PositionArrays()
    result.bound, result.cells, result.rows = bound, after.count, rows
    result.counted = counted_after(position, after, bound, memory)
    result.openable, result.around_start = memory.ints(after.count, 0), memory.ints(after.count + 1, 0)
    result.around = memory.ints(position.around_start[position.cells], 0)
    fill = 0
    for k in range(after.count):
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
