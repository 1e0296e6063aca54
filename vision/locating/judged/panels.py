"""Rectangles that stand out from what is around them, and how they may be parted into cells.

A board is mostly such a rectangle, whatever its cells show, and so its lines are even parts of its sides.
Which parts, the straight edges inside say: the sides of the covers that are left, of marks, of number tiles.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.locating.grid import FEWEST, NARROWEST, WIDEST, Grid
from vision.locating.lines import STRETCH

Masks = NDArray[np.uint8]

STEP = 6  # grey levels that an edge must exceed
LONG = 32  # pixels of a straight edge that may be a side of a board of four cells
SHORT = 5  # pixels of one that may be the side of a cell
MOST_SIDES = 20  # places, across and down, at which the longest edges lie
SHOWN = 0.85  # of a side that must show
MOST_PANELS = 40  # that are parted
PARTINGS = 3  # of one panel
MOST_PARTINGS = 6  # of one of its sides
MOST = 12  # grids in all
UNLIKELY = 4.0  # standard deviations that a cell half as wide again as high must show more than a square one


@dataclass(frozen=True)
class _Edges:
    """Where edges are (1, else 0), of one axis: `all` of them, `ruled` those that are straight."""

    all: Masks
    ruled: Masks
    sides: NDArray[np.int64]


def find_panels(pixels: Pixels) -> list[Grid]:
    """Grids that part rectangles evenly, the likeliest first."""
    if min(pixels.shape[:2]) < FEWEST * NARROWEST:
        return []
    across, down = _edges(pixels), _edges(np.ascontiguousarray(pixels.transpose(1, 0, 2)))
    boxes = _boxes(across, down)
    sums_x = np.cumsum(across.ruled, axis=0, dtype=np.int32)
    sums_y = np.cumsum(down.ruled, axis=0, dtype=np.int32)
    found: list[tuple[float, Grid]] = []
    for left, top, right, bottom in boxes:
        ways_x = _partings(sums_x, (top, bottom), (left, right))
        ways_y = _partings(sums_y, (left, right), (top, bottom))
        pairs = [
            (one + other - UNLIKELY * abs(np.log(wide / high)) / np.log(1.5), columns, rows)
            for (columns, wide, one), (rows, high, other) in product(ways_x, ways_y)
            if max(wide, high) <= STRETCH * min(wide, high)
        ]
        for score, columns, rows in sorted(pairs, reverse=True)[:PARTINGS]:
            xs = tuple(np.linspace(left, right, columns + 1).tolist())
            ys = tuple(np.linspace(top, bottom, rows + 1).tolist())
            found.append((score, Grid(xs, ys)))
    found.sort(key=lambda each: -each[0])
    return [grid for _, grid in found[:MOST]]


def _edges(pixels: Pixels) -> _Edges:
    """Edges that run down, by their place along x."""
    apart = cv2.absdiff(pixels[:, 1:], pixels[:, :-1]).max(axis=2)
    steps = cv2.threshold(apart, STEP, 1, cv2.THRESH_BINARY)[1]
    mask = np.zeros(pixels.shape[:2], np.uint8)
    mask[:, 1:] = steps
    wide = cv2.dilate(mask, np.ones((1, 3), np.uint8))
    ruled = cv2.dilate(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((SHORT, 1), np.uint8)), np.ones((1, 3)))
    long = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((LONG, 1), np.uint8)).sum(axis=0, dtype=np.int64)
    sides = [0, pixels.shape[1]]
    for _ in range(MOST_SIDES):
        at = int(long.argmax())
        if long[at] < LONG:
            break
        sides.append(at)
        long[at] = 0
    return _Edges(np.asarray(wide, np.uint8), np.asarray(ruled, np.uint8), np.unique(sides))


def _boxes(across: _Edges, down: _Edges) -> list[tuple[int, int, int, int]]:
    """Left, top, right, bottom of rectangles whose four sides show, the best shown first."""
    xs, ys = across.sides, down.sides
    shown_x, shown_y = _shown(across, ys), _shown(down, xs)  # (x, y, y), (y, x, x)
    left, right = shown_x[:, None], shown_x[None]  # (x, x, y, y)
    upper, lower = shown_y[:, None], shown_y[None]  # (y, y, x, x)
    least = np.minimum(np.minimum(left, right), np.minimum(upper, lower).transpose(2, 3, 0, 1))
    wide, high = np.subtract.outer(xs, xs).T, np.subtract.outer(ys, ys).T
    fits = (least >= SHOWN) & (wide[:, :, None, None] >= FEWEST * NARROWEST)
    fits &= high[None, None] >= FEWEST * NARROWEST
    at = np.argwhere(fits)
    area = (wide[:, :, None, None] * high[None, None])[fits]
    order = np.argsort(-area * least[fits] ** 4, kind="stable")[:MOST_PANELS]
    return [(int(xs[a]), int(ys[c]), int(xs[b]), int(ys[d])) for a, b, c, d in at[order]]


def _shown(edges: _Edges, ends: NDArray[np.int64]) -> NDArray[np.float32]:
    """(sides, ends, ends): how much of each side shows between two ends."""
    high, wide = edges.all.shape
    sums = np.zeros((high + 1, len(edges.sides)), np.int32)
    for k, side in enumerate(edges.sides):
        column = edges.all[:, side] if 0 < side < wide else np.ones(high, np.uint8)
        np.cumsum(column, dtype=np.int32, out=sums[1:, k])
    picked = sums[ends].T.astype(np.float32)
    length = np.maximum(1, np.abs(np.subtract.outer(ends, ends))).astype(np.float32)
    return np.asarray(np.abs(picked[:, :, None] - picked[:, None, :]) / length, np.float32)


def _partings(
    sums: NDArray[np.int32], band: tuple[int, int], span: tuple[int, int]
) -> list[tuple[int, float, float]]:
    """Numbers of cells along a side, their pitch, and how much more than by chance edges lie between them."""
    (start, end), (low, high) = band, span
    profile = (sums[end - 1, low:high] - sums[start, low:high]).astype(np.float64) / (end - start)
    inner = profile[3:-3]
    middle, spread = float(inner.mean()), float(inner.std()) + 1e-3
    length = high - low
    counts = np.arange(max(FEWEST, int(np.ceil(length / WIDEST))), int(length / NARROWEST) + 1)
    ends = np.cumsum(counts - 1)
    if not len(ends):
        return []
    nth = np.arange(1, ends[-1] + 1) - np.repeat(ends - counts + 1, counts - 1)  # 1 to count - 1, for each
    at = np.rint(nth * np.repeat(length / counts, counts - 1)).astype(int)
    shown = np.add.reduceat(profile[at], ends - counts + 1) / (counts - 1)
    beyond = (shown - middle) / spread * np.sqrt(counts - 1)
    best = np.argsort(-beyond, kind="stable")[:MOST_PARTINGS]
    return [(int(counts[k]), float(length / counts[k]), float(beyond[k])) for k in best]
