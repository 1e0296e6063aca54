"""Plain games that only the compiled kernels play: no rules, proofs, loop or table.

Certain moves are the same as in a real game. Guesses are the same unless candidates are equal up to rounding.
A game takes a fraction of the time of a real game. Other benchmarks import this module.

The first half contains plain functions on arrays that `compiled_loops` compiles together with the kernels.
The neighbours of cell k are `members[start[k]:start[k + 1]]`; `mines` is the mine total.
"""

from __future__ import annotations

import importlib
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np

from games.errors import MissingRequirement
from games.logic import bits
from games.minesweeper import Deal, neighbours
from strategies.compiled.compiling import digest
from strategies.compiled.counting.survey import survey
from strategies.compiled.field import Field
from strategies.compiled.guessing.candidates import FIGURES, IS_SAFE
from strategies.compiled.guessing.choosing import FAILED, SAFE, choose
from strategies.compiled.keeping import find_directory
from strategies.compiled.kernels import kernels
from strategies.compiled.settings import Settings
from strategies.compiled.tables import Floats, Ints, Tables
from strategies.guesser import layout_marks

HIDDEN, OPEN, MINE, KNOWN_SAFE = 0, 1, 2, 3  # states of a cell; KNOWN_SAFE is still hidden
LOST, WON = 0, 1  # results of `play_on`, besides FAILED
TOO_WIDE = "a position is too wide for exact counting: use a smaller or sparser board"
LOOPS = ("sweep", "numbers_of", "field_of", "play_on", "draw_layout")


def sweep(state: Ints, numbers: Ints, start: Ints, members: Ints) -> None:
    """Open safe cells and mark mines that follow from single clues, until no clue adds anything."""
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
    """The number of each cell if it is open; `mine_at` is 0 or 1 for each cell."""
    numbers = np.zeros(len(mine_at), np.int64)
    for k in range(len(mine_at)):
        for t in range(start[k], start[k + 1]):
            numbers[k] += mine_at[members[t]]
    return numbers


def field_of(state: Ints, numbers: Ints, start: Ints, members: Ints, mines: int) -> tuple[Ints, Field]:
    """The undecided cells, frontier cells first, and their constraints as a kernel `Field`."""
    left = mines - int(np.count_nonzero(state == MINE))
    is_bound = np.zeros(len(state), np.bool_)
    clues, clue_members = 0, 0
    for k in range(len(state)):
        unknown = 0
        if state[k] == OPEN:
            for t in range(start[k], start[k + 1]):
                if state[members[t]] == HIDDEN:
                    is_bound[members[t]] = True
                    unknown += 1
        clues += unknown > 0
        clue_members += unknown
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
    """Play a game to its end and change `state`.

    Returns WON, LOST, or FAILED if a position is too wide for exact counting.
    """
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
    """The mines of a random layout that is consistent with the open cells; all layouts are equally likely.

    Cells are drawn one after another from their exact risks. `chances` contains one uniform random number
    between 0 and 1 for each cell, and one more.
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
                drawn[cells[i]] = KNOWN_SAFE
            elif risks[i] == 1.0:
                drawn[cells[i]] = MINE
            elif undecided < 0 or abs(risks[i] - 0.5) < abs(risks[undecided] - 0.5):
                undecided = i
        if undecided >= 0:
            drawn[cells[undecided]] = MINE if chances[used] < risks[undecided] else KNOWN_SAFE
            used += 1
    order = np.argsort(chances[used : used + len(cells)])
    for i in range(mines - np.count_nonzero(drawn == MINE)):
        drawn[cells[order[i]]] = MINE
    mine_at: Ints = (drawn == MINE).astype(np.int64)
    return mine_at


@lru_cache(maxsize=1)
def compiled_loops() -> Mapping[str, Callable[..., Any]]:
    """The compiled functions of LOOPS by name. Raises MachineLacks if numba is unavailable."""
    known = kernels()
    if not known.wait():
        raise MissingRequirement(f"compiled kernels are unavailable: {known.error}")
    numba: Any = importlib.import_module("numba")
    names = globals() | {name: known[name] for name in known.plain if name in globals()}
    before, directory = numba.config.CACHE_DIR, find_directory(digest())
    numba.config.CACHE_DIR = str(directory or "")
    try:
        for name in LOOPS:  # each function follows the functions that it calls
            copy = types.FunctionType(globals()[name].__code__, names, name)
            names[name] = numba.njit(copy, cache=directory is not None, nogil=True, error_model="numpy")
    finally:
        numba.config.CACHE_DIR = before
    return {name: names[name] for name in LOOPS}


@dataclass(frozen=True, slots=True, eq=False)
class CellGraph:
    """The neighbours of all cells as arrays, and the mine total."""

    start: Ints
    members: Ints
    mines: int

    @classmethod
    @lru_cache(maxsize=8)
    def of(cls, rows: int, columns: int, mines: int) -> CellGraph:
        """The graph of a plain board."""
        lists = [list(bits(cells)) for cells in neighbours(rows, columns)]
        start = np.zeros(len(lists) + 1, np.int64)
        np.cumsum([len(own) for own in lists], out=start[1:])
        return cls(start, np.array([k for own in lists for k in own], np.int64), mines)

    def numbers(self, mines: Ints) -> Ints:
        """The number of each cell; `mines` is 0 or 1 for each cell."""
        numbers: Ints = compiled_loops()["numbers_of"](mines, self.start, self.members)
        return numbers


@dataclass(slots=True, eq=False)
class CompiledGame:
    """A game in progress: the state of each cell, its mine (0 or 1) and its number."""

    graph: CellGraph
    state: Ints
    mines: Ints
    numbers: Ints

    @classmethod
    def of(cls, graph: CellGraph, state: Ints, mines: Ints) -> CompiledGame:
        """A game on a copy of `state`."""
        return cls(graph, state.copy(), mines, graph.numbers(mines))

    @classmethod
    def begin(cls, deal: Deal, start: int, first_click: str) -> CompiledGame:
        """A game of this deal with its first cell open."""
        mines = np.zeros(deal.rows * deal.columns, np.int64)
        mines[list(bits(deal.lay(start, first_click)))] = 1
        graph = CellGraph.of(deal.rows, deal.columns, deal.mines)
        game = cls.of(graph, np.zeros(len(mines), np.int64), mines)
        game.open(np.array([start]))
        return game

    @property
    def is_won(self) -> bool:
        """Whether all safe cells are open."""
        return int(np.count_nonzero(self.state == OPEN)) == len(self.state) - self.graph.mines

    def open(self, cells: Ints) -> bool:
        """Open cells and all cells that single clues then prove safe; False if a cell is a mine."""
        if self.mines[cells].any():
            return False
        self.state[cells] = OPEN
        compiled_loops()["sweep"](self.state, self.numbers, self.graph.start, self.graph.members)
        return True

    def field(self) -> tuple[Ints, Field]:
        """The undecided cells, frontier cells first, and their constraints."""
        graph = self.graph
        cells, field = compiled_loops()["field_of"](
            self.state, self.numbers, graph.start, graph.members, graph.mines
        )
        return cells, Field(*field)


def decide(settings: Settings, cells: Ints, field: Field) -> tuple[Ints, Ints, bool]:
    """The cells to open, the certain mines, and whether this is a guess.

    Raises MachineLacks if the position is too wide for exact counting.
    """
    loops = kernels()
    figures = np.zeros((len(cells), FIGURES), np.float64)
    way, chosen = loops["choose"](field, settings.floats, layout_marks(settings), loops.tables, figures)
    if way == FAILED:
        raise MissingRequirement(TOO_WIDE)
    sure_mines = cells[figures[:, IS_SAFE] == 0.0]
    if way == SAFE:
        return cells[figures[:, IS_SAFE] == 1.0], sure_mines, False
    return cells[chosen : chosen + 1], sure_mines, True


def finish_game(game: CompiledGame, settings: Settings) -> bool:
    """Play a game to its end; return whether it was won. Raises MachineLacks as `decide` does."""
    graph = game.graph
    result = compiled_loops()["play_on"](
        game.state, game.numbers, game.mines, graph.start, graph.members, graph.mines, settings.floats,
        layout_marks(settings), kernels().tables,
    )  # fmt: skip
    if result == FAILED:
        raise MissingRequirement(TOO_WIDE)
    return bool(result == WON)


def random_layout(game: CompiledGame, rng: Random) -> Ints:
    """The mines of a random layout that is consistent with the open cells."""
    chances = np.array([rng.random() for _ in range(len(game.state) + 1)])
    graph = game.graph
    mines: Ints = compiled_loops()["draw_layout"](
        game.state, game.numbers, graph.start, graph.members, graph.mines, chances, kernels().tables
    )
    return mines
