"""Where a board ends on each side, as the judge of cells says: strips of cells are added, and taken away."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.locating.evidence import BEYOND
from vision.locating.grid import Grid
from vision.locating.judged.cutouts import Place
from vision.locating.judged.judging import CUT, LEAST, OUTSIDE, WHOLE, Judge

CELLS = 6  # cells that speak for a strip
AHEAD = 2  # strips beyond a side that are looked at together
MOST_ROUNDS = 40  # times AHEAD strips on a side; no program shows more
SIDES = {(1, -1): "left", (0, -1): "top", (1, 1): "right", (0, 1): "bottom"}

Side = tuple[int, int]  # the axis (1: x, 0: y) and -1 for its beginning, 1 for its end
Floats = NDArray[np.float32]


def cell(grid: Grid, column: int, row: int) -> Place:
    """Where a cell is; one that lies outside of the lines, too, a pitch on."""
    wide, high = grid.pitch(1), grid.pitch(0)
    left = grid.xs[column] if 0 <= column < len(grid.xs) else grid.xs[0] + wide * column
    top = grid.ys[row] if 0 <= row < len(grid.ys) else grid.ys[0] + high * row
    right = grid.xs[column + 1] if 0 <= column + 1 < len(grid.xs) else left + wide
    bottom = grid.ys[row + 1] if 0 <= row + 1 < len(grid.ys) else top + high
    return left, top, right, bottom


def spread(grid: Grid, count: int) -> list[Place]:
    """So many cells all over the grid."""
    columns, rows = len(grid.xs) - 1, len(grid.ys) - 1
    steps = (np.arange(count) * 0.618034) % 1.0  # the golden section: no two in a row, none in a diagonal
    return [
        cell(grid, int(columns * (k + 0.5) / count), int(rows * step))
        for k, step in enumerate(steps.tolist())
    ]


def strip(grid: Grid, side: Side, far: int, count: int = CELLS) -> list[Place]:
    """Cells of the strip that lies `far` strips outside of a side: 0 for the outermost one of the grid."""
    axis, end = side
    lines, crossing = grid.lines(axis), grid.lines(1 - axis)
    at = -far if end < 0 else len(lines) - 2 + far
    others = sorted({int((len(crossing) - 1) * (k + 0.5) / count) for k in range(count)})
    return [cell(grid, at, other) if axis == 1 else cell(grid, other, at) for other in others]


def verdicts(judge: Judge, parts: list[list[Place]]) -> list[Floats]:
    """What the judge says of each of several lists of places."""
    said = judge.says([place for part in parts for place in part])
    return np.split(said, np.cumsum([len(part) for part in parts])[:-1])


def extended(judge: Judge, grid: Grid) -> Grid:
    """The grid with as many strips on every side as look like cells, and without those that do not."""
    open_sides = list(SIDES)
    for _ in range(MOST_ROUNDS):
        asked = {side: _fars(judge, grid, side) for side in open_sides}
        said = iter(verdicts(judge, [strip(grid, side, far) for side, fars in asked.items() for far in fars]))
        open_sides = []
        for side, fars in asked.items():
            axis, end = side
            fits = {far: _margin(next(said)) > 0 for far in fars}
            more = next((far - 1 for far in fars if far > 0 and not fits[far]), fars[-1])
            if more:
                pitch = grid.pitch(axis)
                for _ in range(more):
                    grid = grid.widened(axis, end, pitch)
                open_sides += [side] if more == AHEAD else []
            elif not fits[0] and len(grid.lines(axis)) > 3:
                grid = grid.without(axis, end)
                open_sides.append(side)
        if not open_sides:
            break
    return grid


def _fars(judge: Judge, grid: Grid, side: Side) -> list[int]:
    """The outermost strip, and those beyond it that lie in the picture."""
    axis, end = side
    lines, pitch = grid.lines(axis), grid.pitch(axis)
    room = lines[0] if end < 0 else judge.pixels.shape[axis] - lines[-1]
    return list(range(min(AHEAD, max(0, int((room + BEYOND) / pitch))) + 1))


def _margin(said: Floats) -> float:
    """How much more a strip looks like cells of a board than like what is beside it; 0 for neither."""
    outside = said[:, OUTSIDE] + said[:, CUT]
    return float((np.log(said[:, WHOLE] + LEAST) - np.log(outside + LEAST)).mean())
