"""The rest of the game, solved exactly when few layouts are left: the cell that wins in the most of them."""

from __future__ import annotations

import numpy as np

from strategies.compiled.guessing.listing import MINE, packed
from strategies.compiled.guessing.playing import Layouts, part, play_on
from strategies.compiled.guessing.searching import (
    BEGIN,
    BEST,
    CELLS,
    END,
    ENDS,
    FREE,
    HOPED,
    Search,
    lose,
    next_group,
    solve,
    take,
)
from strategies.compiled.tables import Bytes, Floats, Ints

LEAST_KEPT, MOST_KEPT = 1 << 12, 1 << 18  # places of the table of solved sets
FOR_EACH = 64  # places of it for each layout


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
    stack = np.empty(count * (cells + 4), np.int64)
    for i in range(count):
        stack[i] = i
    layouts = Layouts(shown, packed(shown), stack, np.full(1, most_played, np.int64))
    notes = np.zeros((cells + 3, CELLS + 2 * cells), np.int64)
    played = np.full(cells, -1.0, np.float64)
    chosen, best = -1, 0
    for c in range(cells):
        if order[c] < 0.0:
            continue
        won = play_opened(layouts, c, count, notes)
        if layouts.work[0] < 0:
            return -1, False
        played[c] = won + 0.5 * order[c]
        shares[c] = won / count
        if won > best or (won == best and played[c] > played[chosen]):
            chosen, best = c, won
    layouts.work[0] = most_solved
    sums = np.empty((2 * cells + 6, layouts.words.shape[1]), np.uint64)
    search = Search(layouts, marks, np.zeros((places_for(count), 2), np.int64), notes, sums)
    notes[0, BEGIN], notes[0, END], notes[0, FREE], notes[0, BEST] = 0, count, count, best
    while True:
        c = int(np.argmax(played))
        if played[c] < 0.0:
            return chosen, True
        played[c] = -1.0
        take(search, 0, c, True)
        while next_group(notes, 0):
            won = solve(search, 1)
            if layouts.work[0] < 0:
                return chosen, False
            lose(notes, 0, won)
        shares[c] = notes[0, HOPED] / count
        if notes[0, HOPED] > notes[0, BEST]:
            notes[0, BEST] = notes[0, HOPED]
            chosen = c


def play_opened(layouts: Layouts, cell: int, count: int, notes: Ints) -> int:
    """In how many of all `count` layouts opening this cell wins, when it is played on from plainly."""
    part(layouts, cell, 0, count, count, notes, 0, ENDS)
    won, end = 0, notes[0, ENDS + MINE - 1]
    for v in range(MINE - 1, -1, -1):
        begin = notes[0, ENDS + v - 1] if v else count
        won += play_on(layouts, begin, end) if end - begin > 1 else end - begin
        end = begin
    return won


def places_for(count: int) -> int:
    """How many places the table of solved sets has for so many layouts."""
    places = LEAST_KEPT
    while places < min(FOR_EACH * count, MOST_KEPT):
        places *= 2
    return places
