"""What can be shown of the cells that are spoken of: how each is marked, and what a reason points at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Self

from games.logic import bits, cell_set
from games.minesweeper import Board

Mark = Literal["safe", "mine", "guess", "wrong flag"]


@dataclass(frozen=True, slots=True)
class Pointed:
    """The cell that a reason is about, and the clues (a set) that it follows from."""

    cell: int
    clues: int = 0

    @classmethod
    def of(cls, board: Board, cell: int, because: Iterable[str]) -> Self:
        """The same from the names of what a reason follows from; what is no cell is nowhere on the board."""
        names = set(because)
        return cls(cell, cell_set(k for k in bits(board.open) if board.name(k) in names))
