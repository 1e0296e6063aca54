"""Draw whole boards with known lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from games.logic import bits
from games.minesweeper import FLAG, HIDDEN, Board
from training.drawings.surfaces import Colour, Floats, Rng, blend
from training.drawings.themes import Theme
from vision.frame import Frame, Pixels
from vision.lattice import Lattice


@dataclass(frozen=True, eq=False)
class DrawnBoard:
    """A picture (height, width, 3), uint8 BGR; `xs`, `ys` are its lines in pixels, `rows` its states."""

    pixels: Pixels
    xs: tuple[int, ...]
    ys: tuple[int, ...]
    rows: tuple[str, ...]


OPEN, CLOSED = "012345678", ".F?"
MARGIN = 6  # pixels around the board of a game


def draw_rim(
    cell: Floats, rim: tuple[Colour, int, float] | None, rows: Sequence[str], place: tuple[int, int]
) -> None:
    """Draw the rim of an open cell at this (column, row) on the sides that touch a covered cell."""
    c, r = place
    if rim is None or rows[r][c] not in OPEN:
        return
    colour, width, part = rim
    views = (cell[:width], cell[-width:], cell[:, :width], cell[:, -width:])
    for view, (x, y) in zip(views, ((c, r - 1), (c, r + 1), (c - 1, r), (c + 1, r)), strict=True):
        if 0 <= y < len(rows) and 0 <= x < len(rows[y]) and rows[y][x] in CLOSED:
            blend(view, colour, part)


def draw_cell(theme: Theme, rows: Sequence[str], place: tuple[int, int], rng: Rng) -> Pixels:
    """The cell at this (column, row) of a board with these states, (height, width, 3) uint8."""
    cell = theme.draw(rows[place[1]][place[0]], place, rng)
    draw_rim(cell, theme.rim, rows, place)
    if theme.zoom > 1:
        cell = cell.repeat(theme.zoom, axis=0).repeat(theme.zoom, axis=1)
    return np.asarray(cell + 0.5 if cell.max() < 255 else cell).astype(np.uint8)


class GamePainter:
    """Draws the boards of one game. A cell is drawn again only if it or a neighbour has changed."""

    def __init__(self, theme: Theme, seed: int) -> None:
        self.theme = theme
        self._seed = seed
        self._drawn: dict[object, Pixels] = {}

    def lattice(self, board: Board) -> Lattice:
        """The lines of the board."""
        width, height = (side * self.theme.zoom for side in self.theme.size)
        return Lattice(
            tuple(MARGIN + width * k for k in range(board.columns + 1)),
            tuple(MARGIN + height * k for k in range(board.rows + 1)),
        )

    def picture(self, board: Board) -> Frame:
        """The picture of the board."""
        lattice = self.lattice(board)
        size = lattice.ys[-1] + MARGIN, lattice.xs[-1] + MARGIN
        pixels = np.full((*size, 3), self.theme.cover.behind, np.uint8)
        for k, state in enumerate(board.cells):
            key = k, state, tuple(board[each] in HIDDEN + FLAG for each in bits(board.around[k]))
            if key not in self._drawn:
                rng, (r, c) = np.random.default_rng([self._seed, k, ord(state)]), divmod(k, board.columns)
                self._drawn[key] = draw_cell(self.theme, board.grid, (c, r), rng)
            lattice.picture(pixels, k)[:] = self._drawn[key]
        return Frame(pixels)


def draw_board(theme: Theme, rows: Sequence[str], rng: Rng, margin: int) -> DrawnBoard:
    """Draw a board with these states, one letter per cell. `margin` is the space around it in pixels."""
    width, height = theme.size[0] * theme.zoom, theme.size[1] * theme.zoom
    xs = tuple(margin + width * k for k in range(len(rows[0]) + 1))
    ys = tuple(margin + height * k for k in range(len(rows) + 1))
    canvas = np.full((ys[-1] + margin, xs[-1] + margin, 3), theme.cover.behind, np.uint8)
    for r, row in enumerate(rows):
        for c in range(len(row)):
            canvas[ys[r] : ys[r + 1], xs[c] : xs[c + 1]] = draw_cell(theme, rows, (c, r), rng)
    return DrawnBoard(canvas, xs, ys, tuple(rows))
