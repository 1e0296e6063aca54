"""Erase row and column names next to a board, such as A to H and 1 to 8, which look like cells.

All names of a strip differ and have one background. Clues at the border of a board repeat, because they
count at most five neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.locate.grid import ALIKE, SIDES, Grid, Side, largest_difference, line_tolerance, to_pixel

Inks = NDArray[np.uint8]  # (cells, along, across): 1 where a cell of a strip differs from the ground of all

INSIDE = 0.12  # fraction of a cell that its own border takes, on each side
INK = 0.4  # fraction of the strongest contrast of a strip that ink has at least
COMMON = 0.8  # fraction of the cells from which equal ink belongs to a frame
SAME = 0.12  # fraction of the middle of the cells; more equal ink is a drawing that repeats
# fraction of a cell that a name takes, at least (an I of 10 pixels in a cell of 60) and at most
LEAST_INK, MOST_INK = 0.004, 0.5
EQUAL = 0.25  # fraction of the ink in which equal drawings may differ: of 8,594 equal numbers, 99 % had 0.12
FEWEST = 6  # different names; a line of cells shows at most five different numbers on one ground
DIFFERENT = 0.75  # fraction of the names that must differ; 11 to 16 are nearly alike in small letters
CORNERS = 2  # cells at each end of a strip without a name: the corner between rows and columns, and a margin
CLEAR = 0.75  # fraction of the names that must not touch the sides of their cells: running text does


@dataclass(frozen=True, eq=False)
class Unnamed:
    """A picture and a grid after names were erased, and the sides where they were."""

    pixels: Pixels
    grid: Grid
    sides: frozenset[str]


def without_names(pixels: Pixels, grid: Grid) -> Unnamed | None:
    """Erase row and column names, and remove their strips from the grid; None without names."""
    found = {side: far for side in SIDES for far in [_find_names(pixels, grid, side)] if far is not None}
    if not found:
        return None
    less = grid
    for (axis, end), far in found.items():
        for _ in range(far + 1):
            less = less.without(axis, end) if len(less.lines(axis)) > 3 else less
    pixels = pixels.copy()
    for side in found:
        _erase(pixels, grid, less, side)
    return Unnamed(pixels, less, frozenset(SIDES[side] for side in found))


def _find_names(pixels: Pixels, grid: Grid, side: Side) -> int | None:
    """The strip with names: 0 for the outermost of the grid, -1 for the one outside of it; None without.

    It may also be the second of the grid (1), if the outermost one is a plain margin.
    """
    axis, end = side
    lines, pitch = grid.lines(axis), grid.pitch(axis)
    for far in (-1, 0, 1):
        start = lines[0] + far * pitch if end < 0 else lines[-1] - (far + 1) * pitch
        inks = _inks(pixels, start, pitch, grid.lines(1 - axis), axis)
        if has_names(inks):
            return far
        if far == 0 and (inks.any() or len(lines) <= FEWEST):
            break
    return None


def _inks(pixels: Pixels, start: float, pitch: float, crossing: tuple[float, ...], axis: int) -> Inks:
    """The drawings in the cells of a strip that begins at `start`, `pitch` wide, and other grounds.

    The second axis runs along the strip. Empty if the strip lies outside of the picture.
    """
    picture = pixels if axis == 1 else pixels.transpose(1, 0, 2)  # rows are places along the strip
    width = (crossing[-1] - crossing[0]) / (len(crossing) - 1)
    size = int(width * (1 - 2 * INSIDE))
    places = [to_pixel(line + INSIDE * width) for line in crossing[:-1]]
    first, last = (to_pixel(start + pitch * part) for part in (INSIDE, 1 - INSIDE))
    first, last = max(0, first), min(picture.shape[1], last)
    if last - first < size / 2 or places[0] < 0 or places[-1] + size > len(picture):
        return np.zeros((0, 1, 1), np.uint8)
    cells = np.stack([picture[at : at + size, first:last] for at in places])
    ground = np.median(cells[:, ::3, ::3].reshape(-1, 3), axis=0)
    flat = cells.reshape(-1, last - first, 3)
    unlike = largest_difference(flat, np.array([*ground, 0.0])).reshape(cells.shape[:3])
    inks = unlike > max(ALIKE, INK * float(unlike.max()))
    common = inks.mean(axis=0) >= COMMON
    if common[size // 4 : -size // 4, common.shape[1] // 4 : -common.shape[1] // 4].mean() > SAME:
        return np.zeros((0, 1, 1), np.uint8)  # a column of mines
    frame = cv2.dilate(common.astype(np.uint8), np.ones((3, 3), np.uint8))  # compression blurs its edges
    return np.asarray(inks & (frame == 0), np.uint8)


def has_names(inks: Inks) -> bool:
    """Whether the cells of a strip have drawings on one ground, and nearly all of them differ."""
    shares = inks.reshape(len(inks), -1).mean(axis=1) if len(inks) else np.zeros(0)
    drawn = np.flatnonzero((shares >= LEAST_INK) & (shares <= MOST_INK))
    if len(drawn) < FEWEST or drawn[0] > CORNERS or drawn[-1] < len(inks) - 1 - CORNERS:
        return False
    clear = float((~inks[drawn][:, [0, -1]].any(axis=(1, 2))).mean())
    if len(drawn) != drawn[-1] - drawn[0] + 1 or clear < CLEAR:
        return False
    kinds: list[Inks] = []
    for ink in inks[drawn]:
        if not any(_are_equal(ink, kind) for kind in kinds):
            kinds.append(ink)
    return len(kinds) >= max(FEWEST, DIFFERENT * len(drawn))


def _are_equal(one: Inks, other: Inks) -> bool:
    """Whether two drawings are equal, up to a shift by a pixel."""
    wide = np.pad(other, 1)
    high, long = one.shape
    apart = min(
        int(np.count_nonzero(one != wide[down : down + high, right : right + long]))
        for down in range(3)
        for right in range(3)
    )
    return apart <= EQUAL * min(int(one.sum()), int(other.sum()))


def _erase(pixels: Pixels, grid: Grid, less: Grid, side: Side) -> None:
    """Fill the picture beyond one side of `less`, as far as the names reach, with its usual colour."""
    axis, end = side
    picture = pixels if axis == 0 else pixels.transpose(1, 0, 2)
    pitch, wide = grid.pitch(axis), grid.pitch(1 - axis)
    rim = 1 + line_tolerance(pitch)  # pixels that the rim of the last line may take
    crossing = grid.lines(1 - axis)
    if end < 0:
        first, last = grid.lines(axis)[0] - pitch, less.lines(axis)[0] - rim
    else:
        first, last = less.lines(axis)[-1] + rim, grid.lines(axis)[-1] + pitch
    rows = slice(max(0, to_pixel(first)), max(0, to_pixel(last)))
    part = picture[rows, max(0, to_pixel(crossing[0] - wide)) : max(0, to_pixel(crossing[-1] + wide))]
    if part.size:
        part[:] = np.median(part.reshape(-1, 3), axis=0)
