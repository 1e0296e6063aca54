"""A closer look at small writing: a cell cut down to what is drawn in it.

Programs write numbers of ten pixels into cells of fifty. At the network's size little is left of them, and a
smaller cell around the same number is a cell as well, so the network is shown both.
"""

from __future__ import annotations

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


def closer(picture: Pixels) -> Pixels | None:
    """The square around a small drawing in a cell's picture, (height, width, 3); None if there is none."""
    height, width = picture.shape[:2]
    if min(height, width) < LEAST_CELL:
        return None
    above, left = round(height * RIM), round(width * RIM)
    inner = picture[above : height - above, left : width - left].astype(np.int16)
    ground = np.median(inner.reshape(-1, 3), axis=0)
    stands_out = np.abs(inner - ground).max(axis=2)
    if stands_out.max() < FAINT:
        return None
    ink = stands_out > max(FAINT / 2, INK * stands_out.max())
    top, bottom = _extent(ink.any(axis=1))
    first, last = _extent(ink.any(axis=0))
    size = max(bottom - top, last - first)
    if size < LEAST_DRAWING or bottom - top > SMALL * height or last - first > SMALL * width:
        return None
    side = min(round(size / FILLED), height, width)
    y = _start((top + bottom) / 2 + above, side, height)
    x = _start((first + last) / 2 + left, side, width)
    return picture[y : y + side, x : x + side]


def _extent(has_ink: NDArray[np.bool_]) -> tuple[int, int]:
    """Where it begins, and ends."""
    places = np.flatnonzero(has_ink)
    return int(places[0]), int(places[-1]) + 1


def _start(middle: float, side: int, whole: int) -> int:
    """The first pixel of a part of this side around the middle, inside of the whole."""
    return min(max(round(middle - side / 2), 0), whole - side)
