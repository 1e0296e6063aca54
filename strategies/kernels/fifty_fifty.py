"""Unavoidable 50/50s, which no number will decide, and groups of cells that may wait.

A pair contains one mine, and only few other cells could decide where. A square contains two mines, in one
diagonal or the other: after an exchange every constraint still holds. Only a cell next to more cells of one
diagonal than of the other could decide; if it is a mine, it never will.
"""

from __future__ import annotations

import math

from strategies.kernels import arrays, components
from strategies.kernels.arrays import PositionArrays
from strategies.kernels.components import RiskSurvey
from strategies.kernels.memory import Memory
from strategies.kernels.settings import Floats, Ints

UNLIKELY = 0.02  # probability below which a 50/50 is ignored
MAX_DECIDING = 4  # cells that could decide one 50/50; those with more are ignored
MAX_SQUARES = 12  # squares of one position
MULTIPLIER, INCREMENT, MODULUS = 1_103_515_245, 12_345, 1 << 31  # pseudo-random marks of constraints


class FiftyFifties:
    """Pairs or squares: item i has `width` cells, from `cells[width * i]` on.

    It also has `deciding_count[i]` cells that could decide it, from `deciding[MAX_DECIDING * i]` on. `chance`
    is the probability that it is an unavoidable 50/50. The first and the third cell of a square form one
    diagonal.
    """

    count: int
    width: int
    cells: Ints
    deciding_count: Ints
    deciding: Ints
    chance: Floats


def no_fifty_fifties(most: int, width: int, memory: Memory) -> FiftyFifties:
    """Return an empty list with space for `most` items."""
    items = FiftyFifties()
    items.count, items.width = 0, width
    items.cells, items.deciding_count = memory.ints(most * width, 0), memory.ints(most, 0)
    items.deciding, items.chance = memory.ints(most * MAX_DECIDING, 0), memory.floats(most, 0.0)
    return items


def add_fifty_fifty(items: FiftyFifties, cells: Ints, deciding: Ints, count: int, chance: float) -> None:
    """Add an item with `count` deciding cells."""
    for t in range(items.width):
        items.cells[items.width * items.count + t] = cells[t]
    for t in range(count):
        items.deciding[MAX_DECIDING * items.count + t] = deciding[t]
    items.deciding_count[items.count], items.chance[items.count] = count, chance
    items.count += 1


def find_pair_fifty_fifties(found: RiskSurvey) -> FiftyFifties:
    """Return pairs. Their chance: one cell is a mine, and so is every cell that could decide."""
    position, memory = found.position, found.memory
    pairs = no_fifty_fifties(position.bound, 2, memory)
    near, deciding = memory.ints(position.cells, 0), memory.ints(position.cells, 0)
    last, pair = memory.ints(position.bound + 1, -1), memory.ints(2, 0)
    for y in range(position.bound):
        x = last[found.of_cell[y]]
        last[found.of_cell[y]] = y
        if x < 0 or found.differs[x] == 0.0:
            continue
        pair[0], pair[1] = x, y
        add_around(position, x, near, 1)
        add_around(position, y, near, 1)
        count, chance = 0, found.differs[x]
        for side in range(2):
            for t in range(position.around_start[pair[side]], position.around_start[pair[side] + 1]):
                z = position.around[t]
                if near[z] == 1 and z not in (x, y):
                    deciding[count] = z
                    count += 1
                    chance *= found.risks[z]
        add_around(position, x, near, -1)
        add_around(position, y, near, -1)
        if count <= MAX_DECIDING and chance >= UNLIKELY:
            add_fifty_fifty(pairs, pair, deciding, count, chance)
    return pairs


def add_around(position: PositionArrays, cell: int, numbers: Ints, by: int) -> None:
    """Add to the number of each neighbour of a cell."""
    for t in range(position.around_start[cell], position.around_start[cell + 1]):
        numbers[position.around[t]] += by


def all_mines(found: RiskSurvey, cells: Ints, count: int, first: int) -> float:
    """Return the product of the risks of the cells from number `first` on: roughly, all are mines."""
    chance = 1.0
    for i in range(count):
        if cells[i] >= first:
            chance *= found.risks[cells[i]]
    return chance


def find_square_fifty_fifties(found: RiskSurvey) -> FiftyFifties:
    """Return squares. Their chance: one diagonal contains the mines, and so does every deciding cell."""
    position, memory = found.position, found.memory
    squares = no_fifty_fifties(MAX_SQUARES, 4, memory)
    marks = constraint_marks(position, memory)
    most = position.around_start[position.bound] + 1
    first, second = memory.ints(most, 0), memory.ints(most, 0)
    pairs = neighbour_pairs(found, marks, first, second)
    square, deciding = memory.ints(4, 0), memory.ints(position.cells, 0)
    sees = memory.ints(position.cells, 0)
    for e in range(pairs):
        difference = marks[first[e]] - marks[second[e]]
        for f in range(e + 1, pairs):
            other = marks[first[f]] - marks[second[f]]
            if abs(difference) != abs(other):
                continue
            square[0], square[1] = first[e], second[e]
            if difference == other:
                square[2], square[3] = second[f], first[f]
            else:
                square[2], square[3] = first[f], second[f]
            if (
                marks[square[0]] == marks[square[3]]  # two pairs of interchangeable cells
                or square[0] == square[2]
                or square[1] == square[3]
                or squares.count == MAX_SQUARES
                or contains_square(squares, square)
            ):
                continue
            count = deciding_cells(position, square, sees, deciding)
            if count <= MAX_DECIDING and all_mines(found, deciding, count, 0) >= UNLIKELY:
                chance = square_probability(found, square, deciding, count)
                if chance >= UNLIKELY:
                    add_fifty_fifty(squares, square, deciding, count, chance)
    return squares


def constraint_marks(position: PositionArrays, memory: Memory) -> Ints:
    """Return for each bound cell the sum of the marks of its constraints."""
    rows = position.rows
    marks = memory.ints(position.bound, 0)
    mark = 1
    for r in range(rows.count):
        mark = (mark * MULTIPLIER + INCREMENT) % MODULUS
        for t in range(rows.start[r], rows.start[r + 1]):
            marks[rows.members[t]] += mark
    return marks


def neighbour_pairs(found: RiskSurvey, marks: Ints, first: Ints, second: Ints) -> int:
    """Fill in the pairs of undecided bound neighbours in different constraints; return how many."""
    position = found.position
    fill = 0
    for x in range(position.bound):
        if 0.0 < found.risks[x] < 1.0:
            for t in range(position.around_start[x], position.around_start[x + 1]):
                y = position.around[t]
                if x < y < position.bound and marks[x] != marks[y] and 0.0 < found.risks[y] < 1.0:
                    first[fill], second[fill] = x, y
                    fill += 1
    return fill


def contains_square(squares: FiftyFifties, square: Ints) -> bool:
    """Whether the list contains a square of these cells, in any order."""
    for i in range(squares.count):
        same = 0
        for t in range(4):
            for u in range(4):
                if squares.cells[4 * i + u] == square[t]:
                    same += 1
        if same == 4:
            return True
    return False


def deciding_cells(position: PositionArrays, square: Ints, sees: Ints, deciding: Ints) -> int:
    """Fill in the cells next to more cells of one diagonal than of the other; return how many.

    `sees` is scratch space, all 0.
    """
    for i in range(4):
        add_around(position, square[i], sees, 1 if i % 2 == 0 else -1)
    for i in range(4):
        sees[square[i]] = 0
    fill = 0
    for i in range(4):
        for t in range(position.around_start[square[i]], position.around_start[square[i] + 1]):
            k = position.around[t]
            if sees[k] != 0:
                sees[k] = 0
                deciding[fill] = k
                fill += 1
    return fill


def square_probability(found: RiskSurvey, square: Ints, deciding: Ints, count: int) -> float:
    """Return the probability that a diagonal and all deciding cells are mines; exact for bound cells."""
    position, memory = found.position, found.memory
    chance = 0.0
    for side in range(2):
        mark = memory.mark()
        same, mines, safe = memory.ints(position.bound, 0), memory.ints(2 + count, 0), memory.ints(2, 0)
        for k in range(position.bound):
            same[k] = k
        mines[0], mines[1], length = square[side], square[2 + side], 2
        for t in range(count):
            if deciding[t] < position.bound:
                mines[length] = deciding[t]
                length += 1
        safe[0], safe[1] = square[1 - side], square[3 - side]
        rows = arrays.renumber_rows(position.rows, same, length + 2, memory)
        arrays.add_row(rows, same, mines, 0, length, length)
        arrays.add_row(rows, same, safe, 0, 2, 0)
        then = components.survey_risks(position, rows, memory)
        if then is not None:
            chance += math.exp(then.size - found.size)
        memory.release(mark)
    return min(chance, 1.0) * all_mines(found, deciding, count, position.bound)


def group_sizes(position: PositionArrays, memory: Memory) -> Ints:
    """Return for each cell how many cells its group has: cells joined by constraints or numbers."""
    cells, rows = position.cells, position.rows
    root, size = memory.ints(cells, 0), memory.ints(cells, 0)
    for k in range(cells):
        root[k] = k
    for r in range(rows.count):
        for t in range(rows.start[r] + 1, rows.start[r + 1]):
            union(root, rows.members[t - 1], rows.members[t])
    for k in range(cells):
        for t in range(position.around_start[k], position.around_start[k + 1]):
            union(root, k, position.around[t])
    for k in range(cells):
        size[find_root(root, k)] += 1
    for k in range(cells):
        size[k] = size[find_root(root, k)]
    return size


def union(root: Ints, one: int, other: int) -> None:
    """Join the groups of two cells."""
    a, b = find_root(root, one), find_root(root, other)
    root[max(a, b)] = min(a, b)


def find_root(root: Ints, cell: int) -> int:
    """Return the representative of a cell's group."""
    while root[cell] != cell:
        root[cell] = root[root[cell]]
        cell = root[cell]
    return cell
