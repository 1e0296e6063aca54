"""The rest of the game, solved exactly when few layouts are left.

A depth-first search of all moves and answers. A cell is not tried when the layouts in which it is safe, or
those that can be won at most of what its numbers leave, are no more than another cell is sure to win. It has
a stack of its own: numba cannot keep functions that call each other in a circle.
"""

from __future__ import annotations

import numpy as np

from strategies.compiled.guessing.listing import MINE, packed
from strategies.compiled.guessing.playing import is_informative, lane, part, play_on, sum_up
from strategies.compiled.tables import Bytes, Floats, Ints, Words

LEAST_KEPT, MOST_KEPT = 1 << 12, 1 << 18  # places of the table of solved sets
FOR_EACH = 64  # places of it for each layout
RANKED = 100  # layouts; with so many and more all cells are bounded before one of them is tried
KEPT_MARK, KEPT_WINS = 0, 1  # columns of what is kept

# Columns of `notes`, a row for each depth of the search. Of a set of layouts: where it is on the stack, its
# mark, how many are won at least, and whether that is exact; the cells worth trying, and those bounded.
BEGIN, END, MARK, BEST, IS_EXACT, WORTH, BOUNDED = range(7)
# Of the cell at hand: which it is, whether it is tried or only bounded, how many can still be won with it;
# whether its groups are bounded or solved now, the number whose group is next, where that begins; where
# the stack is free for its groups, and behind them.
AT, IS_TRIED, HOPED, IS_SOLVING, NUMBER, START, FREE, BEHIND = range(7, 15)
# For each number: where its group ends, how many of it are lost for certain. Then the cells, and behind them
# how many of the layouts can be won with each at most.
ENDS, LOST, CELLS = 16, 32, 48


def best_opening(
    shown: Bytes, order: Floats, marks: Ints, most_played: int, most_solved: int, shares: Floats
) -> tuple[int, bool]:
    """The row of the cell with which the most layouts are won, and whether that is certain.

    Cells of which `order` is below 0 are left out. First each is played on from plainly, `most_played` (cells
    times layouts) allowing. The one that wins most is solved first, then the next; of equal ones that with
    the higher `order`. When `most_solved` (the same) is too little for it, the cell is the best as far as is
    known. It is -1 when nothing is. `shares` takes the share of the layouts that is won with the cell, a
    share no less for others that were solved, and no greater for those that were only played on from.
    """
    cells, count = shown.shape
    words = packed(shown)
    stack = np.empty(count * (cells + 4), np.int64)
    stack[:count] = np.arange(count)
    notes = np.zeros((cells + 3, CELLS + 2 * cells), np.int64)
    played = np.full(cells, -1.0, np.float64)
    work = np.full(1, most_played, np.int64)
    chosen, best = -1, 0
    for c in range(cells):
        if order[c] < 0.0:
            continue
        part(shown, c, stack, 0, count, count, notes, 0, ENDS)
        won, end = 0, notes[0, ENDS + MINE - 1]
        for v in range(MINE - 1, -1, -1):
            begin = notes[0, ENDS + v - 1] if v else count
            won += play_on(shown, words, stack, begin, end, work) if end - begin > 1 else end - begin
            end = begin
        if work[0] < 0:
            return -1, False
        played[c] = won + 0.5 * order[c]
        shares[c] = won / count
        if won > best or (won == best and played[c] > played[chosen]):
            chosen, best = c, won
    sums = np.empty((2 * cells + 6, words.shape[1]), np.uint64)
    places = LEAST_KEPT
    while places < min(FOR_EACH * count, MOST_KEPT):
        places *= 2
    kept = np.zeros((places, 2), np.int64)
    work[0] = most_solved
    notes[0, BEGIN], notes[0, END], notes[0, FREE], notes[0, BEST] = 0, count, count, best
    while played.max() >= 0.0:
        c = int(np.argmax(played))
        played[c] = -1.0
        take(shown, stack, notes, 0, c, True)
        while next_group(notes, 0):
            won = solve(shown, words, stack, marks, kept, work, sums, notes, 1)
            if work[0] < 0:
                return chosen, False
            lose(notes, 0, won)
        shares[c] = notes[0, HOPED] / count
        if notes[0, HOPED] > notes[0, BEST]:
            notes[0, BEST] = notes[0, HOPED]
            chosen = c
    return chosen, True


def solve(
    shown: Bytes, words: Words, stack: Ints, marks: Ints, kept: Ints, work: Ints, sums: Words, notes: Ints,
    top: int,
) -> int:  # fmt: skip
    """In how many layouts of the set in row `top` of the notes the best play wins, each being equally likely.

    The answer is exact when it is above the best that the row has; else it is some number that is no less
    than the truth and not above that: when that is the number of all its layouts, what one look shows.
    `shown` and `words` are what each cell shows in each layout, and the same packed. Sets are distinguished
    by the exclusive or of the `marks` of their layouts. Of each one that is `kept`: its mark, how many are
    won, or -1 less how many at most. `work` (cells times layouts) may be spent yet; when none is left, the
    answer is worthless. Two rows of `sums` are a depth.
    """
    depth = top
    answer = first_look(shown, words, stack, marks, kept, work, sums, notes, depth)
    while work[0] >= 0 and (answer < 0 or depth > top):
        if answer >= 0:  # of a group of the cell at hand, one depth above
            depth -= 1
            lose(notes, depth, answer)
        if next_group(notes, depth):
            depth += 1
            answer = first_look(shown, words, stack, marks, kept, work, sums, notes, depth)
        elif next_cell(shown, stack, notes, depth):
            answer = -1
        else:
            answer = keep(kept, notes, depth)
    return answer


def first_look(
    shown: Bytes, words: Words, stack: Ints, marks: Ints, kept: Ints, work: Ints, sums: Words, notes: Ints,
    depth: int,
) -> int:  # fmt: skip
    """What `solve` answers, when that is known already or one look shows it; -1 else: the search begins."""
    begin, end, need = notes[depth, BEGIN], notes[depth, END], notes[depth, BEST]
    count, cells = end - begin, len(shown)
    mark = 0
    for i in range(begin, end):
        mark ^= marks[stack[i]]
    place = place_of(kept, mark)
    if kept[place, KEPT_MARK] == mark:
        known = kept[place, KEPT_WINS]
        if known >= 0:
            return int(known)
        if -known - 1 <= need:
            return int(-known - 1)
    work[0] -= cells * count
    sum_up(words, stack, begin, end, sums, 2 * depth)
    worth, most = 0, 1
    for c in range(cells):
        if not is_informative(sums, 2 * depth, c):
            continue
        safe = count - lane(sums, 2 * depth + 1, c)
        most = max(most, safe)
        if safe == count:  # opening it costs nothing: whatever else is opened, it is too
            worth = 0
        notes[depth, CELLS + worth] = c
        notes[depth, CELLS + cells + worth] = safe
        worth += 1
        if safe == count:
            break
    if most <= max(need, 1):  # 1: nothing shows anything any more, and one layout is what can be won
        if most < count or kept[place, KEPT_MARK] == 0:
            kept[place, KEPT_MARK] = mark
            kept[place, KEPT_WINS] = 1 if most == 1 else -most - 1
        return most
    notes[depth, MARK], notes[depth, BEST], notes[depth, IS_EXACT] = mark, max(need, 0), 0
    notes[depth, WORTH] = worth
    notes[depth, BOUNDED] = worth if count < RANKED or most == count else 0
    notes[depth, FREE] = notes[depth, BEHIND]
    notes[depth, HOPED] = -1
    return -1


def next_group(notes: Ints, depth: int) -> bool:
    """Begin with the next group of the cell at hand; False when it is through, or not the best."""
    while notes[depth, HOPED] > notes[depth, BEST]:
        v, start = notes[depth, NUMBER], notes[depth, START]
        if v == MINE:
            if notes[depth, IS_SOLVING] == notes[depth, IS_TRIED]:
                return False
            notes[depth, IS_SOLVING], notes[depth, NUMBER], notes[depth, START] = 1, 0, notes[depth, FREE]
            continue
        size = notes[depth, ENDS + v] - start
        if size > 1:
            notes[depth, HOPED] += notes[depth, LOST + v]
            notes[depth + 1, BEGIN], notes[depth + 1, END] = start, start + size
            notes[depth + 1, BEHIND] = notes[depth, BEHIND]
            notes[depth + 1, BEST] = size
            if notes[depth, IS_SOLVING]:
                notes[depth + 1, BEST] = notes[depth, BEST] - (notes[depth, HOPED] - size)
            return True
        notes[depth, START] += size
        notes[depth, NUMBER] += 1
    return False


def lose(notes: Ints, depth: int, won: int) -> None:
    """Of the group that was begun no more are won than so many."""
    v = notes[depth, NUMBER]
    lost = notes[depth, ENDS + v] - notes[depth, START] - won
    notes[depth, LOST + v] = lost
    notes[depth, HOPED] -= lost
    notes[depth, START] = notes[depth, ENDS + v]
    notes[depth, NUMBER] += 1


def next_cell(shown: Bytes, stack: Ints, notes: Ints, depth: int) -> bool:
    """Be done with the cell at hand and turn to the next; False when none can be better than the best.

    All are bounded first; then the most promising one is tried, and the next.
    """
    hopes = CELLS + len(shown)
    if notes[depth, HOPED] >= 0:
        notes[depth, hopes + notes[depth, AT]] = -1 if notes[depth, IS_TRIED] else notes[depth, HOPED]
        if notes[depth, IS_TRIED] and notes[depth, HOPED] > notes[depth, BEST]:
            notes[depth, BEST], notes[depth, IS_EXACT] = notes[depth, HOPED], 1
    at = notes[depth, BOUNDED]
    while at < notes[depth, WORTH] and notes[depth, hopes + at] <= notes[depth, BEST]:
        at += 1
    is_tried = at == notes[depth, WORTH]
    notes[depth, BOUNDED] = at if is_tried else at + 1
    if is_tried:
        at = 0
        for t in range(1, notes[depth, WORTH]):
            if notes[depth, hopes + t] > notes[depth, hopes + at]:
                at = t
        if notes[depth, hopes + at] <= notes[depth, BEST]:
            return False
    notes[depth, AT] = at
    take(shown, stack, notes, depth, notes[depth, CELLS + at], is_tried)
    return True


def take(shown: Bytes, stack: Ints, notes: Ints, depth: int, cell: int, is_tried: bool) -> None:
    """Part a set by the number that `cell` shows."""
    begin, end, free = notes[depth, BEGIN], notes[depth, END], notes[depth, FREE]
    notes[depth, HOPED] = part(shown, cell, stack, begin, end, free, notes, depth, ENDS)
    notes[depth, BEHIND] = free + end - begin
    notes[depth, IS_TRIED], notes[depth, IS_SOLVING] = is_tried, 0
    notes[depth, NUMBER], notes[depth, START] = 0, free
    for v in range(MINE):
        notes[depth, LOST + v] = 0


def keep(kept: Ints, notes: Ints, depth: int) -> int:
    """Keep what was found out of a set, and answer with it."""
    mark, best = notes[depth, MARK], notes[depth, BEST]
    place = place_of(kept, mark)
    kept[place, KEPT_MARK] = mark
    kept[place, KEPT_WINS] = best if notes[depth, IS_EXACT] else -best - 1
    return int(best)


def place_of(kept: Ints, mark: int) -> int:
    """Where a set is kept."""
    return int((mark ^ mark >> 20 ^ mark >> 41) & (len(kept) - 1))
