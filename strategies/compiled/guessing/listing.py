"""Every layout of a position, and what each cell would show in each of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from strategies.compiled.field import Field
from strategies.compiled.tables import Bytes, Ints, Words

MOST_LAYOUTS = 32_000  # what a lane of a word can count
MINE = 15  # a mine, where the number of a safe cell would stand
LANES, LANE = 4, 16  # cells in a word, bits for each
ONE_EACH = 0x0001_0001_0001_0001  # one in each lane of a word


class RuleCounts(NamedTuple):
    """Cells filled in one by one: the rules of cell k are `rules[start[k]:start[k + 1]]`.

    Of each rule: how many mines it has been given (`held`), how many of its cells are `left`.
    """

    start: Ints
    rules: Ints
    held: Ints
    left: Ints


def list_layouts(
    field: Field, cells: Ints, counted: Ints, most_layouts: int, most_steps: int
) -> tuple[int, Bytes]:
    """Every layout, as rows of 0 and 1 in the order of `cells`; -1 when there are more than allowed.

    `cells` are the cells to fill in, in the order in which they are tried; rules may only speak of these.
    """
    found = np.zeros((most_layouts, len(cells)), np.uint8)
    value = np.full(len(cells), -1, np.int64)
    return fill_in(field, counts_of(field), cells, counted, most_steps, value, found), found


def fill_in(
    field: Field, counts: RuleCounts, cells: Ints, counted: Ints, most_steps: int, value: Ints, found: Bytes
) -> int:
    """Fill in what was `found`; how many, -1 when there is no room or there were too many steps."""
    n, most_layouts = len(cells), len(found)
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
                found[count, t] = value[t]
            count += 1
            at -= 1
            continue
        k = cells[at]
        if value[at] < 0:
            change(counts.left, counts, k, -1)
            free -= counted[k]
        elif value[at] == 1:
            change(counts.held, counts, k, -1)
            mines -= counted[k]
        chosen = -1
        for v in range(value[at] + 1, 2):
            held = mines + v * counted[k]
            if held <= field.most and held + free >= field.least and has_room(field, counts, k, v):
                chosen = v
                break
        value[at] = chosen
        if chosen < 0:
            change(counts.left, counts, k, 1)
            free += counted[k]
            at -= 1
            continue
        if chosen == 1:
            change(counts.held, counts, k, 1)
            mines += counted[k]
        at += 1
    return count


def counts_of(field: Field) -> RuleCounts:
    """No cell is filled in."""
    members, rules = field.members, len(field.low)
    start = np.zeros(len(field.openable) + 1, np.int64)
    for t in range(len(members)):
        start[members[t] + 1] += 1
    for k in range(len(field.openable)):
        start[k + 1] += start[k]
    rules_of = np.empty(len(members), np.int64)
    fill = start.copy()
    for r in range(rules):
        for t in range(field.start[r], field.start[r + 1]):
            rules_of[fill[members[t]]] = r
            fill[members[t]] += 1
    return RuleCounts(start, rules_of, np.zeros(rules, np.int64), field.start[1:] - field.start[:-1])


def change(numbers: Ints, counts: RuleCounts, cell: int, by: int) -> None:
    """Add to the number of each rule of a cell."""
    for t in range(counts.start[cell], counts.start[cell + 1]):
        numbers[counts.rules[t]] += by


def has_room(field: Field, counts: RuleCounts, cell: int, value: int) -> bool:
    """Whether every rule of a cell can still hold when it is filled in so."""
    for t in range(counts.start[cell], counts.start[cell + 1]):
        r = counts.rules[t]
        held = counts.held[r] + value
        if held > field.high[r] or held + counts.left[r] < field.low[r]:
            return False
    return True


def values_of(layouts: Bytes, count: int, cells: Ints, field: Field) -> tuple[Ints, Bytes]:
    """The cells that distinguish layouts and may be opened, and what each would show, a row for each of them.

    A column is a layout; `MINE` stands for a mine.
    """
    n = len(cells)
    place = np.full(len(field.openable), -1, np.int64)
    for t in range(n):
        place[cells[t]] = t
    informative = np.empty(n, np.int64)
    shown = np.zeros((n, count), np.uint8)
    fill = 0
    for t in range(n):
        k = cells[t]
        first, differs = MINE, False
        for i in range(count):
            number = MINE
            if layouts[i, t] == 0:
                number = 0
                for u in range(field.around_start[k], field.around_start[k + 1]):
                    if place[field.around[u]] >= 0:
                        number += layouts[i, place[field.around[u]]]
                if first == MINE:
                    first = number
                differs = differs or number != first
            shown[fill, i] = number
        if differs and field.openable[k]:
            informative[fill] = k
            fill += 1
    return informative[:fill], shown[:fill]


def packed(shown: Bytes) -> Words:
    """A row of words for each layout: each word has 16 bits for each of four cells, that of its number set.

    So a set of layouts is summed up by a few operations for each word of a layout: the numbers that a cell
    shows somewhere by *or*, and in how many it is a mine, its highest bit, by adding that up.
    """
    cells, count = shown.shape
    words = np.zeros((count, (cells + LANES - 1) // LANES), np.uint64)
    for c in range(cells):
        for i in range(count):
            words[i, c // LANES] |= np.uint64(1) << np.uint64(LANE * (c % LANES) + shown[c, i])
    return words
