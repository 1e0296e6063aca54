"""Classes of cells that are in the same constraints, and an order of them in which counting stays narrow."""

from __future__ import annotations

from strategies.kernels.arrays import ConstraintRows
from strategies.kernels.memory import Memory
from strategies.kernels.settings import Ints

OUTSIDE, BEGUN, DONE = 0, 1, 2  # states of a constraint: no class, some classes, or all classes are placed


class CellClasses:
    """The class of each cell (`of_cell`); of each class its `size` and whether the mine total includes it.

    The classes of constraint r are `of_row[of_row_start[r]:of_row_start[r + 1]]`, the constraints of class b
    `of_class[of_class_start[b]:of_class_start[b + 1]]`.
    """

    cells: int
    count: int
    rows: int
    of_cell: Ints
    size: Ints
    is_counted: Ints
    of_row_start: Ints
    of_row: Ints
    of_class_start: Ints
    of_class: Ints


def cell_classes(counted: Ints, cells: int, rows: ConstraintRows, memory: Memory) -> CellClasses:
    """Return the classes of cells, numbered by their first cells."""
    start, members = rows.start, rows.members
    of_cell = memory.empty_ints(cells)
    count = group_cells(counted, cells, rows, of_cell, memory)
    size, is_counted = memory.ints(count, 0), memory.ints(count, 0)
    for k in range(cells):
        size[of_cell[k]] += 1
        is_counted[of_cell[k]] = counted[k]
    stamp = memory.ints(count, -1)
    of_row_start = memory.ints(rows.count + 1, 0)
    of_row = memory.empty_ints(start[rows.count])
    of_class_start = memory.ints(count + 1, 0)
    fill = 0
    for r in range(rows.count):
        for t in range(start[r], start[r + 1]):
            b = of_cell[members[t]]
            if stamp[b] != r:
                stamp[b] = r
                of_row[fill] = b
                fill += 1
                of_class_start[b + 1] += 1
        of_row_start[r + 1] = fill
    place = memory.empty_ints(count + 1)
    place[0] = 0
    for b in range(count):
        of_class_start[b + 1] += of_class_start[b]
        place[b + 1] = of_class_start[b + 1]
    of_class = memory.empty_ints(fill)
    for r in range(rows.count):
        for t in range(of_row_start[r], of_row_start[r + 1]):
            b = of_row[t]
            of_class[place[b]] = r
            place[b] += 1
    groups = CellClasses()
    groups.cells, groups.count, groups.rows = cells, count, rows.count
    groups.of_cell, groups.size, groups.is_counted = of_cell, size, is_counted
    groups.of_row_start, groups.of_row = of_row_start, of_row
    groups.of_class_start, groups.of_class = of_class_start, of_class
    return groups


def group_cells(counted: Ints, cells: int, rows: ConstraintRows, of_cell: Ints, memory: Memory) -> int:
    """Fill in the class of each cell by partition refinement; return the number of classes."""
    start, members = rows.start, rows.members
    for k in range(cells):
        of_cell[k] = 0 if counted[k] else 1
    most = 2 + start[rows.count]
    stamp, part = memory.ints(most, -1), memory.empty_ints(most)
    found = 2
    for r in range(rows.count):
        for t in range(start[r], start[r + 1]):
            old = of_cell[members[t]]
            if stamp[old] != r:
                stamp[old] = r
                part[old] = found
                found += 1
            of_cell[members[t]] = part[old]
    number = memory.ints(found, -1)
    count = 0
    for k in range(cells):
        if number[of_cell[k]] < 0:
            number[of_cell[k]] = count
            count += 1
        of_cell[k] = number[of_cell[k]]
    return count


class ClassOrder:
    """The `order` so far and the classes it contains; component c is `order[starts[c]:starts[c + 1]]`.

    Of each constraint: its `state`, how many of its classes are `left`, and the last search that `met` it.
    `queue`, `waiting` and `begins` are scratch space.
    """

    components: int
    order: Ints
    starts: Ints
    is_placed: Ints
    state: Ints
    left: Ints
    met: Ints
    queue: Ints
    waiting: Ints
    begins: Ints


def order_classes(groups: CellClasses, last: int, memory: Memory) -> ClassOrder:
    """Return an order that starts at one end and finishes constraints soon; constraint `last` comes last.

    `last` is -1 if any class may come last.
    """
    placing = ClassOrder()
    placing.components, placing.starts = 0, memory.ints(groups.count + 1, 0)
    placing.order, placing.is_placed = memory.ints(groups.count, 0), memory.ints(groups.count, 0)
    placing.state, placing.met = memory.ints(groups.rows, OUTSIDE), memory.ints(groups.rows, -1)
    placing.left = memory.empty_ints(groups.rows)
    placing.queue = memory.empty_ints(groups.rows)
    placing.waiting, placing.begins = memory.empty_ints(groups.count), memory.empty_ints(groups.count)
    for r in range(groups.rows):
        placing.left[r] = groups.of_row_start[r + 1] - groups.of_row_start[r]
    place_all(groups, placing, last)
    return placing


def place_all(groups: CellClasses, placing: ClassOrder, last: int) -> None:
    """Place the classes of one component after another; the component of constraint `last` comes last."""
    state, left, met = placing.state, placing.left, placing.met
    rows = groups.rows
    for r in range(rows):
        if left[r] == 0:
            state[r] = DONE
    end = -1
    if last >= 0 and left[last] > 0:
        end = far_end(groups, placing, last, rows)
    placed, begin = 0, 0
    while placed < groups.count:
        while begin < rows and (state[begin] == DONE or met[begin] == rows):
            begin += 1
        first = end
        if begin < rows:
            first = far_end(groups, placing, begin, begin)
            # marks are constraint numbers: clear them, so that the second search has marks of its own
            for r in range(rows):
                if met[r] == begin:
                    met[r] = -1
            first = far_end(groups, placing, first, begin)
        if first < 0:
            break
        state[first] = BEGUN
        row = first
        while row >= 0:
            placed = place_row(groups, placing, row, placed)
            row = shortest(groups.rows, state, left)
        placing.components += 1
        placing.starts[placing.components] = placed
        if begin >= rows:
            end = -1


def far_end(groups: CellClasses, placing: ClassOrder, begin: int, mark: int) -> int:
    """Return the last constraint of a breadth-first search from `begin`; mark all that it meets."""
    met, queue = placing.met, placing.queue
    queue[0] = begin
    met[begin] = mark
    length, at = 1, 0
    while at < length:
        r = queue[at]
        at += 1
        for t in range(groups.of_row_start[r], groups.of_row_start[r + 1]):
            b = groups.of_row[t]
            for u in range(groups.of_class_start[b], groups.of_class_start[b + 1]):
                other = groups.of_class[u]
                if met[other] != mark:
                    met[other] = mark
                    queue[length] = other
                    length += 1
    return queue[length - 1]


def shortest(rows: int, state: Ints, left: Ints) -> int:
    """Return the begun constraint with the fewest classes left; -1 if none is begun."""
    row = -1
    for r in range(rows):
        if state[r] == BEGUN and (row < 0 or left[r] < left[row]):
            row = r
    return row


def place_row(groups: CellClasses, placing: ClassOrder, row: int, placed: int) -> int:
    """Place the remaining classes of a constraint. Classes that begin few constraints come first."""
    order, is_placed, state, left = placing.order, placing.is_placed, placing.state, placing.left
    waiting, begins = placing.waiting, placing.begins
    state[row] = DONE
    length = 0
    for t in range(groups.of_row_start[row], groups.of_row_start[row + 1]):
        b = groups.of_row[t]
        if not is_placed[b]:
            begins[length] = 0
            for u in range(groups.of_class_start[b], groups.of_class_start[b + 1]):
                begins[length] += state[groups.of_class[u]] == OUTSIDE
            waiting[length] = b
            length += 1
    for _ in range(length):
        least = -1
        for t in range(length):
            if begins[t] >= 0 and (least < 0 or begins[t] < begins[least]):
                least = t
        begins[least] = -1
        b = waiting[least]
        order[placed] = b
        is_placed[b] = 1
        placed += 1
        for u in range(groups.of_class_start[b], groups.of_class_start[b + 1]):
            other = groups.of_class[u]
            left[other] -= 1
            if left[other] == 0:
                state[other] = DONE
            elif state[other] == OUTSIDE:
                state[other] = BEGUN
    return placed
