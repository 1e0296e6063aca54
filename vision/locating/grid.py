"""Lines between cells while they are being found, in fractions of a pixel, and how strongly they show."""

from __future__ import annotations

from dataclasses import dataclass, replace

from vision.frame import Pixels
from vision.locating.evidence import Floats, across, place

FEWEST = 4  # columns and rows of the smallest board
NARROWEST, WIDEST = 8.0, 128.0  # pixels of a cell, in the picture that is looked at


@dataclass(frozen=True)
class Grid:
    """Lines while they are being found: like a Lattice, but in fractions of a pixel."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]

    def lines(self, axis: int) -> tuple[float, ...]:
        """The lines found along x (axis 1) or along y (axis 0)."""
        return self.xs if axis == 1 else self.ys

    def with_lines(self, axis: int, lines: tuple[float, ...]) -> Grid:
        """The same with other lines along one axis."""
        return replace(self, xs=lines) if axis == 1 else replace(self, ys=lines)

    def without(self, axis: int, side: int) -> Grid:
        """The same without its first (side -1) or last strip of cells along one axis."""
        lines = self.lines(axis)
        return self.with_lines(axis, lines[1:] if side < 0 else lines[:-1])

    def widened(self, axis: int, side: int, by: float) -> Grid:
        """The same with one more strip, so wide, before its first (side -1) or behind its last."""
        lines = self.lines(axis)
        return self.with_lines(axis, (lines[0] - by, *lines) if side < 0 else (*lines, lines[-1] + by))

    def moved(self, axis: int, shift: float) -> Grid:
        """The same with the lines along one axis moved."""
        return self.with_lines(axis, tuple(line + shift for line in self.lines(axis)))

    def pitch(self, axis: int) -> float:
        """Mean distance of the lines along one axis."""
        lines = self.lines(axis)
        return (lines[-1] - lines[0]) / (len(lines) - 1)


def around(pixels: Pixels, grid: Grid, axis: int, reach: int) -> tuple[int, Floats]:
    """Where it starts, and the line strength along one axis, over the board and a little more."""
    lines = grid.lines(axis)
    span = (place(lines[0]) - reach - 2, place(lines[-1]) + reach + 3)
    return span[0], across(pixels, grid.lines(1 - axis), span, axis)
