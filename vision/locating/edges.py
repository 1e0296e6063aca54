"""Where the lines of a grid meet edges: as strong as the mean over some of its rows and columns."""

from __future__ import annotations

import numpy as np

from vision.frame import Pixels
from vision.locating.evidence import Floats, band_steps, place
from vision.locating.grid import Grid

BANDS = 8  # rows, or columns, of cells in which edges are looked for
RIM = 0.2  # of a cell, on each side, that may be drawn upon by the lines of the other axis


def support(pixels: Pixels, grid: Grid, axis: int, span: tuple[int, int]) -> Floats:
    """How strong edges along one axis are at each pixel of a span, over some rows (columns) of cells."""
    crossing = grid.lines(1 - axis)
    chosen = sorted({int((len(crossing) - 1) * (k + 0.5) / BANDS) for k in range(BANDS)})
    bands = []
    for at in chosen:
        low, high = crossing[at], crossing[at + 1]
        bands.append((low + RIM * (high - low), high - RIM * (high - low)))
    return np.asarray(band_steps(pixels, bands, span, axis).mean(axis=0), np.float32)


def edges_near(pixels: Pixels, grid: Grid, axis: int, least: int, most: int) -> dict[int, float]:
    """How strong the edges are, 0 to 3, where all lines of an axis are moved by so many pixels.

    Between two cells there may be several edges, or none: the first and the last line show by themselves.
    """
    lines = grid.lines(axis)
    origin = place(lines[0]) + least
    strength = support(pixels, grid, axis, (origin, place(lines[-1]) + most + 1))
    at, shifts = np.array([place(line) - origin for line in lines]), np.arange(least, most + 1)
    each = strength[at + shifts[:, None]]
    parts = np.stack([each[:, 1:-1].mean(axis=1), each[:, 0], each[:, -1]])
    totals = (parts / (1.0 + parts.max(axis=1, keepdims=True))).sum(axis=0)
    return dict(zip(shifts.tolist(), totals.tolist(), strict=True))


def snapped(pixels: Pixels, grid: Grid) -> Grid:
    """Each line moved by itself, a pixel or two, to where its surroundings look like those of the others.

    Programs round each line to whole pixels in their own way, so cells of one board differ by a pixel.
    """
    for axis in (1, 0):
        lines = grid.lines(axis)
        if len(lines) < 4:
            continue
        half, reach = max(2, place(grid.pitch(axis) / 4)), 1 + int(grid.pitch(axis) / 24)
        origin = place(lines[0]) - half - reach
        profile = support(pixels, grid, axis, (origin, place(lines[-1]) + half + reach + 1))
        at = np.array([place(line) - origin for line in lines])
        shifts = np.array(sorted(range(-reach, reach + 1), key=abs))
        pieces = np.stack([profile[at[:, None] + np.arange(-half, half + 1) + shift] for shift in shifts])
        unlike = np.abs(pieces - np.median(pieces[0, 1:-1], axis=0)).sum(axis=2)
        moves = np.where(unlike.min(axis=0) < CONVINCING * unlike[0], shifts[unlike.argmin(axis=0)], 0)
        places = (at + moves + origin).astype(float).tolist()
        # the outer two look unlike the others: they stay as far from their neighbours as those are apart
        places[0] = places[1] - (lines[1] - lines[0])
        places[-1] = places[-2] + (lines[-1] - lines[-2])
        grid = grid.with_lines(axis, tuple(places))
    return grid


CONVINCING = 0.5  # of the difference from other lines that may be left where a line is moved to
