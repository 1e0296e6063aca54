"""Plain games played by the compiled code alone: no rules in front of it, no proofs, no loop, no table.

Where something is certain the moves are those of a real game, since the rules find all that is certain; a
guess is the same but where cells are equal up to rounding. So a game costs a fraction of a real one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random

import numpy as np
from loops import OPEN, WON, compiled_loops

from games.errors import MissingRequirement
from games.logic import bits
from games.minesweeper import Deal, neighbours
from strategies.compiled.field import Field
from strategies.compiled.guessing.candidates import FIGURES, IS_SAFE
from strategies.compiled.guessing.choosing import FAILED, SAFE
from strategies.compiled.kernels import kernels
from strategies.compiled.settings import Settings
from strategies.compiled.tables import Ints
from strategies.guesser import layout_marks

TOO_WIDE = "a position is too wide to be counted: take a smaller or a sparser board"


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """A board's neighbourhoods: those of cell k are `members[start[k]:start[k + 1]]`; and its mines."""

    start: Ints
    members: Ints
    mines: int

    @classmethod
    @lru_cache(maxsize=8)
    def of(cls, rows: int, columns: int, mines: int) -> Grid:
        """The plain board of this size."""
        lists = [list(bits(cells)) for cells in neighbours(rows, columns)]
        start = np.zeros(len(lists) + 1, np.int64)
        np.cumsum([len(own) for own in lists], out=start[1:])
        return cls(start, np.array([k for own in lists for k in own], np.int64), mines)

    def numbers(self, mines: Ints) -> Ints:
        """What each cell would show, `mines` being 0 or 1 for each cell."""
        numbers: Ints = compiled_loops()["numbers_of"](mines, self.start, self.members)
        return numbers


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

    @classmethod
    def begun(cls, deal: Deal, start: int, first_click: str) -> Game:
        """A game on these mines, its first cell open."""
        mines = np.zeros(deal.rows * deal.columns, np.int64)
        mines[list(bits(deal.lay(start, first_click)))] = 1
        game = cls.of(Grid.of(deal.rows, deal.columns, deal.mines), np.zeros(len(mines), np.int64), mines)
        game.open(np.array([start]))
        return game

    @property
    def is_won(self) -> bool:
        """Whether every cell without a mine is open."""
        return int(np.count_nonzero(self.state == OPEN)) == len(self.state) - self.grid.mines

    def open(self, cells: Ints) -> bool:
        """Open cells, and whatever single clues show to be safe then; False when one of them is a mine."""
        if self.mines[cells].any():
            return False
        self.state[cells] = OPEN
        compiled_loops()["sweep"](self.state, self.numbers, self.grid.start, self.grid.members)
        return True

    def field(self) -> tuple[Ints, Field]:
        """The undecided cells, and the field in which they stand: those next to a clue first."""
        grid = self.grid
        cells, field = compiled_loops()["field_of"](
            self.state, self.numbers, grid.start, grid.members, grid.mines
        )
        return cells, Field(*field)


def decide(settings: Settings, cells: Ints, field: Field) -> tuple[Ints, Ints, bool]:
    """The cells to open, those that are certainly mines, and whether this is a guess.

    Raises MachineLacks for a position that compiled code cannot count.
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


def play_on(game: Game, settings: Settings) -> bool:
    """Play a game to its end; whether it was won. Raises MachineLacks as `decide` does."""
    grid = game.grid
    result = compiled_loops()["play_on"](
        game.state, game.numbers, game.mines, grid.start, grid.members, grid.mines, settings.floats,
        layout_marks(settings), kernels().tables,
    )  # fmt: skip
    if result == FAILED:
        raise MissingRequirement(TOO_WIDE)
    return bool(result == WON)


def draw_layout(game: Game, rng: Random) -> Ints:
    """The mines of a layout that the open cells allow, each being equally likely."""
    chances = np.array([rng.random() for _ in range(len(game.state) + 1)])
    grid = game.grid
    mines: Ints = compiled_loops()["draw_layout"](
        game.state, game.numbers, grid.start, grid.members, grid.mines, chances, kernels().tables
    )
    return mines
