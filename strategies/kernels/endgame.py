"""Solve the rest of a game exactly: list all layouts, then search all moves and answers, depth first.

A cell is not tried if its upper bound on wins is at most the wins of another cell. Two bounds are used: the
layouts in which the cell is safe, and the wins that are possible after each of its numbers. The limit of the
work also limits the depth: depth d takes d cells times d, d - 1, … layouts, together more than d³ / 2.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random

import numpy as np
from numpy.typing import NDArray

from strategies.kernels import arrays, lookahead
from strategies.kernels.arrays import PositionArrays
from strategies.kernels.lookahead import CellFigures
from strategies.kernels.memory import Memory
from strategies.kernels.settings import Floats, GuessSettings, Ints, Octets

MAX_LAYOUTS = 32_000  # more would not fit into 16 bits
MINE = 15  # stands for a mine where the number of a safe cell would be
# a word has four lanes of 16 bits, one per cell
LANE_BITS = (1 << 16) - 1
ONE_EACH = 0x0001_0001_0001_0001  # 1 in each lane
NUMBERS = 0x7FFF_7FFF_7FFF_7FFF  # the bits that stand for numbers, not for mines

MAX_STEPS = 100  # cells filled in per listed layout
RANKED = 100  # layouts; from this size on all cells are bounded before one of them is tried
FEWEST_SLOTS, MOST_SLOTS = 1 << 12, 1 << 18  # slots of the table of solved sets
SLOTS_PER_LAYOUT = 64


def solve_endgame(
    figures: CellFigures, order: Floats, most_layouts: float, settings: GuessSettings
) -> tuple[int, bool]:
    """Return the cell that wins the most layouts, or -1, and whether that is certain.

    Cells with a negative `order` are not tried, unless no other cell is informative; of equal cells the one
    with the higher `order` is better. If the work is not sufficient, the answer is the best cell known so
    far.

    The score of the cell becomes its probability to win; if it is not certain, a lower bound. Other scores
    only rank cells: upper bounds for solved cells, lower bounds for cells that were played greedily.
    """
    position, memory = figures.position, figures.memory
    layouts = list_layouts(position, min(int(most_layouts), MAX_LAYOUTS) + 1, memory)
    if layouts is None:
        return -1, False
    if layouts.cells == 0:  # in the end one layout is won; the safest cell first
        safest = 0
        for k in range(1, position.cells):
            if position.openable[k] * figures.safe[k] > position.openable[safest] * figures.safe[safest]:
                safest = k
        figures.score[safest] = 1.0 / layouts.count
        return safest, position.openable[safest] > 0
    is_ordered: bool = False
    for c in range(layouts.cells):
        is_ordered = is_ordered or order[layouts.informative[c]] >= 0.0
    shares = memory.floats(layouts.cells, -1.0)
    chosen, is_certain = best_opening(layouts, order if is_ordered else figures.safe, settings, shares)
    if chosen < 0:
        return -1, False
    for k in range(position.cells):
        figures.score[k] = -1.0
    for c in range(layouts.cells):
        figures.score[layouts.informative[c]] = shares[c]
    return layouts.informative[chosen], is_certain


# --- lists of layouts ----------------------------------------------------------------------------------


class Endgame:
    """All layouts: `shown[cell * count + layout]` is the number of a cell, or `MINE`.

    The cells are the openable cells that distinguish layouts (`informative`). `words` contains the same for
    four cells at a time, `width` words per layout: 16 bits for each cell, with the bit of its number set.
    Sets of layouts are summarized by a few operations per word: `spread` is not 0 in the lanes of cells that
    show several numbers, and `mines` counts the layouts in which a cell is a mine. A set is a range of the
    `stack`.

    `work` is the remaining work, in cells times layouts. A table of `slots` contains the marks of solved
    sets, and their wins, or -1 less an upper bound.
    """

    memory: Memory
    cells: int
    count: int
    width: int
    informative: Ints
    shown: Octets
    words: Ints
    stack: Ints
    work: int
    marks: Ints
    slots: int
    kept_mark: Ints
    kept_wins: Ints
    spread: Ints
    mines: Ints


def list_layouts(position: PositionArrays, most: int, memory: Memory) -> Endgame | None:
    """Return the set of all layouts; None if there are none, more than `most`, or too many steps to do."""
    rows, n = position.rows, position.cells
    cells, seen, fill = memory.ints(n, 0), memory.ints(n, 0), 0
    for t in range(rows.start[rows.count]):  # the order in which cells are filled in
        if not seen[rows.members[t]]:
            seen[rows.members[t]] = 1
            cells[fill] = rows.members[t]
            fill += 1
    for k in range(n):
        if not seen[k]:
            cells[fill] = k
            fill += 1
        if position.around_start[k + 1] - position.around_start[k] >= MINE:
            return None
    found = memory.octets(most * n)
    layouts = Endgame()
    layouts.memory = memory
    layouts.count = enumerate_into(position, cells, most, found, memory)
    if layouts.count <= 0:
        return None
    list_numbers(layouts, position, cells, found)
    pack_numbers(layouts)
    layouts.spread, layouts.mines = memory.ints(layouts.width, 0), memory.ints(layouts.width, 0)
    layouts.stack = memory.ints(layouts.count * (layouts.cells + 4), 0)
    for i in range(layouts.count):
        layouts.stack[i] = i
    return layouts


def enumerate_into(position: PositionArrays, cells: Ints, most: int, found: Octets, memory: Memory) -> int:
    """Write every layout to `found`, as a row of 0 and 1 in the order of `cells`.

    Return the number of layouts, or -1 if there are more than `most`, or the search takes too many steps.
    """
    rows, n = position.rows, position.cells
    start, rows_of = arrays.transpose(rows.start, rows.members, rows.count, n, memory)
    held, left = memory.ints(rows.count, 0), memory.ints(rows.count, 0)  # mines, and cells not filled in
    for r in range(rows.count):
        left[r] = rows.start[r + 1] - rows.start[r]
    counted, free = memory.ints(n, 1), n - position.bound
    for k in range(position.bound):
        counted[k] = position.counted[k]
        free += counted[k]
    value = memory.ints(n, -1)
    at, count, steps, mines = 0, 0, 0, 0
    while at >= 0:
        steps += 1
        if steps > MAX_STEPS * most:
            return -1
        if at == n:
            if count == most:
                return -1
            for t in range(n):
                found[count * n + t] = value[t]
            count += 1
            at -= 1
            continue
        k = cells[at]
        if value[at] < 0:
            add_to_rows(left, start, rows_of, k, -1)
            free -= counted[k]
        elif value[at] == 1:
            add_to_rows(held, start, rows_of, k, -1)
            mines -= counted[k]
        chosen = -1
        for v in range(value[at] + 1, 2):
            own_mines = mines + v * counted[k]
            can_hold: bool = own_mines <= position.most and own_mines + free >= position.least
            for t in range(start[k], start[k + 1]):
                r = rows_of[t]
                own = held[r] + v
                can_hold = can_hold and rows.low[r] - left[r] <= own <= rows.high[r]
            if can_hold:
                chosen = v
                break
        value[at] = chosen
        if chosen < 0:
            add_to_rows(left, start, rows_of, k, 1)
            free += counted[k]
            at -= 1
            continue
        if chosen == 1:
            add_to_rows(held, start, rows_of, k, 1)
            mines += counted[k]
        at += 1
    return count


def add_to_rows(numbers: Ints, start: Ints, rows_of: Ints, cell: int, by: int) -> None:
    """Add to the number of each constraint of a cell."""
    for t in range(start[cell], start[cell + 1]):
        numbers[rows_of[t]] += by


def list_numbers(layouts: Endgame, position: PositionArrays, cells: Ints, found: Octets) -> None:
    """Find the informative cells, and fill in their numbers."""
    n, count, memory = position.cells, layouts.count, layouts.memory
    layouts.cells, layouts.informative = 0, memory.ints(n, 0)
    layouts.shown = memory.octets((n + 1) * count)
    place = memory.ints(n, 0)
    for t in range(n):
        place[cells[t]] = t
    for t in range(n):
        k, row = cells[t], layouts.cells * count
        first = MINE
        differs: bool = False
        for i in range(count):
            number = MINE
            if found[i * n + t] == 0:
                number = 0
                for u in range(position.around_start[k], position.around_start[k + 1]):
                    number += found[i * n + place[position.around[u]]]
                if first == MINE:
                    first = number
                differs = differs or number != first
            layouts.shown[row + i] = number
        if differs and position.openable[k]:
            layouts.informative[layouts.cells] = k
            layouts.cells += 1


def pack_numbers(layouts: Endgame) -> None:
    """Pack the numbers into words."""
    width, memory = (layouts.cells + 3) >> 2, layouts.memory
    layouts.width, layouts.words = width, memory.ints(layouts.count * width, 0)
    bit = memory.ints(64, 1)
    for b in range(1, 64):
        bit[b] = 2 * bit[b - 1]
    for c in range(layouts.cells):
        for i in range(layouts.count):
            shown = layouts.shown[c * layouts.count + i]
            layouts.words[(c >> 2) * layouts.count + i] |= bit[((c & 3) << 4) + shown]


def summarize(layouts: Endgame, begin: int, end: int) -> int:
    """Fill in `spread` and `mines` for the layouts stack[begin:end], and return -1.

    If an informative cell is safe in all of them, stop and return the first such cell.
    """
    words, stack = layouts.words, layouts.stack
    for w in range(layouts.width):
        row, seen, mined = w * layouts.count, 0, 0
        for i in range(begin, end):
            word = words[row + stack[i]]
            seen |= word
            mined += word >> MINE & ONE_EACH
        seen &= NUMBERS
        layouts.spread[w] = seen & ((seen | ~NUMBERS) - ONE_EACH)  # in each lane: seen & (seen - 1)
        layouts.mines[w] = mined
        if layouts.spread[w]:
            for c in range(4 * w, 4 * w + 4):
                if lane(layouts.spread, c) and lane(layouts.mines, c) == 0:
                    return c
    return -1


def lane(words: Ints, cell: int) -> int:
    """Return the lane of a cell."""
    return words[cell >> 2] >> ((cell & 3) << 4) & LANE_BITS


def partition(layouts: Endgame, cell: int, begin: int, end: int, free: int, ends: Ints) -> int:
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


# --- greedy play ---------------------------------------------------------------------------------------


def greedy_wins(layouts: Endgame, begin: int, end: int) -> int:
    """Return how many of stack[begin:end] are won by always opening the safest informative cell.

    The best play wins no fewer. Without remaining work the answer is meaningless.
    """
    layouts.work -= layouts.cells * (end - begin)
    if layouts.work < 0:
        return 0
    safest, fewest = summarize(layouts, begin, end), end - begin
    for c in range(layouts.cells if safest < 0 else 0):
        if lane(layouts.spread, c) and lane(layouts.mines, c) < fewest:
            safest, fewest = c, lane(layouts.mines, c)
    return 1 if safest < 0 else wins_after_opening(layouts, safest, begin, end)


def wins_after_opening(layouts: Endgame, cell: int, begin: int, end: int) -> int:
    """Return how many of stack[begin:end] are won by opening this cell and then playing greedily.

    The stack from `end` on is overwritten.
    """
    mark = layouts.memory.mark()
    ends = layouts.memory.ints(MINE + 1, 0)
    partition(layouts, cell, begin, end, end, ends)
    won = 0
    for v in range(MINE - 1, -1, -1):
        first, last = ends[v - 1] if v else end, ends[v]
        won += greedy_wins(layouts, first, last) if last - first > 1 else last - first
    layouts.memory.release(mark)
    return won


# --- search --------------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def layout_marks(count: int) -> NDArray[np.int64]:
    """Return random numbers, always the same ones: a set of layouts is identified by their exclusive or."""
    rng = Random(count)  # noqa: S311 - no secret
    return np.array([rng.getrandbits(62) for _ in range(count)], np.int64)


def best_opening(
    layouts: Endgame, order: Floats, settings: GuessSettings, shares: Floats
) -> tuple[int, bool]:
    """Return the index of the cell that wins the most layouts, and whether that is certain.

    Each cell is played greedily first; then cells are solved, those with the most wins first. `shares`
    receives the share of layouts that each cell wins: exact for the answer, an upper bound for other solved
    cells, a lower bound for cells that were only played.
    """
    cells, count, memory = layouts.cells, layouts.count, layouts.memory
    layouts.work = int(settings.played)
    played = memory.floats(cells, -1.0)
    chosen, best = -1, 0
    for c in range(cells):
        own = order[layouts.informative[c]]
        if own < 0.0:
            continue
        won = wins_after_opening(layouts, c, 0, count)
        if layouts.work < 0:
            return -1, False
        played[c] = won + 0.5 * own
        shares[c] = 1.0 * won / count  # 1.0: integers are divided as in C
        if won > best or (won == best and played[c] > played[chosen]):
            chosen, best = c, won
    marks = layout_marks(int(max(settings.layouts * settings.beyond, settings.closed)) + 1)
    layouts.marks, layouts.slots = memory.copy_ints(marks[:count]), FEWEST_SLOTS
    while layouts.slots < min(SLOTS_PER_LAYOUT * count, MOST_SLOTS):
        layouts.slots *= 2
    layouts.kept_mark, layouts.kept_wins = memory.ints(layouts.slots, 0), memory.ints(layouts.slots, 0)
    layouts.work = int(settings.work)
    while True:
        c = lookahead.highest(played, cells)
        if played[c] < 0.0:
            return chosen, True
        played[c] = -1.0
        won = wins_with(layouts, c, 0, count, count, best, True)
        if layouts.work < 0:
            return chosen, False
        shares[c] = 1.0 * won / count
        if won > best:
            chosen, best = c, won


def solve_exactly(layouts: Endgame, begin: int, end: int, free: int, need: int) -> int:
    """Return how many layouts of stack[begin:end] the best play wins. The stack is unused from `free` on.

    The answer is exact if it is greater than `need`; otherwise it is an upper bound that is at most `need`.
    Without remaining work it is meaningless.
    """
    memory, count = layouts.memory, end - begin
    mark = 0
    for i in range(begin, end):
        mark ^= layouts.marks[layouts.stack[i]]
    slot = (mark ^ mark >> 20 ^ mark >> 41) & (layouts.slots - 1)
    if layouts.kept_mark[slot] == mark:
        known = layouts.kept_wins[slot]
        if known >= 0:
            return known
        if -known - 1 <= need:
            return -known - 1
    fill = memory.mark()
    cells, hopes = memory.ints(layouts.cells, 0), memory.ints(layouts.cells, 0)
    worth, most = list_cells(layouts, begin, end, cells, hopes)
    if most <= max(need, 1):  # 1: no cell is informative, and one layout can be won
        if most < count or layouts.kept_mark[slot] == 0:
            layouts.kept_mark[slot] = mark
            layouts.kept_wins[slot] = 1 if most == 1 else -most - 1
        memory.release(fill)
        return most
    best = max(need, 0)
    is_exact: bool = False
    for at in range(worth):  # in large sets all cells are bounded before one of them is tried
        if count >= RANKED and most < count and hopes[at] > best and layouts.work >= 0:
            hopes[at] = wins_with(layouts, cells[at], begin, end, free, best, False)
    while layouts.work >= 0:
        at = 0
        for t in range(1, worth):
            if hopes[t] > hopes[at]:
                at = t
        if hopes[at] <= best:
            break
        won = wins_with(layouts, cells[at], begin, end, free, best, True)
        hopes[at] = -1
        if won > best:
            best, is_exact = won, True
    layouts.kept_mark[slot] = mark
    layouts.kept_wins[slot] = best if is_exact else -best - 1
    memory.release(fill)
    return best


def list_cells(layouts: Endgame, begin: int, end: int, cells: Ints, hopes: Ints) -> tuple[int, int]:
    """List the cells worth trying, and in how many layouts each is safe; return how many, and the maximum."""
    count = end - begin
    layouts.work -= layouts.cells * count
    cells[0], hopes[0] = summarize(layouts, begin, end), count
    if cells[0] >= 0:  # opening it costs nothing, so it is opened first
        return 1, count
    worth, most = 0, 1
    for c in range(layouts.cells):
        if lane(layouts.spread, c):
            cells[worth], hopes[worth] = c, count - lane(layouts.mines, c)
            most = max(most, hopes[worth])
            worth += 1
    return worth, most


def wins_with(layouts: Endgame, cell: int, begin: int, end: int, free: int, best: int, is_tried: bool) -> int:
    """Return an upper bound on the wins in stack[begin:end] if `cell` is opened; it may be at most `best`.

    It is exact if `is_tried` and it is greater than `best`. The bound is the sum over the groups of layouts
    with equal numbers: first it is improved by a quick look at each, then each is solved.
    """
    memory = layouts.memory
    fill = memory.mark()
    ends, lost = memory.ints(MINE + 1, 0), memory.ints(MINE, 0)
    hoped = partition(layouts, cell, begin, end, free, ends)
    behind = free + end - begin
    for is_solving in range(2 if is_tried else 1):
        start = free
        for v in range(MINE):
            size = ends[v] - start
            if size > 1 and hoped > best and layouts.work >= 0:
                hoped += lost[v]
                need = best - (hoped - size) if is_solving else size
                lost[v] = size - solve_exactly(layouts, start, ends[v], behind, need)
                hoped -= lost[v]
            start = ends[v]
    memory.release(fill)
    return hoped
