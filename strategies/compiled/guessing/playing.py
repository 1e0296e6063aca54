"""Sets of layouts: what their cells show, parted by that, and won by plain play."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from strategies.compiled.guessing.listing import LANE, LANES, MINE, ONE_EACH
from strategies.compiled.tables import Bytes, Ints, Words

LANE_BITS = (1 << LANE) - 1
NUMBERS = (1 << MINE) - 1  # the bits of a lane that stand for numbers


class Layouts(NamedTuple):
    """Layouts: what each cell shows in each (`shown`), the same packed (`words`).

    Sets of them are what stands on the `stack` from one place to another. `work[0]` is how much (cells times
    layouts) may be spent yet.
    """

    shown: Bytes
    words: Words
    stack: Ints
    work: Ints


def sum_up(layouts: Layouts, begin: int, end: int, sums: Words, row: int) -> None:
    """Of the layouts stack[begin:end]: the numbers that the cells show, in how many they are mines.

    Two rows of `sums`, packed as `words` are.
    """
    words, stack = layouts.words, layouts.stack
    for w in range(words.shape[1]):
        numbers, mines = np.uint64(0), np.uint64(0)
        for i in range(begin, end):
            word = words[stack[i], w]
            numbers |= word
            mines += (word >> np.uint64(MINE)) & np.uint64(ONE_EACH)
        sums[row, w] = numbers
        sums[row + 1, w] = mines


def lane(sums: Words, row: int, cell: int) -> int:
    """The bits of a cell."""
    return int(sums[row, cell // LANES] >> np.uint64(cell % LANES * LANE)) & LANE_BITS


def is_informative(sums: Words, row: int, cell: int) -> bool:
    """Whether a cell shows two numbers or more."""
    numbers = lane(sums, row, cell) & NUMBERS
    return numbers & (numbers - 1) != 0


def part(
    layouts: Layouts, cell: int, begin: int, end: int, free: int, notes: Ints, row: int, column: int
) -> int:
    """Copy the layouts stack[begin:end] to stack[free:], by what `cell` shows; in how many it is safe.

    Those in which it is a mine are the last. From `column` on a row of `notes` takes where the layouts of
    each number end.
    """
    shown, stack = layouts.shown, layouts.stack
    for v in range(MINE + 1):
        notes[row, column + v] = 0
    for i in range(begin, end):
        notes[row, column + shown[cell, stack[i]]] += 1
    fill = free
    for v in range(MINE + 1):
        size = notes[row, column + v]
        notes[row, column + v] = fill
        fill += size
    for i in range(begin, end):
        v = column + shown[cell, stack[i]]
        stack[notes[row, v]] = stack[i]
        notes[row, v] += 1
    return int(notes[row, column + MINE - 1] - free)


def play_on(layouts: Layouts, begin: int, end: int) -> int:
    """How many of stack[begin:end] are won by opening the safest cell that shows anything, and so on.

    The best play wins no fewer. The stack from `begin` on is used. The answer is worthless when no work is
    left.
    """
    stack, work, cells = layouts.stack, layouts.work, len(layouts.shown)
    sets = np.empty((end - begin + 2, 2), np.int64)  # those that wait, the last ones first
    sets[0, 0], sets[0, 1] = begin, end
    ends = np.empty((1, MINE + 1), np.int64)
    sums = np.empty((2, layouts.words.shape[1]), np.uint64)
    waiting, won = 1, 0
    while waiting:
        waiting -= 1
        first, last = sets[waiting, 0], sets[waiting, 1]
        count = last - first
        work[0] -= cells * count
        if work[0] < 0:
            return 0
        sum_up(layouts, first, last, sums, 0)
        safest, fewest = -1, count
        for c in range(cells):
            if is_informative(sums, 0, c) and lane(sums, 1, c) < fewest:
                safest, fewest = c, lane(sums, 1, c)
        if safest < 0:  # nothing shows anything any more
            won += 1
            continue
        safe = part(layouts, safest, first, last, last, ends, 0, 0)
        for i in range(safe):
            stack[first + i] = stack[last + i]
        fill = first
        for v in range(MINE):
            size = ends[0, v] - count - fill
            if size == 1:
                won += 1
            elif size > 1:
                sets[waiting, 0], sets[waiting, 1] = fill, fill + size
                waiting += 1
            fill += size
    return won
