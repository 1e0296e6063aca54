"""Plain games played by the compiled code alone: no rules in front of it, no proofs, no loop, no table.

Where something is certain the moves are those of a real game, since the rules find all that is certain; a
guess is the same but where cells are equal up to rounding. So a game costs a fraction of a real one.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np

from games.errors import MachineLacks
from games.logic import bits
from games.minesweeper import neighbours
from strategies.compiled import Field, Ints, Settings, kernels
from strategies.compiled.guessing import FAILED, FIGURES, IS_SAFE
from strategies.compiled.guessing.choosing import SAFE
from strategies.guessing.weighing import marks_for

HIDDEN, OPEN, MINE, SPARED = 0, 1, 2, 3  # states of a cell; spared: known to be safe, and not open


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """A board's neighbourhoods: those of cell k are `members[start[k]:start[k + 1]]`; and its mines.

    `owner` is, beside each member, the cell whose neighbour it is.
    """

    start: Ints
    members: Ints
    owner: Ints
    mines: int

    @classmethod
    def of(cls, rows: int, columns: int, mines: int) -> Grid:
        """The plain board of this size."""
        lists = [list(bits(cells)) for cells in neighbours(rows, columns)]
        sizes = np.array([len(own) for own in lists], np.int64)
        members = np.array([k for own in lists for k in own], np.int64)
        return cls(starts(sizes), members, np.repeat(np.arange(len(lists)), sizes), mines)

    def numbers(self, mines: Ints) -> Ints:
        """What each cell would show, `mines` being 0 or 1 for each cell."""
        return np.bincount(self.owner, mines[self.members], len(mines)).astype(np.int64)


@dataclass(slots=True, eq=False)
class Game:
    """A game under way: the state of each cell, where the mines are (0 or 1), the numbers."""

    grid: Grid
    state: Ints
    mines: Ints
    numbers: Ints

    @classmethod
    def of(cls, grid: Grid, state: Ints, mines: Ints) -> Game:
        """A game on a copy of `state`."""
        return cls(grid, state.copy(), mines, grid.numbers(mines))

    @property
    def is_won(self) -> bool:
        """Whether every cell without a mine is open."""
        return int(np.count_nonzero(self.state == OPEN)) == len(self.state) - self.grid.mines

    def open(self, cells: Ints) -> bool:
        """Open cells, and whatever single clues show to be safe then; False when one of them is a mine."""
        if self.mines[cells].any():
            return False
        self.state[cells] = OPEN
        _sweep()(self.state, self.numbers, self.grid.start, self.grid.members)
        return True

    def field(self) -> tuple[Ints, Field]:
        """The undecided cells, and the field in which they stand: those next to a clue first."""
        grid, state = self.grid, self.state
        is_hidden, is_open = state == HIDDEN, state == OPEN
        asks = (
            is_open[grid.owner] & is_hidden[grid.members]
        )  # of each neighbourhood: what a clue does not know
        unknown = np.bincount(grid.owner[asks], minlength=len(state))
        marked = np.bincount(grid.owner[state[grid.members] == MINE], minlength=len(state))
        is_bound = np.zeros(len(state), np.bool_)
        is_bound[grid.members[asks]] = True
        cells = np.concatenate((np.flatnonzero(is_bound), np.flatnonzero(is_hidden & ~is_bound)))
        number = np.zeros(len(state), np.int64)
        number[cells] = np.arange(len(cells))
        clues = np.flatnonzero(unknown)
        low = (self.numbers - marked)[clues]
        both = is_hidden[grid.owner] & is_hidden[grid.members]
        whose = number[grid.owner[both]]
        around = number[grid.members[both]][np.argsort(whose, kind="stable")]
        left = grid.mines - int(np.count_nonzero(state == MINE))
        ones = np.ones(len(cells), np.int64)
        bound = int(np.count_nonzero(is_bound))
        field = Field(
            bound, ones[:bound], ones, starts(unknown[clues]), number[grid.members[asks]], low, low,
            starts(np.bincount(whose, minlength=len(cells))), around, left, left, 0.25,
        )  # fmt: skip
        return cells, field


def decide(settings: Settings, cells: Ints, field: Field) -> tuple[Ints, Ints, bool]:
    """The cells to open, those that are certainly mines, and whether this is a guess.

    Raises MachineLacks for a position that compiled code cannot count.
    """
    loops = kernels()
    figures = np.zeros((len(cells), FIGURES), np.float64)
    way, chosen = loops["choose"](field, settings.floats, marks_for(settings), loops.tables, figures)
    if way == FAILED:
        raise MachineLacks("a position is too wide to be counted: take a smaller or a sparser board")
    sure_mines = cells[figures[:, IS_SAFE] == 0.0]
    if way == SAFE:
        return cells[figures[:, IS_SAFE] == 1.0], sure_mines, False
    return cells[chosen : chosen + 1], sure_mines, True


def play_on(game: Game, settings: Settings) -> bool:
    """Play a game to its end; whether it was won."""
    while not game.is_won:
        opened, mines, _ = decide(settings, *game.field())
        game.state[mines] = MINE
        if not game.open(opened):
            return False
    return True


def draw_layout(game: Game, rng: Random) -> Ints:
    """The mines of a layout that the open cells allow, each being equally likely: cell by cell, exactly."""
    loops = kernels()
    drawn = Game(game.grid, game.state.copy(), game.mines, game.numbers)
    while True:
        cells, field = drawn.field()
        if not field.bound:
            break
        risks = loops["survey"](field, loops.tables).risks
        bound = cells[: field.bound]
        drawn.state[bound[risks == 0.0]] = SPARED
        drawn.state[bound[risks == 1.0]] = MINE
        k = int(np.argmin(np.abs(risks - 0.5)))
        if 0.0 < risks[k] < 1.0:
            drawn.state[bound[k]] = MINE if rng.random() < risks[k] else SPARED
    left = game.grid.mines - int(np.count_nonzero(drawn.state == MINE))
    drawn.state[rng.sample(cells.tolist(), left)] = MINE
    mines: Ints = (drawn.state == MINE).astype(np.int64)
    return mines


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


def starts(sizes: Ints) -> Ints:
    """Where each of so large parts begins, and where the last one ends."""
    result = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=result[1:])
    return result


@lru_cache(maxsize=1)
def _sweep() -> Callable[..., None]:
    """The loop above, compiled. Raises MachineLacks without numba."""
    try:
        numba: Any = importlib.import_module("numba")
    except ImportError as error:
        raise MachineLacks("this needs the package numba: pip install numba") from error
    compiled: Callable[..., None] = numba.njit(sweep)
    return compiled
