"""Where the cells of the Minesweeper for tests lie: its columns may grow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from picture import CELL

if TYPE_CHECKING:
    from program import Mines

RIM = 14


def wide(game: Mines, column: int) -> int:
    """How wide a column is."""
    grow: int = game.options.grow
    cells = range(column, game.rows * game.columns, game.columns) if grow else ()
    has_number = any(k in game.opened and k not in game.mines and game.number(k) for k in cells)
    return CELL + (grow if has_number else 0)


def width(game: Mines) -> int:
    """How wide the window is."""
    needed = 2 * RIM + sum(wide(game, column) for column in range(game.columns))
    return max(needed, 2 * RIM + CELL * game.columns + int(game.options.room))


def corner(game: Mines, cell: int) -> tuple[int, int]:
    """The left upper corner of a cell."""
    row, column = divmod(cell, game.columns)
    return RIM + sum(wide(game, each) for each in range(column)), game.top + CELL * row


def cell_at(game: Mines, x: int, y: int) -> int | None:
    """The cell at a place, None for none."""
    for cell in range(game.rows * game.columns):
        (left, top), across = corner(game, cell), wide(game, cell % game.columns)
        if left <= x < left + across and top <= y < top + CELL:
            return cell
    return None
