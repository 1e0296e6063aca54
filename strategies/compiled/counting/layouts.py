"""Counting the layouts of classes under rules: the states behind each class, and the moves to them."""

from __future__ import annotations

from typing import NamedTuple

from strategies.compiled.counting.classes import Classes
from strategies.compiled.counting.states import Room, Touched, touch_rules
from strategies.compiled.field import Rules
from strategies.compiled.tables import (
    HASHED,
    MOST_MOVES,
    MOST_NUMBERS,
    MOST_STATES,
    NEXT_MOVE,
    NEXT_NUMBER,
    NEXT_STATE,
    STAMP,
    Ints,
    Tables,
)


class Levels(NamedTuple):
    """Classes in the order in which they are gone through.

    The states before the class at place p are those of the tables from `states[p]` up to `states[p + 1]`, the
    last ones are behind all classes; the moves that put mines into it are those from `moves[p]` on.
    """

    order: Ints
    states: Ints
    moves: Ints


def forward(classes: Classes, levels: Levels, rules: Rules, probe: int, room: Room, tables: Tables) -> int:
    """Go through the classes; a state is what the rules that are begun and not finished hold so far.

    Layouts that agree there are merged, so the cost follows the width of the frontier, not its length. Each
    state has a polynomial in the number of mines. The rule `probe` (-1: none) has no bounds and is never
    finished: what it holds separates the last states. States and moves are written to `tables`, and where to
    `levels`. The answer is where the probe is kept in a state (0 when there is none), or -1 when all this is
    too wide or too long to be counted.
    """
    slots = room.slots
    for r in range(len(rules.low)):
        slots.shift[r] = -1
        slots.left[r] = rules.start[r + 1] - rules.start[r]
    used = tables.used
    levels.states[0] = used[NEXT_STATE]
    first_state(tables)
    levels.states[1] = used[NEXT_STATE]
    taken = 0
    for p in range(len(levels.order)):
        b = levels.order[p]
        touched = touch_rules(classes, b, rules, probe, taken, room)
        if touched.taken < 0:
            return -1
        taken = touched.taken & ~touched.clear
        begin = used[NEXT_STATE]
        levels.moves[p] = used[NEXT_MOVE]
        more = classes.is_counted[b]
        if not make_moves(levels.states[p], begin, classes.size[b], more, touched, room, tables):
            return -1
        levels.states[p + 2] = used[NEXT_STATE]
        levels.moves[p + 1] = used[NEXT_MOVE]
        if not make_numbers(begin, tables):
            return -1
        count_ahead(levels.moves[p], classes.size[b], more, tables)
    if probe >= 0 and slots.shift[probe] >= 0:
        return int(slots.shift[probe])
    return 0


def clear(tables: Tables) -> None:
    """Nothing is counted yet."""
    tables.used[NEXT_STATE] = 0
    tables.used[NEXT_NUMBER] = 0
    tables.used[NEXT_MOVE] = 0


def first_state(tables: Tables) -> None:
    """Before the first class: no rule holds anything, and there is one layout, without mines."""
    used = tables.used
    first, number = used[NEXT_STATE], used[NEXT_NUMBER]
    tables.key[first] = 0
    tables.least[first] = 0
    tables.most[first] = 0
    tables.offset[first] = number
    tables.ahead[number] = 1.0
    used[NEXT_STATE] += 1
    used[NEXT_NUMBER] += 1


def make_moves(
    begin: int, end: int, cells: int, is_counted: int, touched: Touched, room: Room, tables: Tables
) -> bool:
    """From the states from `begin` to `end` to those with each number of mines in a class of so many cells.

    False when there are too many.
    """
    key, least_of, most_of, used = tables.key, tables.least, tables.most, tables.used
    hashed, stamps, source, target, value = (
        tables.hashed, tables.stamps, tables.source, tables.target, tables.value,
    )  # fmt: skip
    bounds, loose = room.bounds, room.loose
    used[STAMP] += 1
    stamp = used[STAMP]
    for i in range(begin, end):
        least, most = 0, cells
        for t in range(touched.bounds):
            held = key[i] >> bounds.shift[t] & bounds.mask[t]
            most = min(most, bounds.high[t] - held)
            least = max(least, bounds.low[t] - held)
        for v in range(least, most + 1):
            after = (key[i] + v * touched.add) & ~touched.clear
            for t in range(touched.loose):
                held = after >> loose.shift[t] & loose.mask[t]
                if loose.low[t] < held <= loose.high[t]:
                    after -= (held - loose.low[t]) << loose.shift[t]
            place = (after ^ after >> 13 ^ after >> 26 ^ after >> 39) & (HASHED - 1)
            while stamps[place] == stamp and key[hashed[place]] != after:
                place = (place + 1) & (HASHED - 1)
            more = v if is_counted else 0
            if stamps[place] != stamp:
                j = used[NEXT_STATE]
                if j >= MOST_MOVES or j - end >= MOST_STATES:
                    return False
                used[NEXT_STATE] += 1
                stamps[place] = stamp
                hashed[place] = j
                key[j] = after
                least_of[j] = least_of[i] + more
                most_of[j] = most_of[i] + more
            else:
                j = hashed[place]
                least_of[j] = min(least_of[j], least_of[i] + more)
                most_of[j] = max(most_of[j], most_of[i] + more)
            move = used[NEXT_MOVE]
            if move >= MOST_MOVES:
                return False
            used[NEXT_MOVE] += 1
            source[move], target[move], value[move] = i, j, v
    return True


def make_numbers(begin: int, tables: Tables) -> bool:
    """Room for the coefficients of the states from `begin` on; False when there is not enough."""
    used = tables.used
    for j in range(begin, used[NEXT_STATE]):
        tables.offset[j] = used[NEXT_NUMBER]
        length = tables.most[j] - tables.least[j] + 1
        if used[NEXT_NUMBER] + length > MOST_NUMBERS:
            return False
        tables.ahead[used[NEXT_NUMBER] : used[NEXT_NUMBER] + length] = 0.0
        used[NEXT_NUMBER] += length
    return True


def count_ahead(begin: int, cells: int, is_counted: int, tables: Tables) -> None:
    """Add up the coefficients of the states that the moves from `begin` on lead to."""
    ahead = tables.ahead
    for move in range(begin, tables.used[NEXT_MOVE]):
        v = tables.value[move]
        ways = ways_to_hold(cells, v)
        come, to, numbers = stretches(move, v if is_counted else 0, tables)
        for m in range(numbers):
            ahead[to + m] += ways * ahead[come + m]


def ways_to_hold(cells: int, mines: int) -> float:
    """In how many ways so many cells hold so many mines."""
    ways = 1.0
    for t in range(mines):
        ways = ways * (cells - t) / (t + 1)
    return ways


def stretches(move: int, more: int, tables: Tables) -> tuple[int, int, int]:
    """Where the coefficients of a move's source begin, where they go to, `more` mines later; their number."""
    i, j = tables.source[move], tables.target[move]
    to = tables.offset[j] + tables.least[i] + more - tables.least[j]
    return tables.offset[i], to, tables.most[i] - tables.least[i] + 1
