"""Count the layouts of a component, with the mine probability of each of its cells.

Cells in the same constraints form a class. The classes are processed one after another, in an order in which
few constraints are open. A state stores the mines of each open constraint in a few bits. Layouts with equal
states are merged, so the cost depends on the width of the frontier, not on its length. Each state has a
polynomial in the number of mines. Going back over the classes gives the weights of their cells.
"""

from __future__ import annotations

from strategies.kernels import arrays
from strategies.kernels.arrays import ConstraintRows
from strategies.kernels.memory import Memory
from strategies.kernels.settings import Floats, Ints

# transitions (state, mines put into a class) of one count; a larger position is not counted
MAX_MOVES = 60_000
MAX_NUMBERS = 3_000_000  # coefficients of all states together
MAX_STATES = 12_000  # states of one level
HASH_SIZE = 1 << 15  # slots of the hash table of states
FIELD = 15  # a state has up to four bits for each open constraint, …
STATE_BITS = 62  # … and at most this many bits for all of them
LARGEST = 400  # cells of one component: a double holds the number of their layouts
WAYS = FIELD + 1  # numbers of mines that a class may have
OUTSIDE, BEGUN, DONE = 0, 1, 2  # states of a constraint: no class, some classes, or all classes are placed
ONE = 1  # with 64 bits in the extension


class CellClasses:
    """The class of each cell (`of_cell`); of each class its `size` and whether the mine total includes it.

    The classes of constraint r are `of_row[of_row_start[r]:of_row_start[r + 1]]`, the constraints of class b
    `of_class[of_class_start[b]:of_class_start[b + 1]]`.
    """

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
    groups = CellClasses()
    groups.rows, groups.of_cell = rows.count, memory.ints(cells, 0)
    groups.count = group_cells(counted, cells, rows, groups.of_cell, memory)
    groups.size, groups.is_counted = memory.ints(groups.count, 0), memory.ints(groups.count, 0)
    for k in range(cells):
        groups.size[groups.of_cell[k]] += 1
        groups.is_counted[groups.of_cell[k]] = counted[k]
    groups.of_row_start = memory.ints(rows.count + 1, 0)
    groups.of_row = memory.ints(rows.start[rows.count], 0)
    stamp, fill = memory.ints(groups.count, -1), 0
    for r in range(rows.count):
        for t in range(rows.start[r], rows.start[r + 1]):
            b = groups.of_cell[rows.members[t]]
            if stamp[b] != r:
                stamp[b] = r
                groups.of_row[fill] = b
                fill += 1
        groups.of_row_start[r + 1] = fill
    groups.of_class_start, groups.of_class = arrays.transpose(
        groups.of_row_start, groups.of_row, rows.count, groups.count, memory
    )
    return groups


def group_cells(counted: Ints, cells: int, rows: ConstraintRows, of_cell: Ints, memory: Memory) -> int:
    """Fill in the class of each cell by partition refinement; return the number of classes."""
    for k in range(cells):
        of_cell[k] = 0 if counted[k] else 1
    most = 2 + rows.start[rows.count]
    stamp, part = memory.ints(most, -1), memory.ints(most, 0)
    found = 2
    for r in range(rows.count):
        for t in range(rows.start[r], rows.start[r + 1]):
            k = rows.members[t]
            old = of_cell[k]
            if stamp[old] != r:
                stamp[old] = r
                part[old] = found
                found += 1
            of_cell[k] = part[old]
    number = memory.ints(found, -1)
    count = 0
    for k in range(cells):
        if number[of_cell[k]] < 0:
            number[of_cell[k]] = count
            count += 1
        of_cell[k] = number[of_cell[k]]
    return count


class ClassOrder:
    """The `order` of the `placed` classes so far; component c is `order[starts[c]:starts[c + 1]]`.

    Of each constraint: its `state`, and how many of its classes are `left`.
    """

    components: int
    placed: int
    order: Ints
    starts: Ints
    is_placed: Ints
    state: Ints
    left: Ints


def order_classes(groups: CellClasses, last: int, memory: Memory) -> ClassOrder:
    """Return an order of components that starts at one end of each, and finishes constraints soon.

    The component of constraint `last` (-1: none) comes last and ends with this constraint.
    """
    placing, rows = ClassOrder(), groups.rows
    placing.components, placing.starts = 0, memory.ints(groups.count + 1, 0)
    placing.order, placing.is_placed = memory.ints(groups.count, 0), memory.ints(groups.count, 0)
    state, left, met = memory.ints(rows, OUTSIDE), memory.ints(rows, 0), memory.ints(rows, -1)
    placing.state, placing.left, placing.placed, queue = state, left, 0, memory.ints(rows, 0)
    for r in range(rows):
        left[r] = groups.of_row_start[r + 1] - groups.of_row_start[r]
        if left[r] == 0:
            state[r] = DONE
    end = -1
    if last >= 0 and left[last] > 0:
        end = far_end(groups, met, queue, last, 2 * rows)
    begin = 0
    while placing.placed < groups.count:
        while begin < rows and (state[begin] == DONE or met[begin] == 2 * rows):
            begin += 1
        row = end
        if begin < rows:
            row = far_end(groups, met, queue, begin, 2 * begin)
            row = far_end(groups, met, queue, row, 2 * begin + 1)
        if row < 0:
            break
        while row >= 0:
            place_row(groups, placing, row, memory)
            row = -1  # the begun constraint with the fewest classes left
            for r in range(rows):
                if state[r] == BEGUN and (row < 0 or left[r] < left[row]):
                    row = r
        placing.components += 1
        placing.starts[placing.components] = placing.placed
        if begin >= rows:
            end = -1
    return placing


def far_end(groups: CellClasses, met: Ints, queue: Ints, begin: int, mark: int) -> int:
    """Return the last constraint of a breadth-first search from `begin`; mark all that it meets."""
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


def place_row(groups: CellClasses, placing: ClassOrder, row: int, memory: Memory) -> None:
    """Place the remaining classes of a constraint. Classes that begin few constraints come first."""
    state, left = placing.state, placing.left
    waiting, begins = memory.ints(left[row], 0), memory.ints(left[row], 0)
    state[row] = DONE
    length = 0
    for t in range(groups.of_row_start[row], groups.of_row_start[row + 1]):
        b = groups.of_row[t]
        if not placing.is_placed[b]:
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
        placing.order[placing.placed] = b
        placing.placed += 1
        placing.is_placed[b] = 1
        for u in range(groups.of_class_start[b], groups.of_class_start[b + 1]):
            other = groups.of_class[u]
            left[other] -= 1
            if left[other] == 0:
                state[other] = DONE
            elif state[other] == OUTSIDE:
                state[other] = BEGUN


class CountingMemory(Memory):
    """Memory with tables of states and of moves between them.

    Of each state: the mines of its open constraints (`key`), its `least` and `most` mines, the `offset` of
    its coefficients; the coefficients `ahead` and `behind`, and whether the latter are not all 0 (`is_open`).
    Of each move: `source`, `target`, and the mines it adds (`value`). The hash table: the state in each slot
    (`hashed`), and when it was stored (`stamps`). `ways[WAYS * cells + mines]`: the ways to put mines into
    the cells of a class.
    """

    key: Ints
    least: Ints
    most: Ints
    offset: Ints
    ahead: Floats
    behind: Floats
    is_open: Ints
    source: Ints
    target: Ints
    value: Ints
    hashed: Ints
    stamps: Ints
    ways: Floats
    stamp: int
    states: int
    numbers: int
    moves: int


def make_memory() -> CountingMemory:
    """Allocate the tables of one thread."""
    memory, length = CountingMemory(), MAX_MOVES + 2
    memory.key, memory.offset = memory.ints(length, 0), memory.ints(length, 0)
    memory.least, memory.most = memory.ints(length, 0), memory.ints(length, 0)
    memory.source, memory.target = memory.ints(length, 0), memory.ints(length, 0)
    memory.value, memory.is_open = memory.ints(length, 0), memory.ints(length, 0)
    memory.ahead, memory.behind = memory.large_floats(MAX_NUMBERS + 1), memory.large_floats(MAX_NUMBERS + 1)
    memory.hashed, memory.stamps = memory.ints(HASH_SIZE, 0), memory.ints(HASH_SIZE, 0)
    memory.stamp = 0
    memory.ways = memory.floats(WAYS * (LARGEST + 1), 1.0)
    for cells in range(LARGEST + 1):
        for v in range(WAYS - 1):
            k = WAYS * cells + v
            memory.ways[k + 1] = memory.ways[k] * (cells - v) / (v + 1)
    return memory


class LayoutCounter:
    """Counts layouts of `groups` that satisfy `rows`, and keeps the states and moves in `memory`.

    Constraint `probe` (-1: none) has no bounds and never ends: its number of mines, which begins at
    `probe_bit` of a state, separates the last states.

    Of each constraint: its first bit in a state (`shift`, -1: none), its `mask`, and its cells that are
    `left`.

    Of a class: the bits `taken` in its states, the bits that a mine adds to, and the bits to `clear`, because
    their constraints end. Check t: the number with `check_shift` and `check_mask` is at least `low` and at
    most `high`. Above `floor`, up to `ceiling`, the constraint holds in any case, so the number is stored as
    `floor`; `is_loose` if that is possible for any constraint.
    """

    groups: CellClasses
    rows: ConstraintRows
    memory: CountingMemory
    probe: int
    probe_bit: int
    shift: Ints
    mask: Ints
    left: Ints
    taken: int
    add: int
    clear: int
    checks: int
    check_shift: Ints
    check_mask: Ints
    low: Ints
    high: Ints
    floor: Ints
    ceiling: Ints
    is_loose: bool


def make_counter(
    counted: Ints, cells: int, rows: ConstraintRows, probe: int, memory: CountingMemory
) -> LayoutCounter:
    """Return a counter of the layouts of the first `cells` cells; the memory forgets all earlier counts."""
    counter = LayoutCounter()
    counter.groups, counter.rows = cell_classes(counted, cells, rows, memory), rows
    counter.memory, counter.probe = memory, probe
    counter.shift, counter.mask = memory.ints(rows.count, -1), memory.ints(rows.count, 0)
    counter.left = memory.ints(rows.count, 0)
    for r in range(rows.count):
        counter.left[r] = rows.start[r + 1] - rows.start[r]
    counter.check_shift, counter.check_mask = memory.ints(rows.count, 0), memory.ints(rows.count, 0)
    counter.low, counter.high = memory.ints(rows.count, 0), memory.ints(rows.count, 0)
    counter.floor, counter.ceiling = memory.ints(rows.count, 0), memory.ints(rows.count, 0)
    memory.states = memory.numbers = memory.moves = 0
    return counter


class CountingLevels:
    """The classes of a count in their order, and the states and moves of each level.

    The states before the class at place p are `states[p]` to `states[p + 1]`; the states of the last level
    are behind all classes. The moves that put mines into that class begin at `moves[p]`.
    """

    count: int
    order: Ints
    states: Ints
    moves: Ints


def make_levels(order: Ints, begin: int, end: int, memory: Memory) -> CountingLevels:
    """Return empty levels for the classes `order[begin:end]`."""
    levels = CountingLevels()
    levels.count = end - begin
    levels.order = memory.ints(end - begin, 0)
    levels.states, levels.moves = memory.ints(end - begin + 2, 0), memory.ints(end - begin + 1, 0)
    for p in range(begin, end):
        levels.order[p - begin] = order[p]
    return levels


def count_forward(counter: LayoutCounter, levels: CountingLevels) -> bool:
    """Count the layouts of the classes of `levels`; return False if the count is too wide or too long."""
    memory = counter.memory
    counter.taken = counter.clear = 0
    first = memory.states  # one layout without mines
    memory.key[first] = memory.least[first] = memory.most[first] = 0
    memory.states += 1
    levels.states[0], levels.states[1] = first, memory.states
    if not make_numbers(first, memory):
        return False
    memory.ahead[memory.offset[first]] = 1.0
    for p in range(levels.count):
        b, begin = levels.order[p], memory.states
        levels.moves[p] = memory.moves
        if (
            not assign_bits(counter, b)
            or not make_moves(counter, b, levels.states[p], begin)
            or not make_numbers(begin, memory)
        ):
            return False
        levels.states[p + 2], levels.moves[p + 1] = memory.states, memory.moves
        count_ahead(counter, b, levels.moves[p])
    counter.probe_bit = max(counter.shift[counter.probe], 0) if counter.probe >= 0 else 0
    return True


def assign_bits(counter: LayoutCounter, b: int) -> bool:
    """Assign bits to the constraints that begin with class `b`; False if there are too few bits."""
    groups, rows, left = counter.groups, counter.rows, counter.left
    taken = counter.taken & ~counter.clear
    counter.add = counter.clear = counter.checks = 0
    counter.is_loose = False
    for t in range(groups.of_class_start[b], groups.of_class_start[b + 1]):
        r = groups.of_class[t]
        low, high = rows.low[r], rows.high[r]
        left[r] -= groups.size[b]
        if counter.shift[r] < 0:
            mask = FIELD
            while r != counter.probe and mask >> 1 >= high and mask > 1:
                mask >>= 1
            free = 0
            while taken & mask << free:
                free += 1
            if mask >= ONE << STATE_BITS - free or high > FIELD:
                return False
            counter.shift[r], counter.mask[r] = free, mask
            taken |= mask << free
        shift, mask = counter.shift[r], counter.mask[r]
        counter.add |= ONE << shift
        if r != counter.probe:
            if left[r] == 0:
                counter.clear |= mask << shift
            check = counter.checks
            counter.check_shift[check], counter.check_mask[check] = shift, mask
            counter.low[check], counter.high[check] = low - left[r], high
            counter.floor[check], counter.ceiling[check] = max(low, 0), -1
            if left[r] and low < high:
                counter.ceiling[check], counter.is_loose = high - left[r], True
            counter.checks += 1
    counter.taken = taken
    return True


def make_moves(counter: LayoutCounter, b: int, begin: int, end: int) -> bool:
    """Put every possible number of mines into class `b`; return False if there are too many moves or states.

    The moves start from the states `begin` to `end`.
    """
    memory = counter.memory
    cells, is_counted = counter.groups.size[b], counter.groups.is_counted[b]
    key, least_of, most_of = memory.key, memory.least, memory.most
    hashed, stamps = memory.hashed, memory.stamps
    source, target, value = memory.source, memory.target, memory.value
    shift, mask, low, high = counter.check_shift, counter.check_mask, counter.low, counter.high
    checks, add, keep = counter.checks, counter.add, ~counter.clear
    loose = checks if counter.is_loose else 0
    states, move = memory.states, memory.moves
    memory.stamp += 1
    stamp = memory.stamp
    for i in range(begin, end):
        least, most = 0, cells
        for t in range(checks):
            held = key[i] >> shift[t] & mask[t]
            most = min(most, high[t] - held)
            least = max(least, low[t] - held)
        for v in range(least, most + 1):
            after = (key[i] + v * add) & keep
            for t in range(loose):
                held = after >> shift[t] & mask[t]
                if counter.floor[t] < held <= counter.ceiling[t]:
                    after -= (held - counter.floor[t]) << shift[t]
            place = (after ^ after >> 13 ^ after >> 26 ^ after >> 39) & (HASH_SIZE - 1)
            while stamps[place] == stamp and key[hashed[place]] != after:
                place = (place + 1) & (HASH_SIZE - 1)
            more = v if is_counted else 0
            if stamps[place] != stamp:
                j = states
                if j >= MAX_MOVES or j - end >= MAX_STATES:
                    return False
                states += 1
                stamps[place] = stamp
                hashed[place] = j
                key[j] = after
                least_of[j] = least_of[i] + more
                most_of[j] = most_of[i] + more
            else:
                j = hashed[place]
                least_of[j] = min(least_of[j], least_of[i] + more)
                most_of[j] = max(most_of[j], most_of[i] + more)
            if move >= MAX_MOVES:
                return False
            source[move], target[move], value[move] = i, j, v
            move += 1
    memory.states, memory.moves = states, move
    return True


def make_numbers(begin: int, memory: CountingMemory) -> bool:
    """Make room for the coefficients of the states from `begin` on; return False if there are too many."""
    first = last = memory.numbers
    for j in range(begin, memory.states):
        memory.offset[j] = last
        last += memory.most[j] - memory.least[j] + 1
        if last > MAX_NUMBERS:
            return False
    memory.extend(memory.ahead, last)
    memory.extend(memory.behind, last)
    for m in range(first, last):
        memory.ahead[m] = 0.0
    memory.numbers = last
    return True


def count_ahead(counter: LayoutCounter, b: int, begin: int) -> None:
    """Add up the coefficients of the states that the moves of class `b`, from `begin` on, lead to."""
    memory, cells, is_counted = counter.memory, counter.groups.size[b], counter.groups.is_counted[b]
    ahead, source, target, value = memory.ahead, memory.source, memory.target, memory.value
    least, most, offset = memory.least, memory.most, memory.offset
    for move in range(begin, memory.moves):
        v, i, j = value[move], source[move], target[move]
        ways = memory.ways[WAYS * cells + v]
        come = offset[i]
        to = offset[j] + least[i] + (v if is_counted else 0) - least[j]
        for m in range(most[i] - least[i] + 1):
            ahead[to + m] += ways * ahead[come + m]


def most_mines(levels: CountingLevels, memory: CountingMemory) -> int:
    """Return the highest number of mines of any layout."""
    most = 0
    for i in range(levels.states[levels.count], levels.states[levels.count + 1]):
        most = max(most, memory.most[i])
    return most


def add_layouts(levels: CountingLevels, memory: CountingMemory, numbers: Floats) -> None:
    """Add the number of layouts with each number of mines, over all last states."""
    least, most, offset = memory.least, memory.most, memory.offset
    for i in range(levels.states[levels.count], levels.states[levels.count + 1]):
        for m in range(most[i] - least[i] + 1):
            numbers[least[i] + m] += memory.ahead[offset[i] + m]


class ClassShares:
    """Per class: the weight of the layouts in which a cell of it is a mine, or safe, or two cells differ."""

    mine: Floats
    safe: Floats
    differ: Floats


def no_shares(count: int, memory: Memory) -> ClassShares:
    """Return zero shares of `count` classes."""
    shares = ClassShares()
    shares.mine, shares.safe = memory.floats(count, 0.0), memory.floats(count, 0.0)
    shares.differ = memory.floats(count, 0.0)
    return shares


def weigh_backward(
    counter: LayoutCounter, levels: CountingLevels, weights: Floats, wanted: int, shares: ClassShares
) -> float:
    """Return the weight of all layouts and, unless it is 0, fill in the shares of the classes.

    `weights[m]` is the weight of a layout with m mines. `wanted` is the number of the probe, -1 for any.
    """
    everything = weigh_total(counter, levels, weights, wanted)
    if everything > 0.0:
        for p in range(levels.count - 1, -1, -1):
            weigh_class(counter, levels, p, shares)
    return everything


def weigh_total(counter: LayoutCounter, levels: CountingLevels, weights: Floats, wanted: int) -> float:
    """Return the weight of all layouts, and store the weight of each last state in `behind`."""
    memory = counter.memory
    least, most, offset, ahead, behind = memory.least, memory.most, memory.offset, memory.ahead, memory.behind
    everything = 0.0
    for i in range(levels.states[levels.count], levels.states[levels.count + 1]):
        fits: bool = wanted < 0 or (memory.key[i] >> counter.probe_bit & FIELD) == wanted
        memory.is_open[i] = fits
        for m in range(most[i] - least[i] + 1):
            weight = weights[least[i] + m] if fits else 0.0
            behind[offset[i] + m] = weight
            everything += weight * ahead[offset[i] + m]
    return everything


def weigh_class(counter: LayoutCounter, levels: CountingLevels, p: int, shares: ClassShares) -> None:
    """Go back over the class at place p: weights behind its states, and its shares."""
    memory, b = counter.memory, levels.order[p]
    cells, is_counted = counter.groups.size[b], counter.groups.is_counted[b]
    ahead, behind, offset = memory.ahead, memory.behind, memory.offset
    source, target, value, least, most = memory.source, memory.target, memory.value, memory.least, memory.most
    for i in range(levels.states[p], levels.states[p + 1]):
        memory.is_open[i] = 0
        for m in range(offset[i], offset[i] + most[i] - least[i] + 1):
            behind[m] = 0.0
    mine, safe, differ = 0.0, 0.0, 0.0
    for move in range(levels.moves[p], levels.moves[p + 1]):
        v, i, j = value[move], source[move], target[move]
        if not memory.is_open[j]:
            continue
        memory.is_open[i] = 1
        ways = memory.ways[WAYS * cells + v]
        come = offset[i]
        to = offset[j] + least[i] + (v if is_counted else 0) - least[j]
        through = 0.0
        for m in range(most[i] - least[i] + 1):
            weight = ways * behind[to + m]
            behind[come + m] += weight
            through += weight * ahead[come + m]
        mine += through * v / cells
        safe += through * (cells - v) / cells
        if v and v < cells:
            differ += through * 2 * v * (cells - v) / (cells * (cells - 1))
    shares.mine[b], shares.safe[b], shares.differ[b] = mine, safe, differ
