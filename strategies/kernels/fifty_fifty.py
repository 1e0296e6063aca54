"""Unavoidable 50/50s, which no number will decide, and groups of cells that may wait.

A pair contains one mine, and only few other cells could decide where. A square contains two mines, in one
diagonal or the other: after an exchange every constraint still holds. Only a cell next to more cells of one
diagonal than of the other could decide; if it is a mine, it never will.
"""

from __future__ import annotations

import math

from strategies.kernels import components
from strategies.kernels.arrays import ConstraintRows, PositionArrays
from strategies.kernels.components import RiskSurvey
from strategies.kernels.layouts import CountingMemory
from strategies.kernels.memory import Memory
from strategies.kernels.settings import Floats, Ints

MAX_SQUARES = 12  # squares of one position
MAX_DECIDING = 4  # cells that could decide one square
MULTIPLIER, INCREMENT, MODULUS = 1_103_515_245, 12_345, 1 << 31  # pseudo-random marks of constraints


class FiftyFifties:
    """Pairs or squares, whose `cells` follow each other; at most `room` other cells could decide each.

    Item i has `deciding_count[i]` deciding cells from `deciding[room * i]` on. `chance` is the probability
    that it is an unavoidable 50/50. The first and the third cell of a square form one diagonal.
    """

    count: int
    room: int
    cells: Ints
    deciding_count: Ints
    deciding: Ints
    chance: Floats


def no_fifty_fifties(most: int, width: int, room: int, memory: Memory) -> FiftyFifties:
    """Return an empty list with space for `most` items of `width` cells."""
    items = FiftyFifties()
    items.count, items.room = 0, room
    items.cells, items.deciding_count = memory.empty_ints(most * width), memory.empty_ints(most)
    items.deciding, items.chance = memory.empty_ints(most * room), memory.floats(most, 0.0)
    return items


def find_pair_fifty_fifties(
    position: PositionArrays, found: RiskSurvey, most_deciding: int, least: float, memory: Memory
) -> FiftyFifties:
    """Return pairs that at most `most_deciding` other cells can decide, if their chance is at least `least`.

    The chance: one cell of the pair is a mine, and so is every cell that could decide.
    """
    bound, around_start, around = position.bound, position.around_start, position.around
    pairs = no_fifty_fifties(bound, 2, most_deciding, memory)
    near = memory.ints(position.cells, 0)
    last = memory.ints(bound + 1, -1)
    for y in range(bound):
        x = last[found.of_cell[y]]
        last[found.of_cell[y]] = y
        if x < 0 or found.differs[x] == 0.0:
            continue
        add_around(position, x, near, 1)
        add_around(position, y, near, 1)
        deciding = 0
        chance = found.differs[x]
        for side in range(2):
            k = y if side else x
            for t in range(around_start[k], around_start[k + 1]):
                z = around[t]
                if near[z] == 1 and z not in (x, y):
                    if deciding < most_deciding:
                        pairs.deciding[pairs.count * most_deciding + deciding] = z
                    deciding += 1
                    chance *= found.risks[z]
        add_around(position, x, near, -1)
        add_around(position, y, near, -1)
        if deciding <= most_deciding and chance >= least:
            pairs.cells[2 * pairs.count], pairs.cells[2 * pairs.count + 1] = x, y
            pairs.deciding_count[pairs.count] = deciding
            pairs.chance[pairs.count] = chance
            pairs.count += 1
    return pairs


def add_around(position: PositionArrays, cell: int, numbers: Ints, by: int) -> None:
    """Add to the number of each neighbour of a cell."""
    for t in range(position.around_start[cell], position.around_start[cell + 1]):
        numbers[position.around[t]] += by


def find_square_fifty_fifties(
    position: PositionArrays, found: RiskSurvey, least: float, memory: CountingMemory
) -> FiftyFifties:
    """Return squares whose chance is at least `least`.

    The chance: one diagonal contains the mines, and every cell that could decide is a mine.
    """
    squares = no_fifty_fifties(MAX_SQUARES, 4, MAX_DECIDING, memory)
    marks = constraint_marks(position, memory)
    most = position.around_start[position.bound] + 1
    first, second = memory.empty_ints(most), memory.empty_ints(most)
    pairs = neighbour_pairs(position, found, marks, first, second)
    square, deciding = memory.empty_ints(4), memory.empty_ints(position.cells)
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
            if count > MAX_DECIDING or all_mines(position, found, deciding, count, False) < least:
                continue
            chance = square_probability(position, found, square, deciding, count, memory)
            if chance >= least:
                add_square(squares, square, deciding, count, chance)
    return squares


def add_square(squares: FiftyFifties, square: Ints, deciding: Ints, count: int, chance: float) -> None:
    """Add a square."""
    i = squares.count
    for t in range(4):
        squares.cells[4 * i + t] = square[t]
    for t in range(count):
        squares.deciding[MAX_DECIDING * i + t] = deciding[t]
    squares.deciding_count[i] = count
    squares.chance[i] = chance
    squares.count += 1


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


def neighbour_pairs(
    position: PositionArrays, found: RiskSurvey, marks: Ints, first: Ints, second: Ints
) -> int:
    """Fill in the pairs of undecided bound neighbours in different constraints; return how many."""
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
                same += squares.cells[4 * i + u] == square[t]
        if same == 4:
            return True
    return False


def deciding_cells(position: PositionArrays, square: Ints, sees: Ints, deciding: Ints) -> int:
    """Fill in the cells next to more cells of one diagonal than of the other; return how many.

    `sees` is scratch space, all 0.
    """
    around_start, around = position.around_start, position.around
    for i in range(4):
        add_around(position, square[i], sees, 1 if i % 2 == 0 else -1)
    for i in range(4):
        sees[square[i]] = 0
    fill = 0
    for i in range(4):
        for t in range(around_start[square[i]], around_start[square[i] + 1]):
            if sees[around[t]] != 0:
                sees[around[t]] = 0
                deciding[fill] = around[t]
                fill += 1
    return fill


def all_mines(
    position: PositionArrays, found: RiskSurvey, cells: Ints, count: int, only_unbound: bool
) -> float:
    """Return the product of the risks of cells: roughly the probability that all are mines."""
    chance = 1.0
    for i in range(count):
        if not only_unbound or cells[i] >= position.bound:
            chance *= found.risks[cells[i]]
    return chance


def square_probability(
    position: PositionArrays,
    found: RiskSurvey,
    square: Ints,
    deciding: Ints,
    count: int,
    memory: CountingMemory,
) -> float:
    """Return the probability that a diagonal and all deciding cells are mines; exact for bound cells."""
    chance = 0.0
    for side in range(2):
        mark = memory.mark()
        mines, safe = memory.empty_ints(2 + count), memory.empty_ints(2)
        mines[0], mines[1] = square[side], square[2 + side]
        length = 2
        for t in range(count):
            if deciding[t] < position.bound:
                mines[length] = deciding[t]
                length += 1
        safe[0], safe[1] = square[1 - side], square[3 - side]
        rows = rows_assuming(position.rows, mines, length, safe, 2, memory)
        then = components.survey_risks(position, rows, memory)
        if then.is_valid:
            chance += math.exp(then.size - found.size)
        memory.release(mark)
    return min(chance, 1.0) * all_mines(position, found, deciding, count, True)


def rows_assuming(
    rows: ConstraintRows, mines: Ints, mine_count: int, safe: Ints, safe_count: int, memory: Memory
) -> ConstraintRows:
    """Return the constraints, and two more: these cells are mines, and those are safe."""
    more = ConstraintRows()
    count, length = rows.count, rows.start[rows.count]
    more.count = count + 2
    more.start = memory.empty_ints(count + 3)
    more.members = memory.empty_ints(length + mine_count + safe_count)
    more.low, more.high = memory.empty_ints(count + 2), memory.empty_ints(count + 2)
    for r in range(count):
        more.start[r], more.low[r], more.high[r] = rows.start[r], rows.low[r], rows.high[r]
    for t in range(length):
        more.members[t] = rows.members[t]
    for t in range(mine_count):
        more.members[length + t] = mines[t]
    for t in range(safe_count):
        more.members[length + mine_count + t] = safe[t]
    more.start[count], more.start[count + 1] = length, length + mine_count
    more.start[count + 2] = length + mine_count + safe_count
    more.low[count] = more.high[count] = mine_count
    more.low[count + 1] = more.high[count + 1] = 0
    return more


def find_isolated_groups(position: PositionArrays, most: int, memory: Memory) -> Ints:
    """Return 1 for each cell of a group of fewer than `most` cells without constraint or number in common.

    Only the mine total connects such a group to the rest of the board. A guess in it costs the same later,
    when the total may decide, so it waits while other candidates exist.
    """
    cells, rows = position.cells, position.rows
    root = memory.empty_ints(cells)
    for k in range(cells):
        root[k] = k
    for r in range(rows.count):
        for t in range(rows.start[r] + 1, rows.start[r + 1]):
            union(root, rows.members[t - 1], rows.members[t])
    for k in range(cells):
        for t in range(position.around_start[k], position.around_start[k + 1]):
            union(root, k, position.around[t])
    size = memory.ints(cells, 0)
    for k in range(cells):
        size[find_root(root, k)] += 1
    isolated = memory.empty_ints(cells)
    for k in range(cells):
        isolated[k] = size[find_root(root, k)] < most
    return isolated


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
