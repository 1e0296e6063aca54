"""Lattices: the pixel positions of the lines between cells, which need not be evenly spaced."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from vision.frame import Pixels

ASTRAY = 2  # pixels; a last column or row that is shorter by at most this is complete


@dataclass(frozen=True)
class Lattice:
    """The lines of a board.

    `xs` holds columns + 1 pixel positions, `ys` rows + 1, both ascending: column c covers the pixels
    xs[c] <= x < xs[c + 1] of the frame. A position is the left (top) edge of its column (row), the last one
    the edge after the last. Pixels, not points; relative to the frame's own corner.
    """

    xs: tuple[int, ...]
    ys: tuple[int, ...]

    def __post_init__(self) -> None:
        for line in (self.xs, self.ys):
            if len(line) < 2 or any(b <= a for a, b in pairwise(line)):
                raise ValueError(f"lines must rise: {line}")

    @property
    def columns(self) -> int:
        """Number of columns."""
        return len(self.xs) - 1

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.ys) - 1

    @property
    def size(self) -> str:
        """`30x16`: columns x rows."""
        return f"{self.columns}x{self.rows}"

    @property
    def pitch(self) -> float:
        """Mean distance between neighbouring lines, pixels."""
        across = (self.xs[-1] - self.xs[0]) / self.columns
        down = (self.ys[-1] - self.ys[0]) / self.rows
        return (across + down) / 2

    @property
    def box(self) -> tuple[int, int, int, int]:
        """(left, top, width, height) of the whole board, pixels."""
        return self.xs[0], self.ys[0], self.xs[-1] - self.xs[0], self.ys[-1] - self.ys[0]

    def rectangle(self, cell: int) -> tuple[int, int, int, int]:
        """(left, top, right, bottom) of one cell, right and bottom exclusive."""
        row, column = divmod(cell, self.columns)
        return self.xs[column], self.ys[row], self.xs[column + 1], self.ys[row + 1]

    def picture(self, pixels: Pixels, cell: int) -> Pixels:
        """One cell of a picture, (height, width, 3), without any part beyond the picture."""
        left, top, right, bottom = self.rectangle(cell)
        return pixels[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]

    def middle(self, cell: int) -> tuple[slice, slice]:
        """The rows and the columns of the inner half of one cell.

        Programs may draw the margin of a cell in another way when a neighbour is opened.
        """
        left, top, right, bottom = self.rectangle(cell)
        wide, high = (right - left) // 4, (bottom - top) // 4
        return slice(top + high, bottom - high), slice(left + wide, right - wide)

    def centre(self, cell: int) -> tuple[int, int]:
        """The pixel in the middle of one cell."""
        left, top, right, bottom = self.rectangle(cell)
        return (left + right) // 2, (top + bottom) // 2

    def clamped(self, width: int, height: int) -> Lattice:
        """Widen a last column or row that is at most ASTRAY pixels short, within the frame.

        The gap after the last cells is often drawn differently or not at all.
        """
        return Lattice(_completed(self.xs, width), _completed(self.ys, height))

    def translated(self, dx: int, dy: int) -> Lattice:
        """The same lines, shifted by (dx, dy) pixels."""
        return Lattice(tuple(x + dx for x in self.xs), tuple(y + dy for y in self.ys))


def _completed(lines: tuple[int, ...], limit: int) -> tuple[int, ...]:
    *steps, last = (b - a for a, b in pairwise(lines))
    end = lines[-2] + (steps[0] if steps else 0)
    is_short = len(set(steps)) == 1 and 0 < steps[0] - last <= ASTRAY and end <= limit
    return (*lines[:-1], end) if is_short else lines


def changed_cells(lattice: Lattice, before: Pixels, now: Pixels) -> list[int]:
    """Cells whose pixels differ between two pictures of the same size, ascending."""
    left, top, width, height = lattice.box
    old, new = (each[top : top + height, left : left + width] for each in (before, now))
    starts = 3 * (np.array(lattice.xs[:-1]) - left)
    found: list[int] = []
    for r, (y, y2) in enumerate(zip(lattice.ys, lattice.ys[1:], strict=False)):
        differs = (old[y - top : y2 - top] != new[y - top : y2 - top]).any(axis=0).ravel()
        if differs.any():
            columns = np.flatnonzero(np.logical_or.reduceat(differs, starts))
            found += (r * lattice.columns + columns).tolist()
    return found
