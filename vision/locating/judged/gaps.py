"""Lines in the middle of the gaps between cells, where there are gaps.

Lines are found by edges, and a gap has two. A cell is seen whole, in its middle, and the same way from all
sides when the lines lie half way between tiles.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.locating.evidence import place
from vision.locating.grid import Grid
from vision.locating.judged.repeats import ALIKE

NARROWEST = 0.15  # of a cell; beside a narrower gap a cell is hardly off its middle
WIDEST = 0.36  # of a cell
UNIFORM = 0.97  # of a gap that is of one colour; a bevel is not, where it meets the next one
MOST = 8, 80  # lines, and places along each, that are looked at


def centred(pixels: Pixels, grid: Grid) -> Grid:
    """The same lines, all moved by as much, to the middle of the gaps that part the cells, if any do."""
    for axis in (1, 0):
        crossing = grid.lines(1 - axis)
        shift = to_middle(pixels, grid.lines(axis), (crossing[0], crossing[-1]), axis)
        grid = grid.moved(axis, shift) if shift else grid
    return grid


def to_middle(pixels: Pixels, lines: Sequence[float], span: tuple[float, float], axis: int) -> int:
    """How far from lines along x (axis 1) or y, between these ends of them, the middle of gaps is; or 0."""
    picture = pixels if axis == 0 else pixels.transpose(1, 0, 2)
    inner = np.array([place(line) for line in lines[1:-1]])
    pitch = (lines[-1] - lines[0]) / (len(lines) - 1)
    reach = int(WIDEST * pitch) + 1
    low, high = max(0, place(span[0])), min(picture.shape[1], place(span[1]))
    inner = inner[(inner >= reach) & (inner + reach < len(picture))][:: 1 + len(inner) // MOST[0]]
    if not len(inner) or high <= low:
        return 0
    along = np.arange(low, high, 1 + (high - low) // MOST[1])
    offsets = np.arange(-reach, reach + 1)
    seen = picture[(inner[None] + offsets[:, None])[:, :, None], along].reshape(len(offsets), -1, 3)
    usual = np.median(seen, axis=1).astype(np.int16)
    same = np.abs(seen.astype(np.int16) - usual[:, None]).max(axis=2) <= ALIKE
    return _middle(same.mean(axis=1) >= UNIFORM, usual, reach)


def _middle(is_uniform: NDArray[np.bool_], usual: NDArray[np.int16], reach: int) -> int:
    """How far from the line the middle of the gap is that touches it; 0 where none does."""
    for at in (reach - 1, reach):  # a line is the first pixel behind a gap, or lies in it
        if not is_uniform[at]:
            continue
        fits = is_uniform & (np.abs(usual - usual[at]).max(axis=1) <= ALIKE)
        start, stop = at, at + 1
        while start > 0 and fits[start - 1]:
            start -= 1
        while stop < len(fits) and fits[stop]:
            stop += 1
        if start > 0 and stop < len(fits) and NARROWEST / WIDEST * (reach - 1) <= stop - start <= reach:
            return (start + stop) // 2 - reach
    return 0
