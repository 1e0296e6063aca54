"""Gaps between the cells of a board.

Edges put the lines at either side of a gap, but the judge expects them in its middle, so they move there.
The cells of most programs touch, and wide gaps make a board unlikely for the judge, so it sees a picture
without most of the gaps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.locate.grid import ALIKE, Grid, to_pixel

Ints = NDArray[np.intp]

LEAST_GAP, MAX_GAP = 0.05, 0.45  # fractions of a cell
WIDE, NARROW = 0.15, 0.08  # fractions of a cell: wider gaps are narrowed; what remains (two pixels at least)
MISSED = 0.06  # fraction of a cell between a line and a gap next to it, at most
UNIFORM = 0.97  # fraction of a gap that has one colour; bevels have less at their corners
CORNER = 0.3  # fraction of a cell's side taken by a rounded corner or a decoration
MAX_SAMPLES = 8, 80  # sampled lines, and places along each


class _Gap(NamedTuple):
    """The distance from a line to the middle of the gap at it, and the width of the gap, pixels."""

    shift: int
    width: int


@dataclass(frozen=True, eq=False)
class Narrowed:
    """A picture without most of the gaps, the grid there, and the grid in the middle of the gaps before."""

    pixels: Pixels
    grid: Grid
    centred: Grid


def center_lines_in_gaps(pixels: Pixels, grid: Grid) -> Grid:
    """Move all lines together to the middle of the gaps between the cells, if there are gaps."""
    for axis in (1, 0):
        gap = _find_gap(pixels, grid, axis, beside_cells=False)
        grid = grid.moved(axis, gap.shift) if gap else grid
    return grid


def narrow_gaps(pixels: Pixels, grid: Grid) -> Narrowed | None:
    """Centre the lines in the gaps, and remove most of wide gaps from the picture; None without wide gaps."""
    less, found, centred = pixels, grid, grid
    for axis in (1, 0):
        gap, pitch = _find_gap(pixels, grid, axis, beside_cells=True), grid.pitch(axis)
        if gap is None:
            continue
        centred = centred.moved(axis, gap.shift)
        removed = gap.width - max(2, to_pixel(NARROW * pitch))
        lines = [to_pixel(line) for line in centred.lines(axis)]
        is_kept = np.ones(pixels.shape[axis], np.bool_)
        if gap.width > WIDE * pitch and removed > 0:
            for line in lines:
                is_kept[max(0, line - removed // 2) : max(0, line + removed - removed // 2)] = False
            less = np.compress(is_kept, less, axis)
        kept = np.concatenate(([0], np.cumsum(is_kept)))
        inside = [min(max(line, 0), len(is_kept)) for line in lines]
        moved = (float(kept[at] + line - at) for at, line in zip(inside, lines, strict=True))
        found = found.with_lines(axis, tuple(moved))
    return None if less is pixels else Narrowed(np.ascontiguousarray(less), found, centred)


def _find_gap(pixels: Pixels, grid: Grid, axis: int, beside_cells: bool) -> _Gap | None:
    """The usual gap at the lines along x (axis 1) or y; None without gaps.

    `beside_cells`: ignore the crossings of the gaps, where rounded corners shine through.
    """
    lines, crossing, pitch = grid.lines(axis), grid.lines(1 - axis), grid.pitch(axis)
    places = _middles(crossing) if beside_cells else _spread_places(crossing[0], crossing[-1])
    picture = pixels if axis == 0 else pixels.transpose(1, 0, 2)
    reach = int(MAX_GAP * pitch) + 1
    along = places[(places >= 0) & (places < picture.shape[1])]
    inner = np.array([to_pixel(line) for line in lines[1:-1]])
    inner = inner[(inner >= reach) & (inner + reach < len(picture))][:: 1 + len(inner) // MAX_SAMPLES[0]]
    if not len(inner) or not len(along):
        return None
    offsets = np.arange(-reach, reach + 1)
    seen = picture[(inner[None] + offsets[:, None])[:, :, None], along].reshape(len(offsets), -1, 3)
    usual = np.median(seen, axis=1).astype(np.int16)
    same = np.abs(seen.astype(np.int16) - usual[:, None]).max(axis=2) <= ALIKE
    return _gap_at_middle(same.mean(axis=1) >= UNIFORM, usual, pitch)


def _gap_at_middle(is_uniform: NDArray[np.bool_], usual: NDArray[np.int16], pitch: float) -> _Gap | None:
    """The gap around the middle of these places or next to it, of one colour; None without one."""
    reach, near = len(usual) // 2, max(1, round(MISSED * pitch))
    for at in sorted(range(reach - near, reach + near), key=lambda place: abs(place - reach + 0.5)):
        if not is_uniform[at]:
            continue
        fits = is_uniform & (np.abs(usual - usual[at]).max(axis=1) <= ALIKE)
        start, stop = at, at + 1
        while start > 0 and fits[start - 1]:
            start -= 1
        while stop < len(fits) and fits[stop]:
            stop += 1
        if start > 0 and stop < len(fits) and LEAST_GAP * pitch <= stop - start <= MAX_GAP * pitch + 1:
            return _Gap((start + stop + 1) // 2 - reach, stop - start)
    return None


def _spread_places(low: float, high: float) -> Ints:
    """Pixels from low to high, at most MAX_SAMPLES of them."""
    first, last = max(0, to_pixel(low)), to_pixel(high)
    return np.arange(first, last, 1 + max(0, last - first) // MAX_SAMPLES[1])


def _middles(lines: Sequence[float]) -> Ints:
    """Pixels in the middle of the cells between lines."""
    parts = [
        np.arange(to_pixel(a + CORNER * (b - a)), to_pixel(b - CORNER * (b - a))) for a, b in pairwise(lines)
    ]
    every = np.concatenate(parts)
    return every[:: 1 + len(every) // MAX_SAMPLES[1]]
