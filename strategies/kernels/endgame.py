"""Solve the rest of a game exactly: a depth-first search of all moves and answers.

A cell is not tried if its upper bound on wins is at most the wins of another cell. Two bounds are used: the
layouts in which the cell is safe, and the wins that are possible after each of its numbers. The search has
its own stack, because it may be deep.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random

import numpy as np

from strategies.kernels import layout_list, lookahead
from strategies.kernels.arrays import PositionArrays
from strategies.kernels.layout_list import LayoutSet
from strategies.kernels.lookahead import CellFigures
from strategies.kernels.memory import Memory
from strategies.kernels.settings import MAX_LAYOUTS, MINE, Floats, GuessSettings, Ints

MAX_STEPS = 100  # cells filled in per listed layout
RANKED = 100  # layouts; from this size on all cells are bounded before one of them is tried
FEWEST_SLOTS, MOST_SLOTS = 1 << 12, 1 << 18  # slots of the table of solved sets
SLOTS_PER_LAYOUT = 64


class LayoutMarks:
    """Random numbers: the exclusive or of the marks of its layouts identifies a set of layouts."""

    values: Ints
    memory: Memory


@lru_cache(maxsize=8)
def layout_marks(count: int) -> LayoutMarks:
    """Return the marks of `count` layouts, always the same ones."""
    rng = Random(count)  # noqa: S311 - no secret
    marks = LayoutMarks()
    marks.memory = Memory()
    marks.values = marks.memory.copy_ints(np.array([rng.getrandbits(62) for _ in range(count)], np.int64))
    return marks


class SearchFrame:
    """One depth of the search: a set of layouts, and the cell that is tried.

    The set: `begin` to `end` on the stack, its mark, how many are won at least (`best`), whether that
    `is_exact`, the number of cells worth trying (`worth`) and of those already `bounded`. `cells` are the
    cells worth trying, `hopes` how many layouts can be won with each at most.

    The cell: `at` is its index; `is_tried` or only bounded; `hoped` layouts can still be won. Its groups, one
    per number, are bounded or solved (`is_solving`). The group of `number` begins at `start`. The stack is
    `free` for its groups, and unused from `behind` on. `ends[v]` is the end of a group, `lost[v]` how many of
    it are certainly lost.
    """

    begin: int
    end: int
    mark: int
    best: int
    is_exact: bool
    worth: int
    bounded: int
    at: int
    is_tried: bool
    hoped: int
    is_solving: bool
    number: int
    start: int
    free: int
    behind: int
    ends: Ints
    lost: Ints
    cells: Ints
    hopes: Ints
    numbers: Ints
    mines: Ints


class EndgameSearch:
    """A search. Its table contains the marks of solved sets, and their wins or -1 less an upper bound."""

    layouts: LayoutSet
    marks: LayoutMarks
    slots: int
    kept_mark: Ints
    kept_wins: Ints
    frames: list[SearchFrame]


def make_search(layouts: LayoutSet, marks: LayoutMarks, memory: Memory) -> EndgameSearch:
    """Return a search without frames."""
    search = EndgameSearch()
    search.layouts, search.marks = layouts, marks
    slots = FEWEST_SLOTS
    while slots < min(SLOTS_PER_LAYOUT * layouts.count, MOST_SLOTS):
        slots *= 2
    search.slots = slots
    search.kept_mark, search.kept_wins = memory.ints(slots, 0), memory.ints(slots, 0)
    search.frames = []
    return search


def add_frame(search: EndgameSearch, memory: Memory) -> SearchFrame:
    """Add a frame for the next depth."""
    layouts, frame = search.layouts, SearchFrame()
    frame.ends, frame.lost = memory.ints(MINE + 1, 0), memory.ints(MINE + 1, 0)
    frame.cells, frame.hopes = memory.ints(layouts.cells, 0), memory.ints(layouts.cells, 0)
    frame.numbers, frame.mines = memory.words(layouts.width), memory.words(layouts.width)
    frame.hoped, frame.is_exact, frame.mark = -1, False, 0
    search.frames.append(frame)
    return frame


def solve_endgame(
    position: PositionArrays,
    most_layouts: float,
    order: Floats,
    settings: GuessSettings,
    memory: Memory,
    figures: CellFigures,
) -> tuple[int, bool]:
    """Return the cell that wins the most layouts, or -1, and whether that is certain.

    Cells with a negative `order` are not tried, unless no other cell is informative; of equal cells the one
    with the higher `order` is better. If the work is not sufficient, the answer is the best cell known so
    far.

    The score of the cell becomes its probability to win; if it is not certain, a lower bound. Other scores
    only rank cells: upper bounds for solved cells, lower bounds for cells that were played greedily.
    """
    rows, cells = position.rows, position.cells
    counted = memory.ints(cells, 1)
    filled, seen = memory.empty_ints(cells), memory.ints(cells, 0)
    for k in range(position.bound):
        counted[k] = position.counted[k]
    fill = 0
    for t in range(rows.start[rows.count]):
        if not seen[rows.members[t]]:
            seen[rows.members[t]] = 1
            filled[fill] = rows.members[t]
            fill += 1
    for k in range(cells):
        if not seen[k]:
            filled[fill] = k
            fill += 1
        if position.around_start[k + 1] - position.around_start[k] >= MINE:
            return -1, False
    most = min(int(most_layouts), MAX_LAYOUTS) + 1
    found = memory.octets(most * cells)
    count = layout_list.enumerate_into(position, filled, counted, most, MAX_STEPS * most, found, memory)
    if count <= 0:
        return -1, False
    shown = memory.octets((cells + 1) * count)
    informative, length = layout_list.cell_values(found, count, filled, position, shown, memory)
    if length == 0:  # in the end one layout is won; the safest cell first
        safest = 0
        for k in range(1, cells):
            if position.openable[k] * figures.safe[k] > position.openable[safest] * figures.safe[safest]:
                safest = k
        figures.score[safest] = 1.0 / count
        return safest, position.openable[safest] > 0
    own_order, highest = memory.floats(length, 0.0), -1.0
    for c in range(length):
        own_order[c] = order[informative[c]]
        highest = max(highest, own_order[c])
    for c in range(length):
        if highest < 0.0:
            own_order[c] = figures.safe[informative[c]]
    shares = memory.floats(length, -1.0)
    layouts = layout_list.make_layout_set(shown, length, count, memory)
    chosen, is_certain = best_opening(layouts, own_order, settings, memory, shares)
    if chosen < 0:
        return -1, False
    for k in range(cells):
        figures.score[k] = -1.0
    for c in range(length):
        figures.score[informative[c]] = shares[c]
    return informative[chosen], is_certain


def best_opening(
    layouts: LayoutSet, order: Floats, settings: GuessSettings, memory: Memory, shares: Floats
) -> tuple[int, bool]:
    """Return the index of the cell that wins the most layouts, and whether that is certain.

    Each cell is played greedily first; then cells are solved, those with the most wins first. `shares`
    receives the share of layouts that each cell wins: exact for the answer, an upper bound for other solved
    cells, a lower bound for cells that were only played.
    """
    cells, count = layouts.cells, layouts.count
    marks = layout_marks(int(max(settings.layouts * settings.beyond, settings.closed)) + 1)
    search = make_search(layouts, marks, memory)
    for _ in range(cells + 3):
        add_frame(search, memory)
    top = search.frames[0]
    layouts.work = int(settings.played)
    played = memory.floats(cells, -1.0)
    chosen, best = -1, 0
    for c in range(cells):
        if order[c] < 0.0:
            continue
        won = wins_after_opening(layouts, c, top.ends, memory)
        if layouts.work < 0:
            return -1, False
        played[c] = won + 0.5 * order[c]
        shares[c] = 1.0 * won / count  # 1.0: integers are divided as in C
        if won > best or (won == best and played[c] > played[chosen]):
            chosen, best = c, won
    layouts.work = int(settings.work)
    top.begin, top.end, top.free, top.best = 0, count, count, best
    while True:
        c = lookahead.highest(played, cells)
        if played[c] < 0.0:
            return chosen, True
        played[c] = -1.0
        enter_group(search, top, c, True)
        while next_group(search, 0):
            won = solve_exactly(search, 1)
            if layouts.work < 0:
                return chosen, False
            bound_group(top, won)
        shares[c] = 1.0 * top.hoped / count
        if top.hoped > top.best:
            top.best = top.hoped
            chosen = c


def wins_after_opening(layouts: LayoutSet, cell: int, ends: Ints, memory: Memory) -> int:
    """Return how many layouts are won by opening this cell and then playing greedily."""
    count = layouts.count
    layout_list.partition(layouts, cell, 0, count, count, ends)
    won, end = 0, ends[MINE - 1]
    for v in range(MINE - 1, -1, -1):
        begin = ends[v - 1] if v else count
        won += layout_list.greedy_wins(layouts, begin, end, memory) if end - begin > 1 else end - begin
        end = begin
    return won


def solve_exactly(search: EndgameSearch, top: int) -> int:
    """Return how many layouts of the set at depth `top` the best play wins.

    The answer is exact if it is greater than `best` of that frame; otherwise it is an upper bound that is at
    most `best`. Without remaining work it is meaningless.
    """
    depth, layouts = top, search.layouts
    answer = try_shortcut(search, depth)
    while layouts.work >= 0 and (answer < 0 or depth > top):
        if answer >= 0:  # for a group of the cell one depth above
            depth -= 1
            bound_group(search.frames[depth], answer)
        if next_group(search, depth):
            depth += 1
            answer = try_shortcut(search, depth)
        elif next_cell(search, depth):
            answer = -1
        else:
            answer = store_result(search, depth)
    return answer


def try_shortcut(search: EndgameSearch, depth: int) -> int:
    """Return the answer of `solve_exactly` if it is stored or obvious; otherwise -1, and begin the search."""
    frame = search.frames[depth]
    need, count = frame.best, frame.end - frame.begin
    stack, marks = search.layouts.stack, search.marks.values
    mark = 0
    for i in range(frame.begin, frame.end):
        mark ^= marks[stack[i]]
    slot = slot_of(search, mark)
    if search.kept_mark[slot] == mark:
        known = search.kept_wins[slot]
        if known >= 0:
            return known
        if -known - 1 <= need:
            return -known - 1
    most = list_cells(search, frame)
    if most <= max(need, 1):  # 1: no cell is informative, and one layout can be won
        if most < count or search.kept_mark[slot] == 0:
            search.kept_mark[slot] = mark
            search.kept_wins[slot] = 1 if most == 1 else -most - 1
        return most
    frame.mark, frame.best, frame.is_exact = mark, max(need, 0), False
    frame.bounded = frame.worth if count < RANKED or most == count else 0
    frame.free = frame.behind
    frame.hoped = -1
    return -1


def list_cells(search: EndgameSearch, frame: SearchFrame) -> int:
    """Fill in the cells worth trying; return the most layouts in which one of them is safe."""
    layouts = search.layouts
    count = frame.end - frame.begin
    layouts.work -= layouts.cells * count
    layout_list.summarize(layouts, frame.begin, frame.end, frame.numbers, frame.mines)
    worth, most = 0, 1
    for c in range(layouts.cells):
        if not layout_list.is_informative(frame.numbers, c):
            continue
        safe = count - layout_list.lane_bits(frame.mines, c)
        most = max(most, safe)
        if safe == count:  # opening it costs nothing, so it is opened first
            worth = 0
        frame.cells[worth] = c
        frame.hopes[worth] = safe
        worth += 1
        if safe == count:
            break
    frame.worth = worth
    return most


def next_group(search: EndgameSearch, depth: int) -> bool:
    """Begin the next group of the cell; return False if there is none or the cell cannot be the best."""
    frame = search.frames[depth]
    while frame.hoped > frame.best:
        v = frame.number
        if v == MINE:
            if frame.is_solving == frame.is_tried:
                return False
            frame.is_solving, frame.number, frame.start = True, 0, frame.free
            continue
        size = frame.ends[v] - frame.start
        if size > 1:
            frame.hoped += frame.lost[v]
            below = search.frames[depth + 1]
            below.begin, below.end, below.behind = frame.start, frame.start + size, frame.behind
            below.best = frame.best - (frame.hoped - size) if frame.is_solving else size
            return True
        frame.start += size
        frame.number += 1
    return False


def bound_group(frame: SearchFrame, won: int) -> None:
    """Record an upper bound on the wins in the current group, and go to the next."""
    v = frame.number
    lost = frame.ends[v] - frame.start - won
    frame.lost[v] = lost
    frame.hoped -= lost
    frame.start = frame.ends[v]
    frame.number += 1


def next_cell(search: EndgameSearch, depth: int) -> bool:
    """Finish the cell and begin the next one; return False if no cell can be better than the best.

    All cells are bounded first; then the most promising cell is tried.
    """
    frame = search.frames[depth]
    if frame.hoped >= 0:
        frame.hopes[frame.at] = -1 if frame.is_tried else frame.hoped
        if frame.is_tried and frame.hoped > frame.best:
            frame.best, frame.is_exact = frame.hoped, True
    at = frame.bounded
    while at < frame.worth and frame.hopes[at] <= frame.best:
        at += 1
    is_tried = at == frame.worth
    frame.bounded = at if is_tried else at + 1
    if is_tried:
        at = 0
        for t in range(1, frame.worth):
            if frame.hopes[t] > frame.hopes[at]:
                at = t
        if frame.hopes[at] <= frame.best:
            return False
    frame.at = at
    enter_group(search, frame, frame.cells[at], is_tried)
    return True


def enter_group(search: EndgameSearch, frame: SearchFrame, cell: int, is_tried: bool) -> None:
    """Divide a set by the numbers that `cell` shows."""
    size = frame.end - frame.begin
    frame.hoped = layout_list.partition(search.layouts, cell, frame.begin, frame.end, frame.free, frame.ends)
    frame.behind = frame.free + size
    frame.is_tried, frame.is_solving = is_tried, False
    frame.number, frame.start = 0, frame.free
    for v in range(MINE):
        frame.lost[v] = 0


def store_result(search: EndgameSearch, depth: int) -> int:
    """Store the result of a set, and return it."""
    frame = search.frames[depth]
    slot = slot_of(search, frame.mark)
    search.kept_mark[slot] = frame.mark
    search.kept_wins[slot] = frame.best if frame.is_exact else -frame.best - 1
    return frame.best


def slot_of(search: EndgameSearch, mark: int) -> int:
    """Return the slot of a set."""
    return (mark ^ mark >> 20 ^ mark >> 41) & (search.slots - 1)
