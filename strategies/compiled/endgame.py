"""The rest of the game, solved exactly when few layouts are left."""

from __future__ import annotations

import numpy as np

from strategies.compiled.tables import Ints

MINE = 15  # a mine, where the number of a safe cell would stand
KEPT = 1 << 16  # places of the table of solved sets


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
) -> tuple[int, Ints]:
    """Every layout, as rows of 0 and 1 in the order of `cells`; -1 when there are more than allowed.

    `cells` are the cells to fill in, in the order in which they are tried; rules may only speak of these.
    """
    n = len(cells)
    rules = len(low)
    found = np.zeros((most_layouts, n), np.int64)
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
    layouts: Ints, count: int, cells: Ints, total_cells: int, around_start: Ints, around: Ints
) -> Ints:
    """What each cell would show in each layout, a row for each cell; `MINE` for a mine."""
    n = len(cells)
    place = np.full(total_cells, -1, np.int64)
    for t in range(n):
        place[cells[t]] = t
    shown = np.zeros((n, count), np.int64)
    for t in range(n):
        k = cells[t]
        for i in range(count):
            if layouts[i, t]:
                shown[t, i] = MINE
        for u in range(around_start[k], around_start[k + 1]):
            other = place[around[u]]
            if other >= 0:
                for i in range(count):
                    if shown[t, i] != MINE:
                        shown[t, i] += layouts[i, other]
    return shown


def solve(
    shown: Ints,
    stack: Ints,
    begin: int,
    end: int,
    need: int,
    marks: Ints,
    kept_mark: Ints,
    kept_wins: Ints,
    work: Ints,
) -> int:
    """In how many of the layouts stack[begin:end] the best play wins, each being equally likely.

    The answer is exact when it is above `need`; else it is some number that is no less than the truth and not
    above `need`. `work` holds what may be spent yet (cells times layouts); below zero the answer is
    worthless.
    """
    count = end - begin
    if count <= 1:
        return count
    cells = len(shown)
    work[0] -= cells * count
    if work[0] < 0:
        return 0
    mark = 0
    for i in range(begin, end):
        mark ^= marks[stack[i]]
    place = (mark ^ mark >> 20 ^ mark >> 41) & (KEPT - 1)
    if kept_mark[place] == mark:
        known = kept_wins[place]
        if known >= 0:
            return int(known)
        if -known - 1 <= need:
            return int(-known - 1)
    # how often each cell is safe; whether the numbers that it shows then differ
    safe = np.zeros(cells, np.int64)
    tells = np.zeros(cells, np.int64)
    free = -1
    most = 0
    for c in range(cells):
        first, differ, mines = -1, 0, 0
        for i in range(begin, end):
            number = shown[c, stack[i]]
            if number == MINE:
                mines += 1
            elif first < 0:
                first = number
            elif number != first:
                differ = 1
        safe[c] = count - mines
        tells[c] = differ
        if mines == 0 and differ:
            free = c
            break
        if 0 < mines < count:
            most = max(most, safe[c])
    if free < 0 and most <= need:
        kept_mark[place] = mark
        kept_wins[place] = -most - 1
        return most
    if free < 0 and most == 0:
        # the layouts differ nowhere: impossible unless a cell is missing
        return 1
    best = need
    tried = 0
    is_exact = False
    while True:
        c = free
        if free < 0:
            for k in range(cells):
                if 0 < safe[k] < count and tells[k] and (c < 0 or safe[k] > safe[c]):
                    c = k
            if c < 0 and tried == 0:
                # no number tells anything any more: one layout is all that can be won
                return 1
            if c < 0 or safe[c] <= best:
                break
        tried += 1
        hoped = safe[c]
        # groups of equal numbers, copied behind this segment
        fill = end
        for number in range(9):
            group = fill
            for i in range(begin, end):
                if shown[c, stack[i]] == number:
                    stack[fill] = stack[i]
                    fill += 1
            size = fill - group
            if size > 1:
                wins = solve(
                    shown, stack, group, fill, best - (hoped - size), marks, kept_mark, kept_wins, work
                )
                if work[0] < 0:
                    return 0
                hoped -= size - wins
            fill = group
            if hoped <= best:
                break
        if hoped > best:
            best = hoped
            is_exact = True
        if free >= 0:
            best = max(hoped, 0)
            is_exact = hoped > need
            break
        safe[c] = 0
    kept_mark[place] = mark
    kept_wins[place] = best if is_exact else -best - 1
    return int(best)


def best_opening(shown: Ints, count: int, need: int, marks: Ints, most_work: int) -> tuple[int, int, int]:
    """The cell with which the most layouts are won, how many, and the work that is left.

    Less than 0 is left when it is too much. The cell is -1 when no more than `need` layouts can be won; their
    number is then no less than that of the layouts that are won. Cells whose number tells nothing are left
    out while another tells something. Of equal ones the first that is tried stays: safer ones come first.
    """
    cells = len(shown)
    safe = np.zeros(cells, np.int64)
    tells = np.zeros(cells, np.int64)
    stack = np.empty(count * (cells + 2), np.int64)
    for i in range(count):
        stack[i] = i
    for c in range(cells):
        first = -1
        for i in range(count):
            number = shown[c, i]
            if number != MINE:
                safe[c] += 1
                if first < 0:
                    first = number
                elif number != first:
                    tells[c] = 1
    kept_mark = np.zeros(KEPT, np.int64)
    kept_wins = np.zeros(KEPT, np.int64)
    work = np.full(1, most_work, np.int64)
    chosen, best = -1, need
    left = safe.copy()
    while True:
        c = -1
        for k in range(cells):
            if tells[k] and left[k] > 0 and (c < 0 or left[k] > left[c]):
                c = k
        if c < 0 or left[c] <= best:
            break
        hoped = left[c]
        left[c] = 0
        fill = count
        for number in range(9):
            group = fill
            for i in range(count):
                if shown[c, i] == number:
                    stack[fill] = i
                    fill += 1
            size = fill - group
            if size > 1:
                wins = solve(
                    shown, stack, group, fill, best - (hoped - size), marks, kept_mark, kept_wins, work
                )
                if work[0] < 0:
                    return -1, 0, -1
                hoped -= size - wins
            fill = group
            if hoped <= best:
                break
        if hoped > best:
            best, chosen = hoped, c
    if chosen < 0 and tells.max() == 0:
        # nothing tells anything: the safest cell, and one layout is won in the end
        for k in range(cells):
            if chosen < 0 or safe[k] > safe[chosen]:
                chosen = k
        best = 1
    return chosen, best, int(work[0])
