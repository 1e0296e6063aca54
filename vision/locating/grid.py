"""Lines between cells while they are being found, in fractions of a pixel."""

from __future__ import annotations

from dataclasses import dataclass, replace

from vision.locating.cutouts import Place


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

    def widened(self, axis: int, side: int, by: float | None = None) -> Grid:
        """The same with one more strip before the first or behind the last, so wide or as those there."""
        lines, pitch = self.lines(axis), self.pitch_at(axis, side) if by is None else by
        return self.with_lines(axis, (lines[0] - pitch, *lines) if side < 0 else (*lines, lines[-1] + pitch))

    def moved(self, axis: int, shift: float) -> Grid:
        """The same with the lines along one axis moved."""
        return self.with_lines(axis, tuple(line + shift for line in self.lines(axis)))

    def pitch(self, axis: int) -> float:
        """Mean distance of the lines along one axis."""
        lines = self.lines(axis)
        return (lines[-1] - lines[0]) / (len(lines) - 1)

    def pitch_at(self, axis: int, side: int) -> float:
        """The same at one end: some programs make the first cells a pixel wider than the last."""
        lines = self.lines(axis)[:NEAR_BY] if side < 0 else self.lines(axis)[-NEAR_BY:]
        return (lines[-1] - lines[0]) / (len(lines) - 1)

    def cell(self, column: int, row: int) -> Place:
        """Where a cell is; one that lies outside of the lines, too, as wide as those at that end."""
        left, right = self._span(1, column)
        top, bottom = self._span(0, row)
        return left, top, right, bottom

    def _span(self, axis: int, at: int) -> tuple[float, float]:
        lines = self.lines(axis)
        if 0 <= at < len(lines) - 1:
            return lines[at], lines[at + 1]
        if at < 0:
            pitch = self.pitch_at(axis, -1)
            return lines[0] + pitch * at, lines[0] + pitch * (at + 1)
        pitch, more = self.pitch_at(axis, 1), at - len(lines) + 1
        return lines[-1] + pitch * more, lines[-1] + pitch * (more + 1)


NEAR_BY = 6  # lines at an end of the grid
