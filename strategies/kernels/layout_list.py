"""Lists of all layouts of a position, the numbers of each cell in them, and sets of layouts."""

from __future__ import annotations

from strategies.kernels.arrays import PositionArrays
from strategies.kernels.memory import Memory
from strategies.kernels.settings import MINE, Ints

# a word has four lanes of 16 bits, one per cell
LANE_BITS = (1 << 16) - 1
NUMBERS = (1 << MINE) - 1  # the bits of a lane that stand for numbers
ONE_EACH = 0x0001_0001_0001_0001  # 1 in each lane


class RowCounts:
    """Constraints while cells are filled in: those of cell k are `rows[start[k]:start[k + 1]]`.

    Of each constraint: the mines that it has (`held`), and its cells that are not filled in (`left`).
    """

    start: Ints
    rows: Ints
    held: Ints
    left: Ints


def row_counts(position: PositionArrays, memory: Memory) -> RowCounts:
    """Return the constraints before any cell is filled in."""
    rows = position.rows
    length = rows.start[rows.count]
    counts = RowCounts()
    counts.start, counts.rows = memory.ints(position.cells + 1, 0), memory.empty_ints(length)
    counts.held, counts.left = memory.ints(rows.count, 0), memory.empty_ints(rows.count)
    for t in range(length):
        counts.start[rows.members[t] + 1] += 1
    fill = memory.empty_ints(position.cells + 1)
    fill[0] = 0
    for k in range(position.cells):
        counts.start[k + 1] += counts.start[k]
        fill[k + 1] = counts.start[k + 1]
    for r in range(rows.count):
        counts.left[r] = rows.start[r + 1] - rows.start[r]
        for t in range(rows.start[r], rows.start[r + 1]):
            counts.rows[fill[rows.members[t]]] = r
            fill[rows.members[t]] += 1
    return counts


def enumerate_into(
    position: PositionArrays,
    cells: Ints,
    counted: Ints,
    most_layouts: int,
    most_steps: int,
    found: Ints,
    memory: Memory,
) -> int:
    """Write every layout to `found`, as a row of 0 and 1 in the order of `cells`.

    Return the number of layouts, or -1 if there are more than `most_layouts` or the search takes too many
    steps.
    """
    rows, counts, n = position.rows, row_counts(position, memory), position.cells
    value = memory.ints(n, -1)
    mines, free = 0, 0
    for t in range(n):
        free += counted[cells[t]]
    at, count, steps = 0, 0, 0
    while at >= 0:
        steps += 1
        if steps > most_steps:
            return -1
        if at == n:
            if count == most_layouts:
                return -1
            for t in range(n):
                found[count * n + t] = value[t]
            count += 1
            at -= 1
            continue
        k = cells[at]
        if value[at] < 0:
            adjust_rows(counts.left, counts, k, -1)
            free -= counted[k]
        elif value[at] == 1:
            adjust_rows(counts.held, counts, k, -1)
            mines -= counted[k]
        chosen = -1
        for v in range(value[at] + 1, 2):
            held = mines + v * counted[k]
            if held <= position.most and held + free >= position.least:
                can_hold = True
                for t in range(counts.start[k], counts.start[k + 1]):
                    r = counts.rows[t]
                    own = counts.held[r] + v
                    if own > rows.high[r] or own + counts.left[r] < rows.low[r]:
                        can_hold = False
                        break
                if can_hold:
                    chosen = v
                    break
        value[at] = chosen
        if chosen < 0:
            adjust_rows(counts.left, counts, k, 1)
            free += counted[k]
            at -= 1
            continue
        if chosen == 1:
            adjust_rows(counts.held, counts, k, 1)
            mines += counted[k]
        at += 1
    return count


def adjust_rows(numbers: Ints, counts: RowCounts, cell: int, by: int) -> None:
    """Add to the number of each constraint of a cell."""
    for t in range(counts.start[cell], counts.start[cell + 1]):
        numbers[counts.rows[t]] += by


class LayoutSet:
    """All layouts: `shown[cell * count + layout]` is the number of a cell, or `MINE`.

    `words` contains the same, `width` words per layout: 16 bits for each of four cells, with the bit of its
    number set. Sets of layouts are summarized by a few operations per word. A set is a range of the `stack`.
    `work` is the remaining work, in cells times layouts.
    """

    cells: int
    count: int
    width: int
    shown: Ints
    words: Ints
    stack: Ints
    work: int


def cell_values(
    layouts: Ints, count: int, cells: Ints, position: PositionArrays, shown: Ints, memory: Memory
) -> tuple[Ints, int]:
    """Return the openable cells that distinguish layouts; fill in a row of `shown` for each of them."""
    n = position.cells
    place = memory.empty_ints(n)
    for t in range(n):
        place[cells[t]] = t
    informative = memory.empty_ints(n)
    fill = 0
    for t in range(n):
        k = cells[t]
        first, differs = MINE, False
        for i in range(count):
            number = MINE
            if layouts[i * n + t] == 0:
                number = 0
                for u in range(position.around_start[k], position.around_start[k + 1]):
                    number += layouts[i * n + place[position.around[u]]]
                if first == MINE:
                    first = number
                differs = differs or number != first
            shown[fill * count + i] = number
        if differs and position.openable[k]:
            informative[fill] = k
            fill += 1
    return informative, fill


def make_layout_set(shown: Ints, cells: int, count: int, memory: Memory) -> LayoutSet:
    """Return the set of all layouts."""
    layouts = LayoutSet()
    layouts.cells, layouts.count, layouts.shown = cells, count, shown
    layouts.width = width = (cells + 3) >> 2
    layouts.words = words = memory.words(count * width)
    bit = memory.words(64)
    for b in range(64):
        bit[b] = 2 * bit[b - 1] if b else 1
    for c in range(cells):
        for i in range(count):
            words[i * width + (c >> 2)] |= bit[((c & 3) << 4) + shown[c * count + i]]
    layouts.stack = memory.empty_ints(count * (cells + 4))
    for i in range(count):
        layouts.stack[i] = i
    return layouts


def summarize(layouts: LayoutSet, begin: int, end: int, numbers: Ints, mines: Ints) -> None:
    """Fill in the numbers that the cells show in stack[begin:end], and in how many layouts they are mines.

    Both are packed like `words`.
    """
    words, stack, width = layouts.words, layouts.stack, layouts.width
    for w in range(width):
        numbers[w] = mines[w] = 0
    for i in range(begin, end):
        base = stack[i] * width
        for w in range(width):
            word = words[base + w]
            numbers[w] |= word
            mines[w] += word >> MINE & ONE_EACH


def lane_bits(sums: Ints, cell: int) -> int:
    """Return the bits of a cell."""
    return sums[cell >> 2] >> ((cell & 3) << 4) & LANE_BITS


def is_informative(numbers: Ints, cell: int) -> bool:
    """Whether a cell shows more than one number."""
    shown = lane_bits(numbers, cell) & NUMBERS
    return shown & (shown - 1) != 0


def partition(layouts: LayoutSet, cell: int, begin: int, end: int, free: int, ends: Ints) -> int:
    """Copy stack[begin:end] to stack[free:], sorted by what `cell` shows; return in how many it is safe.

    Layouts in which it is a mine are the last. `ends` receives the end of the layouts of each number.
    """
    shown, stack, row = layouts.shown, layouts.stack, cell * layouts.count
    for v in range(MINE + 1):
        ends[v] = 0
    for i in range(begin, end):
        ends[shown[row + stack[i]]] += 1
    fill = free
    for v in range(MINE + 1):
        size = ends[v]
        ends[v] = fill
        fill += size
    for i in range(begin, end):
        number = shown[row + stack[i]]
        stack[ends[number]] = stack[i]
        ends[number] += 1
    return ends[MINE - 1] - free


def greedy_wins(layouts: LayoutSet, begin: int, end: int, memory: Memory) -> int:
    """Return how many of stack[begin:end] are won by always opening the safest informative cell.

    The best play wins no fewer. The stack from `begin` on is overwritten. Without remaining work the answer
    is meaningless.
    """
    mark = memory.mark()
    stack, cells = layouts.stack, layouts.cells
    begins, lasts = memory.empty_ints(end - begin + 2), memory.empty_ints(end - begin + 2)
    begins[0], lasts[0] = begin, end  # sets that wait
    ends = memory.empty_ints(MINE + 1)
    numbers, mines = memory.words(layouts.width), memory.words(layouts.width)
    waiting, won = 1, 0
    while waiting:
        waiting -= 1
        first, last = begins[waiting], lasts[waiting]
        count = last - first
        layouts.work -= cells * count
        if layouts.work < 0:
            break
        summarize(layouts, first, last, numbers, mines)
        safest, fewest = -1, count
        for c in range(cells):
            if is_informative(numbers, c) and lane_bits(mines, c) < fewest:
                safest, fewest = c, lane_bits(mines, c)
        if safest < 0:  # no cell distinguishes the layouts
            won += 1
            continue
        safe = partition(layouts, safest, first, last, last, ends)
        for i in range(safe):
            stack[first + i] = stack[last + i]
        fill = first
        for v in range(MINE):
            size = ends[v] - count - fill
            if size == 1:
                won += 1
            elif size > 1:
                begins[waiting], lasts[waiting] = fill, fill + size
                waiting += 1
            fill += size
    memory.release(mark)
    return won
