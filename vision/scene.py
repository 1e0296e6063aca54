"""One picture of a board as looks, what they could mean, and who knows which boards can be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from games.logic.bits import cell_set
from games.minesweeper.board import UNKNOWN, Board, neighbours
from vision.looks import Ids

Allowed = Mapping[int, str]  # look -> the states that acts leave possible for it


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One meaning for every look, and how likely it is among all (0 to 1)."""

    states: Mapping[int, str]
    weight: float


@dataclass(frozen=True)
class Scene:
    """One picture of a board as looks. `ids` is the look of each cell, row by row."""

    rows: int
    columns: int
    ids: Ids

    @cached_property
    def present(self) -> list[int]:
        """The looks that are on the board, rising."""
        return [int(look) for look in np.unique(self.ids)]

    @cached_property
    def cells(self) -> Mapping[int, list[int]]:
        """The cells of each look."""
        return {look: np.flatnonzero(self.ids == look).tolist() for look in self.present}

    @cached_property
    def sets(self) -> Mapping[int, int]:
        """The cells of each look, as a set."""
        return {look: cell_set(cells) for look, cells in self.cells.items()}

    @cached_property
    def around(self) -> tuple[int, ...]:
        """The neighbours of each cell, as a set."""
        return tuple(neighbours(self.rows, self.columns))

    @cached_property
    def touching(self) -> Mapping[int, frozenset[int]]:
        """For each look, those that lie beside a cell of it; itself where two of its own do."""
        found: dict[int, set[int]] = {look: set() for look in self.present}
        grid = self.ids.reshape(self.rows, self.columns)
        pairs = (
            (grid[:, 1:], grid[:, :-1]),
            (grid[1:], grid[:-1]),
            (grid[1:, 1:], grid[:-1, :-1]),
            (grid[1:, :-1], grid[:-1, 1:]),
        )
        for one, other in pairs:
            for a, b in np.unique(np.stack((one.ravel(), other.ravel()), axis=1), axis=0).tolist():
                found[a].add(b)
                found[b].add(a)
        return {look: frozenset(others) for look, others in found.items()}

    def board(self, states: Mapping[int, str], mines: int | None = None) -> Board:
        """The board under a meaning for each look; UNKNOWN for a look without one."""
        return Board(self.rows, self.columns, "".join(states.get(int(i), UNKNOWN) for i in self.ids), mines)
