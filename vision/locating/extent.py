"""Where a board ends on each side, as the judge of cells says: strips of cells are added, and taken away."""

from __future__ import annotations

import numpy as np

from vision.locating.cutouts import Place
from vision.locating.edges import snapped
from vision.locating.grid import Grid
from vision.locating.judging import CUT, LEAST, OUTSIDE, WHOLE, Floats, Judge

CELLS = 8  # cells that speak for a strip
MOST_AHEAD = 8  # strips beyond a side that are looked at together; one at first, and twice as many each time
MOST_ROUNDS = 40  # of looking at all sides
BEYOND = 1.5  # pixels that a line may lie outside of the picture: where it lies is seen to a pixel or so
SIDES = {(1, -1): "left", (0, -1): "top", (1, 1): "right", (0, 1): "bottom"}

Side = tuple[int, int]  # the axis (1: x, 0: y) and -1 for its beginning, 1 for its end


def spread(grid: Grid, count: int) -> list[Place]:
    """So many cells all over the grid."""
    columns, rows = len(grid.xs) - 1, len(grid.ys) - 1
    steps = (np.arange(count) * 0.618034) % 1.0  # the golden section: no two in a row, none in a diagonal
    return [
        grid.cell(int(columns * (k + 0.5) / count), int(rows * step)) for k, step in enumerate(steps.tolist())
    ]


def strip(grid: Grid, side: Side, far: int) -> list[Place]:
    """Cells of the strip that lies `far` strips outside of a side: 0 for the outermost one of the grid."""
    axis, end = side
    at = -far if end < 0 else len(grid.lines(axis)) - 2 + far
    count = len(grid.lines(1 - axis)) - 1
    others = sorted({int(count * (k + 0.5) / CELLS) for k in range(CELLS)})
    return [grid.cell(at, other) if axis == 1 else grid.cell(other, at) for other in others]


def told(judge: Judge, parts: list[list[Place]]) -> list[Floats]:
    """What the judge says of each of several lists of places."""
    said = judge.says([place for part in parts for place in part])
    return np.split(said, np.cumsum([len(part) for part in parts])[:-1])


def room(judge: Judge, grid: Grid, side: Side) -> float:
    """How much of the picture, in pixels, lies beyond a side."""
    axis, end = side
    lines = grid.lines(axis)
    return lines[0] if end < 0 else judge.pixels.shape[axis] - lines[-1]


def extended(judge: Judge, grid: Grid) -> Grid:
    """The grid with as many strips on every side as look like cells, and without those that do not."""
    ahead = dict.fromkeys(SIDES, 1)
    for _ in range(MOST_ROUNDS):
        asked = {side: list(range(min(most, _most(judge, grid, side)) + 1)) for side, most in ahead.items()}
        parts = [strip(grid, side, far) for side, fars in asked.items() for far in fars]
        said, open_sides, has_grown = iter(told(judge, parts)), {}, False
        for side, fars in asked.items():
            fits = [_margin(next(said)) > 0 for _ in fars]
            more = fits[1:].index(False) if False in fits[1:] else len(fits) - 1
            if more:
                has_grown = True
                for _ in range(more):
                    grid = grid.widened(*side)
                if more == len(fits) - 1:
                    open_sides[side] = min(2 * ahead[side], MOST_AHEAD)
            elif not fits[0] and len(grid.lines(side[0])) > 3:
                grid = grid.without(*side)
                open_sides[side] = 1
        if has_grown:
            grid = snapped(judge.pixels, grid)
        if not open_sides:
            break
        ahead = open_sides
    return grid


def _most(judge: Judge, grid: Grid, side: Side) -> int:
    """How many more strips find room in the picture."""
    return max(0, int((room(judge, grid, side) + BEYOND) / grid.pitch_at(*side)))


def _margin(said: Floats) -> float:
    """How much more a strip looks like cells of a board than like what is beside it; 0 for neither."""
    outside = said[:, OUTSIDE] + said[:, CUT]
    return float((np.log(said[:, WHOLE] + LEAST) - np.log(outside + LEAST)).mean())
