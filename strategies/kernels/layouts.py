"""Count the layouts of a component: states behind each class, moves between them, weights backwards.

A state stores the mines of each open constraint in a few bits. Layouts with equal states are merged, so the
cost depends on the width of the frontier, not on its length. Each state has a polynomial in the number of
mines.
"""

from __future__ import annotations

from strategies.kernels.arrays import ConstraintRows
from strategies.kernels.classes import CellClasses
from strategies.kernels.memory import Memory
from strategies.kernels.settings import (
    FIELD,
    HASH_SIZE,
    MAX_MOVES,
    MAX_NUMBERS,
    MAX_STATES,
    STATE_BITS,
    Floats,
    Ints,
)

ONE = 1  # with 64 bits in the extension


class CountingMemory(Memory):
    """Memory with tables of states and of moves between them.

    Of each state: the mines of its open constraints (`key`), its `least` and `most` mines, the `offset` of
    its coefficients; the coefficients `ahead` and `behind`. Of each move: `source`, `target`, and the mines
    it adds (`value`). The hash table: the state in each slot (`hashed`), and when it was stored (`stamps`).
    """

    key: Ints
    least: Ints
    most: Ints
    offset: Ints
    ahead: Floats
    behind: Floats
    source: Ints
    target: Ints
    value: Ints
    hashed: Ints
    stamps: Ints
    stamp: int
    states: int
    numbers: int
    moves: int


def make_memory() -> CountingMemory:
    """Allocate the tables of one thread."""
    memory = CountingMemory()
    memory.key, memory.offset = memory.empty_ints(MAX_MOVES + 2), memory.empty_ints(MAX_MOVES + 2)
    memory.least, memory.most = memory.empty_ints(MAX_MOVES + 2), memory.empty_ints(MAX_MOVES + 2)
    memory.source, memory.target = memory.empty_ints(MAX_MOVES + 2), memory.empty_ints(MAX_MOVES + 2)
    memory.value = memory.empty_ints(MAX_MOVES + 2)
    memory.ahead, memory.behind = memory.large_floats(MAX_NUMBERS + 1), memory.large_floats(MAX_NUMBERS + 1)
    memory.hashed, memory.stamps = memory.empty_ints(HASH_SIZE), memory.ints(HASH_SIZE, 0)
    memory.stamp = 0
    reset_memory(memory)
    return memory


def reset_memory(memory: CountingMemory) -> None:
    """Forget all states and moves."""
    memory.states = memory.numbers = memory.moves = 0


class BoundChecks:
    """Conditions on a state: the bits of each constraint, and its bounds."""

    count: int
    shift: Ints
    mask: Ints
    low: Ints
    high: Ints


class StateBuffers:
    """The bits of each constraint in a state, and the effect of one class on states.

    Of each constraint: its first bit in a state (`shift`, -1: none), its `mask`, and its cells that are
    `left`. Of the class: the bits `taken` (-1: too many), the bits that a mine adds to, and the bits to
    `clear`, because their constraints end. `bounds` must hold. A constraint of `loose` that holds in any case
    is stored as if it had its lowest number of mines.
    """

    shift: Ints
    mask: Ints
    left: Ints
    bounds: BoundChecks
    loose: BoundChecks
    taken: int
    add: int
    clear: int


def state_buffers(rows: ConstraintRows, memory: Memory) -> StateBuffers:
    """Allocate buffers for these constraints."""
    buffers = StateBuffers()
    buffers.shift, buffers.mask = memory.empty_ints(rows.count), memory.empty_ints(rows.count)
    buffers.left = memory.empty_ints(rows.count)
    buffers.bounds, buffers.loose = empty_checks(rows.count, memory), empty_checks(rows.count, memory)
    return buffers


def empty_checks(most: int, memory: Memory) -> BoundChecks:
    """Allocate `most` checks."""
    checks = BoundChecks()
    checks.shift, checks.mask = memory.empty_ints(most), memory.empty_ints(most)
    checks.low, checks.high = memory.empty_ints(most), memory.empty_ints(most)
    return checks


def class_transition(
    groups: CellClasses, b: int, rows: ConstraintRows, probe: int, taken: int, buffers: StateBuffers
) -> None:
    """Assign bits to the constraints that begin with class `b`, and fill in its checks."""
    bounds, loose, left = buffers.bounds, buffers.loose, buffers.left
    add, clear, bound_count, loose_count = 0, 0, 0, 0
    for t in range(groups.of_class_start[b], groups.of_class_start[b + 1]):
        r = groups.of_class[t]
        low, high = rows.low[r], rows.high[r]
        left[r] -= groups.size[b]
        if buffers.shift[r] < 0:
            mask = FIELD
            while r != probe and mask >> 1 >= high and mask > 1:
                mask >>= 1
            free = 0
            while taken & mask << free:
                free += 1
            if mask >= ONE << STATE_BITS - free or high > FIELD:
                buffers.taken = -1
                return
            buffers.shift[r], buffers.mask[r] = free, mask
            taken |= mask << free
        shift, mask = buffers.shift[r], buffers.mask[r]
        add |= ONE << shift
        if r != probe:
            if left[r] == 0:
                clear |= mask << shift
            bounds.shift[bound_count], bounds.mask[bound_count] = shift, mask
            bounds.low[bound_count], bounds.high[bound_count] = low - left[r], high
            bound_count += 1
            if left[r] and low < high:
                loose.shift[loose_count], loose.mask[loose_count] = shift, mask
                loose.low[loose_count], loose.high[loose_count] = max(low, 0), high - left[r]
                loose_count += 1
    bounds.count, loose.count = bound_count, loose_count
    buffers.taken, buffers.add, buffers.clear = taken, add, clear


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
    levels.order = memory.empty_ints(end - begin)
    levels.states, levels.moves = memory.empty_ints(end - begin + 2), memory.empty_ints(end - begin + 1)
    for p in range(begin, end):
        levels.order[p - begin] = order[p]
    return levels


def count_forward(
    groups: CellClasses,
    levels: CountingLevels,
    rows: ConstraintRows,
    probe: int,
    buffers: StateBuffers,
    memory: CountingMemory,
) -> int:
    """Count the layouts of the classes of `levels`.

    Constraint `probe` (-1: none) has no bounds and never ends: its number of mines separates the last states.
    Return its first bit in a state (0 without a probe), or -1 if the count is too wide or too long.
    """
    for r in range(rows.count):
        buffers.shift[r] = -1
        buffers.left[r] = rows.start[r + 1] - rows.start[r]
    levels.states[0] = memory.states
    add_first_state(memory)
    levels.states[1] = memory.states
    taken = 0
    for p in range(levels.count):
        b = levels.order[p]
        class_transition(groups, b, rows, probe, taken, buffers)
        if buffers.taken < 0:
            return -1
        taken = buffers.taken & ~buffers.clear
        begin = memory.states
        levels.moves[p] = memory.moves
        if not make_moves(levels.states[p], begin, groups.size[b], groups.is_counted[b], buffers, memory):
            return -1
        levels.states[p + 2] = memory.states
        levels.moves[p + 1] = memory.moves
        if not make_numbers(begin, memory):
            return -1
        count_ahead(levels.moves[p], groups.size[b], groups.is_counted[b], memory)
    if probe >= 0 and buffers.shift[probe] >= 0:
        return buffers.shift[probe]
    return 0


def add_first_state(memory: CountingMemory) -> None:
    """Add the state before the first class: one layout without mines."""
    first, number = memory.states, memory.numbers
    memory.key[first] = memory.least[first] = memory.most[first] = 0
    memory.offset[first] = number
    memory.extend(memory.ahead, number + 1)
    memory.extend(memory.behind, number + 1)
    memory.ahead[number] = 1.0
    memory.states += 1
    memory.numbers += 1


def make_moves(
    begin: int, end: int, cells: int, is_counted: int, buffers: StateBuffers, memory: CountingMemory
) -> bool:
    """Put every possible number of mines into a class; return False if there are too many moves or states.

    The moves start from the states `begin` to `end`.
    """
    key, least_of, most_of = memory.key, memory.least, memory.most
    hashed, stamps = memory.hashed, memory.stamps
    source, target, value = memory.source, memory.target, memory.value
    bound_shift, bound_mask = buffers.bounds.shift, buffers.bounds.mask
    bound_low, bound_high = buffers.bounds.low, buffers.bounds.high
    loose_shift, loose_mask = buffers.loose.shift, buffers.loose.mask
    loose_low, loose_high = buffers.loose.low, buffers.loose.high
    bounds, loose, add, keep = buffers.bounds.count, buffers.loose.count, buffers.add, ~buffers.clear
    states, move = memory.states, memory.moves
    memory.stamp += 1
    stamp = memory.stamp
    for i in range(begin, end):
        least, most = 0, cells
        for t in range(bounds):
            held = key[i] >> bound_shift[t] & bound_mask[t]
            most = min(most, bound_high[t] - held)
            least = max(least, bound_low[t] - held)
        for v in range(least, most + 1):
            after = (key[i] + v * add) & keep
            for t in range(loose):
                held = after >> loose_shift[t] & loose_mask[t]
                if loose_low[t] < held <= loose_high[t]:
                    after -= (held - loose_low[t]) << loose_shift[t]
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
    least, most, offset, ahead = memory.least, memory.most, memory.offset, memory.ahead
    first = last = memory.numbers
    for j in range(begin, memory.states):
        offset[j] = last
        last += most[j] - least[j] + 1
        if last > MAX_NUMBERS:
            return False
    memory.extend(ahead, last)
    memory.extend(memory.behind, last)
    for m in range(first, last):
        ahead[m] = 0.0
    memory.numbers = last
    return True


def count_ahead(begin: int, cells: int, is_counted: int, memory: CountingMemory) -> None:
    """Add up the coefficients of the states that the moves from `begin` on lead to."""
    ahead, source, target, value = memory.ahead, memory.source, memory.target, memory.value
    least, most, offset = memory.least, memory.most, memory.offset
    for move in range(begin, memory.moves):
        v, i, j = value[move], source[move], target[move]
        ways = ways_to_hold(cells, v)
        come = offset[i]
        to = offset[j] + least[i] + (v if is_counted else 0) - least[j]
        for m in range(most[i] - least[i] + 1):
            ahead[to + m] += ways * ahead[come + m]


def ways_to_hold(cells: int, mines: int) -> float:
    """Return the number of ways to put `mines` mines into `cells` cells."""
    ways = 1.0
    for t in range(mines):
        ways = ways * (cells - t) / (t + 1)
    return ways


class ClassShares:
    """Per class: the weight of the layouts in which a cell of it is a mine, or safe, or two cells differ."""

    mine: Floats
    safe: Floats
    differ: Floats


def empty_shares(count: int, memory: Memory) -> ClassShares:
    """Return zero shares of `count` classes."""
    shares = ClassShares()
    shares.mine, shares.safe = memory.floats(count, 0.0), memory.floats(count, 0.0)
    shares.differ = memory.floats(count, 0.0)
    return shares


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


def weigh_backward(
    groups: CellClasses,
    levels: CountingLevels,
    weights: Floats,
    probe_bit: int,
    wanted: int,
    memory: CountingMemory,
    shares: ClassShares,
) -> float:
    """Return the weight of all layouts and, unless it is 0, fill in the shares of the classes.

    `weights[m]` is the weight of a layout with m mines. `wanted` is the number of the probe, -1 for any.
    """
    everything = weigh_total(levels, weights, probe_bit, wanted, memory)
    if everything > 0.0:
        for p in range(levels.count - 1, -1, -1):
            weigh_class(groups, levels, p, memory, shares)
    return everything


def weigh_total(
    levels: CountingLevels, weights: Floats, probe_bit: int, wanted: int, memory: CountingMemory
) -> float:
    """Return the weight of all layouts, and store the weight of each last state in `behind`."""
    least, most, offset = memory.least, memory.most, memory.offset
    ahead, behind = memory.ahead, memory.behind
    everything = 0.0
    for i in range(levels.states[levels.count], levels.states[levels.count + 1]):
        fits = wanted < 0 or (memory.key[i] >> probe_bit & FIELD) == wanted
        for m in range(most[i] - least[i] + 1):
            weight = weights[least[i] + m] if fits else 0.0
            behind[offset[i] + m] = weight
            everything += weight * ahead[offset[i] + m]
    return everything


def weigh_class(
    groups: CellClasses, levels: CountingLevels, p: int, memory: CountingMemory, shares: ClassShares
) -> None:
    """Go back over the class at place p: weights behind its states, and its shares."""
    b = levels.order[p]
    cells, is_counted = groups.size[b], groups.is_counted[b]
    ahead, behind, offset = memory.ahead, memory.behind, memory.offset
    source, target, value, least, most = memory.source, memory.target, memory.value, memory.least, memory.most
    for i in range(levels.states[p], levels.states[p + 1]):
        for m in range(offset[i], offset[i] + most[i] - least[i] + 1):
            behind[m] = 0.0
    mine, safe, differ = 0.0, 0.0, 0.0
    for move in range(levels.moves[p], levels.moves[p + 1]):
        v, i, j = value[move], source[move], target[move]
        ways = ways_to_hold(cells, v)
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
