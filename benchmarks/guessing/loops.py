"""The loops of games that compiled code plays alone: what single clues show, the field, a game to its end.

Plain functions on arrays, as those of strategies/compiled: `compiled_loops` has them compiled.
Of a grid `start` and `members` are the neighbours of each cell, `mines` how many there are in all.
"""

from __future__ import annotations

import importlib
import types
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from games.errors import MissingRequirement
from strategies.compiled.compiling import digest
from strategies.compiled.counting.survey import survey
from strategies.compiled.field import Field
from strategies.compiled.guessing.candidates import FIGURES, IS_SAFE
from strategies.compiled.guessing.choosing import FAILED, SAFE, choose
from strategies.compiled.keeping import find_directory
from strategies.compiled.kernels import kernels
from strategies.compiled.settings import Settings
from strategies.compiled.tables import Floats, Ints, Tables

HIDDEN, OPEN, MINE, SPARED = 0, 1, 2, 3  # states of a cell; spared: known to be safe, and not open
LOST, WON = 0, 1  # what `play_on` answers, or FAILED
WINS = 10  # what `play_out` adds to the number of a cell whose game was won


def sweep(state: Ints, numbers: Ints, start: Ints, members: Ints) -> None:
    """Open what is safe, and mark what is a mine, by one clue at a time, until nothing is left to do so."""
    again = True
    while again:
        again = False
        for k in range(len(state)):
            if state[k] != OPEN:
                continue
            hidden, mines = 0, 0
            for t in range(start[k], start[k + 1]):
                hidden += state[members[t]] == HIDDEN
                mines += state[members[t]] == MINE
            if hidden == 0 or mines < numbers[k] < mines + hidden:
                continue
            again = True
            for t in range(start[k], start[k + 1]):
                if state[members[t]] == HIDDEN:
                    state[members[t]] = OPEN if numbers[k] == mines else MINE


def numbers_of(mine_at: Ints, start: Ints, members: Ints) -> Ints:
    """What each cell would show, `mine_at` being 0 or 1 for each cell."""
    numbers = np.zeros(len(mine_at), np.int64)
    for k in range(len(mine_at)):
        for t in range(start[k], start[k + 1]):
            numbers[k] += mine_at[members[t]]
    return numbers


def field_of(state: Ints, numbers: Ints, start: Ints, members: Ints, mines: int) -> tuple[Ints, Field]:
    """The undecided cells, and the field in which they stand: those next to a clue first."""
    left = mines - int(np.count_nonzero(state == MINE))
    is_bound = np.zeros(len(state), np.bool_)
    clues, clue_members = 0, 0
    for k in range(len(state)):
        asks = 0
        if state[k] == OPEN:
            for t in range(start[k], start[k + 1]):
                if state[members[t]] == HIDDEN:
                    is_bound[members[t]] = True
                    asks += 1
        clues += asks > 0
        clue_members += asks
    bound = int(np.count_nonzero(is_bound))
    is_hidden = state == HIDDEN
    cells = np.concatenate((np.flatnonzero(is_bound), np.flatnonzero(is_hidden & ~is_bound)))
    number = np.zeros(len(state), np.int64)
    number[cells] = np.arange(len(cells))
    rule_start, rule_members = np.zeros(clues + 1, np.int64), np.empty(clue_members, np.int64)
    low = np.empty(clues, np.int64)
    rule, fill = 0, 0
    for k in range(len(state)):
        if state[k] != OPEN:
            continue
        begin, marked = fill, 0
        for t in range(start[k], start[k + 1]):
            if state[members[t]] == HIDDEN:
                rule_members[fill] = number[members[t]]
                fill += 1
            elif state[members[t]] == MINE:
                marked += 1
        if fill > begin:
            low[rule] = numbers[k] - marked
            rule += 1
            rule_start[rule] = fill
    around_start, around = np.zeros(len(cells) + 1, np.int64), np.empty(len(members), np.int64)
    fill = 0
    for i in range(len(cells)):
        for t in range(start[cells[i]], start[cells[i] + 1]):
            if state[members[t]] == HIDDEN:
                around[fill] = number[members[t]]
                fill += 1
        around_start[i + 1] = fill
    ones = np.ones(len(cells), np.int64)
    field = Field(
        bound, ones[:bound], ones, rule_start, rule_members, low, low, around_start, around[:fill], left,
        left, 0.25,
    )  # fmt: skip
    return cells, field


def play_on(
    state: Ints, numbers: Ints, mine_at: Ints, start: Ints, members: Ints, mines: int, settings: Settings,
    marks: Ints, tables: Tables,
) -> int:  # fmt: skip
    """Play a game to its end; `state` is worked on. WON, LOST, or FAILED where a position is too wide."""
    while np.count_nonzero(state == OPEN) < len(state) - mines:
        cells, field = field_of(state, numbers, start, members, mines)
        figures = np.zeros((len(cells), FIGURES), np.float64)
        way, chosen = choose(field, settings, marks, tables, figures)
        if way == FAILED:
            return FAILED
        for i in range(len(cells)):
            if figures[i, IS_SAFE] == 0.0:
                state[cells[i]] = MINE
            elif i == chosen or (way == SAFE and figures[i, IS_SAFE] == 1.0):
                if mine_at[cells[i]]:
                    return LOST
                state[cells[i]] = OPEN
        sweep(state, numbers, start, members)
    return WON


def draw_layout(
    state: Ints, numbers: Ints, start: Ints, members: Ints, mines: int, chances: Floats, tables: Tables
) -> Ints:
    """The mines of a layout that the open cells allow, each being equally likely: cell by cell, exactly.

    `chances`, one for each cell and one more, are equally distributed between 0 and 1, and decide.
    """
    drawn = state.copy()
    used = 0
    while True:
        cells, field = field_of(drawn, numbers, start, members, mines)
        if field.bound == 0:
            break
        risks = survey(field, tables).risks
        undecided = -1
        for i in range(field.bound):
            if risks[i] == 0.0:
                drawn[cells[i]] = SPARED
            elif risks[i] == 1.0:
                drawn[cells[i]] = MINE
            elif undecided < 0 or abs(risks[i] - 0.5) < abs(risks[undecided] - 0.5):
                undecided = i
        if undecided >= 0:
            drawn[cells[undecided]] = MINE if chances[used] < risks[undecided] else SPARED
            used += 1
    order = np.argsort(chances[used : used + len(cells)])
    for i in range(mines - np.count_nonzero(drawn == MINE)):
        drawn[cells[order[i]]] = MINE
    mine_at: Ints = (drawn == MINE).astype(np.int64)
    return mine_at


def play_out(
    state: Ints, numbers: Ints, start: Ints, members: Ints, mines: int, opened: Ints, chances: Floats,
    settings: Settings, marks: Ints, tables: Tables,
) -> Ints:  # fmt: skip
    """Open each of some cells on the same layouts, drawn by the rows of `chances`, and play on to the end.

    A row for each cell, a column for each layout: -1 where the cell is a mine, else the number that it shows,
    and `WINS` more where the game was won. A position that is too wide is not won.
    """
    came_of = np.full((len(opened), len(chances)), -1, np.int64)
    for j in range(len(chances)):
        mine_at = draw_layout(state, numbers, start, members, mines, chances[j], tables)
        shown = numbers_of(mine_at, start, members)
        for i in range(len(opened)):
            if mine_at[opened[i]]:
                continue
            alone = state.copy()
            alone[opened[i]] = OPEN
            sweep(alone, shown, start, members)
            result = play_on(alone, shown, mine_at, start, members, mines, settings, marks, tables)
            came_of[i, j] = shown[opened[i]] + (WINS if result == WON else 0)
    return came_of


@lru_cache(maxsize=1)
def compiled_loops() -> Mapping[str, Callable[..., Any]]:
    """The loops above by name, compiled. Raises MachineLacks."""
    names = ("sweep", "numbers_of", "field_of", "play_on", "draw_layout", "play_out")
    return compiled_together(names, globals())


def compiled_together(functions: Sequence[str], names: Mapping[str, Any]) -> Mapping[str, Callable[..., Any]]:
    """Functions of a module with these `names`, compiled: they call each other and those of the strategies.

    Each stands behind those that it calls. Raises MachineLacks where nothing can be compiled.
    """
    known = kernels()
    if not known.wait():
        raise MissingRequirement(f"this needs compiled code, and there is none: {known.error}")
    numba: Any = importlib.import_module("numba")
    space = dict(names) | {name: known[name] for name in known.plain if name in names}
    before, directory = numba.config.CACHE_DIR, find_directory(digest())
    numba.config.CACHE_DIR = str(directory or "")
    try:
        for function in functions:
            copy = types.FunctionType(names[function].__code__, space, function)
            space[function] = numba.njit(copy, cache=directory is not None, nogil=True, error_model="numpy")
    finally:
        numba.config.CACHE_DIR = before
    return {function: space[function] for function in functions}
