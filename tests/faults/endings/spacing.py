"""Cell positions of the test program, whose columns may grow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from picture import CELL

if TYPE_CHECKING:
    from program import Mines

RIM = 14


def wide(game: Mines, column: int) -> int:
    """The width of a column."""
    grow: int = game.options.grow
    cells = range(column, game.rows * game.columns, game.columns) if grow else ()
    has_number = any(k in game.opened and k not in game.mines and game.number(k) for k in cells)
    return CELL + (grow if has_number else 0)


def width(game: Mines) -> int:
    """The width of the window."""
    needed = 2 * RIM + sum(wide(game, column) for column in range(game.columns))
    return max(needed, 2 * RIM + CELL * game.columns + int(game.options.room))


def corner(game: Mines, cell: int) -> tuple[int, int]:
    """The top left corner of a cell."""
    row, column = divmod(cell, game.columns)
    return RIM + sum(wide(game, each) for each in range(column)), game.top + CELL * row


def cell_at(game: Mines, x: int, y: int) -> int | None:
    """The cell at a position, or None."""
    for cell in range(game.rows * game.columns):
        (left, top), across = corner(game, cell), wide(game, cell % game.columns)
        if left <= x < left + across and top <= y < top + CELL:
            return cell
    return None
