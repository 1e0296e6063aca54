"""Where to begin: the cell that opens most when the first click is promised to be safe, or a zero.

A corner when only the cell itself is promised; a cell inside the board, two from the edges (three on boards
of Expert's size), when the neighbours are promised too (`docs/reasoning.md` has the figures).
"""

from __future__ import annotations

from games.minesweeper import Guess, Position

LARGE = 400  # cells; Expert has 480, Intermediate 256


def promised(position: Position) -> Guess | None:
    """The best cell for a first click that cannot lose; None where nothing is promised."""
    cells = position.openable & ~position.knowledge.true
    if position.first_click == "safe":
        corner = next((k for k in _corners(position) if cells >> k & 1), None)
        if corner is not None:
            return Guess(corner, 1.0, "the first click is safe; a corner opens most")
    if position.first_click == "zero":
        inset = 3 if position.cells >= LARGE else 2
        row, column = min(inset, (position.rows - 1) // 2), min(inset, (position.columns - 1) // 2)
        cell = row * position.columns + column
        if cells >> cell & 1:
            return Guess(cell, 1.0, "the first click opens a zero; away from the edges it opens most")
    return None


def _corners(position: Position) -> tuple[int, ...]:
    last = position.cells - 1
    return 0, position.columns - 1, last - position.columns + 1, last
