"""A closer look at small writing: a cell cut down to what is drawn in it.

Programs write numbers of ten pixels into cells of fifty. At the network's size little is left of them, and a
smaller cell around the same number is a cell as well, so the network is shown both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels

# Chosen on drawn cells of the validation families (docs/decisions/046-a-closer-look.md).
RIM = 0.14  # of a cell's side: what edges and lines may take
FAINT = 16.0  # grey levels: what stands out no more than this is no drawing
INK = 0.3  # of what stands out most: what belongs to the drawing
SMALL = 0.55  # of a cell's side: drawings up to this size are looked at more closely
FILLED = 0.7  # of the smaller cell's side: the drawing in it
LEAST_DRAWING, LEAST_CELL = 5, 16  # pixels: smaller ones have no more to show


def closer(pictures: Sequence[Pixels]) -> dict[int, Pixels]:
    """The parts of cells' pictures, (height, width, 3) each, around a small drawing, by their places.

    Those without one have none.
    """
    by_shape: dict[tuple[int, ...], list[int]] = {}
    for k, picture in enumerate(pictures):
        if min(picture.shape[:2]) >= LEAST_CELL:
            by_shape.setdefault(picture.shape, []).append(k)
    found = {}
    for (height, width, _), places in by_shape.items():
        above, left = round(height * RIM), round(width * RIM)
        inner = np.stack([pictures[k][above : height - above, left : width - left] for k in places])
        for which, top, bottom, first, last in _drawings(inner):
            size = max(bottom - top, last - first)
            if size < LEAST_DRAWING or bottom - top > SMALL * height or last - first > SMALL * width:
                continue
            side = min(round(size / FILLED), height, width)
            y = _start((top + bottom) / 2 + above, side, height)
            x = _start((first + last) / 2 + left, side, width)
            found[places[which]] = pictures[places[which]][y : y + side, x : x + side]
    return found


def _drawings(inner: Pixels) -> Iterator[tuple[int, int, int, int, int]]:
    """The place of each picture that shows something, and where that begins and ends, down and across."""
    planes = np.ascontiguousarray(inner.transpose(0, 3, 1, 2))
    ground = np.median(planes.reshape(*planes.shape[:2], -1), axis=2).astype(np.float32)
    stands_out = np.abs(planes - ground[:, :, None, None]).max(axis=1)
    most = stands_out.max(axis=(1, 2)).astype(np.float64)
    ink = stands_out > np.maximum(FAINT / 2, INK * most)[:, None, None]
    down, across = _extents(ink.any(axis=2)), _extents(ink.any(axis=1))
    for k in np.flatnonzero(most >= FAINT):
        yield int(k), *down[k], *across[k]


def _extents(has_ink: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Where it begins in each row, and ends."""
    ends = has_ink.shape[1] - has_ink[:, ::-1].argmax(axis=1)
    return list(zip(has_ink.argmax(axis=1).tolist(), ends.tolist(), strict=True))


def _start(middle: float, side: int, whole: int) -> int:
    """The first pixel of a part of this side around the middle, inside of the whole."""
    return min(max(round(middle - side / 2), 0), whole - side)
