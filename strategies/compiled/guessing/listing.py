"""Every layout of a position, and what each cell would show in each of them."""

from __future__ import annotations

import numpy as np

from strategies.compiled.tables import Bytes, Ints, Words

MOST_LAYOUTS = 32_000  # what a lane of a word can count
MINE = 15  # a mine, where the number of a safe cell would stand
LANES, LANE = 4, 16  # cells in a word, bits for each
ONE_EACH = 0x0001_0001_0001_0001  # one in each lane of a word


def list_layouts(
    cells: Ints,
    total_cells: int,
    counted: Ints,
    start: Ints,
    members: Ints,
    low: Ints,
    high: Ints,
    least: int,
    most: int,
    most_layouts: int,
    most_steps: int,
) -> tuple[int, Bytes]:
    """Every layout, as rows of 0 and 1 in the order of `cells`; -1 when there are more than allowed.

    `cells` are the cells to fill in, in the order in which they are tried; rules may only speak of these.
    """
    n = len(cells)
    rules = len(low)
    found = np.zeros((most_layouts, n), np.uint8)
    rule_of = np.zeros(total_cells + 1, np.int64)
    for t in range(len(members)):
        rule_of[members[t] + 1] += 1
    for k in range(total_cells):
        rule_of[k + 1] += rule_of[k]
    rules_of = np.empty(len(members), np.int64)
    fill = rule_of.copy()
    for r in range(rules):
        for t in range(start[r], start[r + 1]):
            rules_of[fill[members[t]]] = r
            fill[members[t]] += 1
    held = np.zeros(rules, np.int64)
    left = np.zeros(rules, np.int64)
    for r in range(rules):
        left[r] = start[r + 1] - start[r]
    mines = 0
    free = 0
    for t in range(n):
        free += counted[cells[t]]
    value = np.full(n, -1, np.int64)
    at, count, steps = 0, 0, 0
    while at >= 0:
        steps += 1
        if steps > most_steps:
            return -1, found
        if at == n:
            if count == most_layouts:
                return -1, found
            found[count, :] = value
            count += 1
            at -= 1
            continue
        k = cells[at]
        old = value[at]
        if old < 0:
            for t in range(rule_of[k], rule_of[k + 1]):
                left[rules_of[t]] -= 1
            free -= counted[k]
        elif old == 1:
            for t in range(rule_of[k], rule_of[k + 1]):
                held[rules_of[t]] -= 1
            mines -= counted[k]
        chosen = -1
        for v in range(old + 1, 2):
            fits = mines + v * counted[k] <= most and mines + v * counted[k] + free >= least
            for t in range(rule_of[k], rule_of[k + 1]):
                r = rules_of[t]
                if held[r] + v > high[r] or held[r] + v + left[r] < low[r]:
                    fits = False
                    break
            if fits:
                chosen = v
                break
        if chosen < 0:
            for t in range(rule_of[k], rule_of[k + 1]):
                left[rules_of[t]] += 1
            free += counted[k]
            value[at] = -1
            at -= 1
            continue
        if chosen == 1:
            for t in range(rule_of[k], rule_of[k + 1]):
                held[rules_of[t]] += 1
            mines += counted[k]
        value[at] = chosen
        at += 1
    return count, found


def values_of(
    layouts: Bytes, count: int, cells: Ints, openable: Ints, around_start: Ints, around: Ints
) -> tuple[Ints, Bytes]:
    """The cells that distinguish layouts and may be opened, and what each would show, a row for each of them.

    A column is a layout; `MINE` stands for a mine.
    """
    n = len(cells)
    place = np.full(len(openable), -1, np.int64)
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
                for u in range(around_start[k], around_start[k + 1]):
                    if place[around[u]] >= 0:
                        number += layouts[i, place[around[u]]]
                if first == MINE:
                    first = number
                differs = differs or number != first
            shown[fill, i] = number
        if differs and openable[k]:
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
