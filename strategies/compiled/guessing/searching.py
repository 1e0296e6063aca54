"""A depth-first search of all moves and answers: in how many layouts the best play wins.

A cell is not tried when the layouts in which it is safe, or those that can be won at most of what its numbers
leave, are no more than another cell is sure to win. The search has a stack of its own: numba cannot keep
functions that call each other in a circle.
"""

from __future__ import annotations

from typing import NamedTuple

from strategies.compiled.guessing.listing import MINE
from strategies.compiled.guessing.playing import Layouts, is_informative, lane, part, sum_up
from strategies.compiled.tables import Ints, Words

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


class Search(NamedTuple):
    """A search among layouts; sets of them are distinguished by the exclusive or of their `marks`.

    Of each set that is `kept`: its mark, how many are won, or -1 less how many at most. `notes` have a row
    for each depth, `sums` two.
    """

    layouts: Layouts
    marks: Ints
    kept: Ints
    notes: Ints
    sums: Words


def solve(search: Search, top: int) -> int:
    """In how many layouts of the set in row `top` of the notes the best play wins, each being equally likely.

    The answer is exact when it is above the best that the row has; else it is some number that is no less
    than the truth and not above that: when that is the number of all its layouts, what one look shows. When
    no work is left, it is worthless.
    """
    depth, work = top, search.layouts.work
    answer = first_look(search, depth)
    while work[0] >= 0 and (answer < 0 or depth > top):
        if answer >= 0:  # of a group of the cell at hand, one depth above
            depth -= 1
            lose(search.notes, depth, answer)
        if next_group(search.notes, depth):
            depth += 1
            answer = first_look(search, depth)
        elif next_cell(search, depth):
            answer = -1
        else:
            answer = keep(search, depth)
    return answer


def first_look(search: Search, depth: int) -> int:
    """What `solve` answers, when that is known already or one look shows it; -1 else: the search begins."""
    notes, kept = search.notes, search.kept
    begin, end, need = notes[depth, BEGIN], notes[depth, END], notes[depth, BEST]
    count = end - begin
    mark = 0
    for i in range(begin, end):
        mark ^= search.marks[search.layouts.stack[i]]
    place = place_of(kept, mark)
    if kept[place, KEPT_MARK] == mark:
        known = kept[place, KEPT_WINS]
        if known >= 0:
            return int(known)
        if -known - 1 <= need:
            return int(-known - 1)
    worth, most = list_cells(search, depth)
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


def list_cells(search: Search, depth: int) -> tuple[int, int]:
    """Note the cells worth trying; how many there are, and the most layouts in which one of them is safe."""
    notes, sums, row = search.notes, search.sums, 2 * depth
    begin, end, cells = notes[depth, BEGIN], notes[depth, END], len(search.layouts.shown)
    count = end - begin
    search.layouts.work[0] -= cells * count
    sum_up(search.layouts, begin, end, sums, row)
    worth, most = 0, 1
    for c in range(cells):
        if not is_informative(sums, row, c):
            continue
        safe = count - lane(sums, row + 1, c)
        most = max(most, safe)
        if safe == count:  # opening it costs nothing: whatever else is opened, it is too
            worth = 0
        notes[depth, CELLS + worth] = c
        notes[depth, CELLS + cells + worth] = safe
        worth += 1
        if safe == count:
            break
    return worth, most


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


def next_cell(search: Search, depth: int) -> bool:
    """Be done with the cell at hand and turn to the next; False when none can be better than the best.

    All are bounded first; then the most promising one is tried, and the next.
    """
    notes = search.notes
    hopes = CELLS + len(search.layouts.shown)
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
    take(search, depth, notes[depth, CELLS + at], is_tried)
    return True


def take(search: Search, depth: int, cell: int, is_tried: bool) -> None:
    """Part a set by the number that `cell` shows."""
    notes = search.notes
    begin, end, free = notes[depth, BEGIN], notes[depth, END], notes[depth, FREE]
    notes[depth, HOPED] = part(search.layouts, cell, begin, end, free, notes, depth, ENDS)
    notes[depth, BEHIND] = free + end - begin
    notes[depth, IS_TRIED], notes[depth, IS_SOLVING] = is_tried, 0
    notes[depth, NUMBER], notes[depth, START] = 0, free
    for v in range(MINE):
        notes[depth, LOST + v] = 0


def keep(search: Search, depth: int) -> int:
    """Keep what was found out of a set, and answer with it."""
    kept, notes = search.kept, search.notes
    mark, best = notes[depth, MARK], notes[depth, BEST]
    place = place_of(kept, mark)
    kept[place, KEPT_MARK] = mark
    kept[place, KEPT_WINS] = best if notes[depth, IS_EXACT] else -best - 1
    return int(best)


def place_of(kept: Ints, mark: int) -> int:
    """Where a set is kept."""
    return int((mark ^ mark >> 20 ^ mark >> 41) & (len(kept) - 1))
