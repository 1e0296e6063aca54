"""Cut-outs of a picture for the judge of cells: places where a cell may be, with half a cell around each."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels

SIDE = 32  # pixels of a cut-out, across and down; the network was trained on so many
AROUND = 0.5  # of the cell's width and height that are seen on each side of it
LEAST_SPREAD = 4.0  # grey levels added to the spread, so that noise of one or two stays small

Place = tuple[float, float, float, float]  # left, top, right, bottom of a cell, pixels
Window = tuple[int, int, int, int]  # the same of what is seen, in whole pixels


def windows(places: Sequence[Place]) -> list[Window]:
    """What is seen of each place: it and its surroundings."""
    found = []
    for left, top, right, bottom in places:
        across, down = AROUND * (right - left), AROUND * (bottom - top)
        found.append((round(left - across), round(top - down), round(right + across), round(bottom + down)))
    return found


def cut_outs(pixels: Pixels, seen: Sequence[Window]) -> NDArray[np.uint8]:
    """(windows, SIDE, SIDE, 3): what each shows. Beyond the picture its border is repeated."""
    found = np.zeros((len(seen), SIDE, SIDE, 3), np.uint8)
    high, wide = pixels.shape[:2]
    for index, (x0, y0, x1, y1) in enumerate(seen):
        part = pixels[max(0, y0) : max(0, y1), max(0, x0) : max(0, x1)]
        if not part.size:
            continue
        over = max(0, -y0), max(0, y1 - high), max(0, -x0), max(0, x1 - wide)
        if any(over):
            part = cv2.copyMakeBorder(part, *over, cv2.BORDER_REPLICATE).astype(np.uint8)
        way = cv2.INTER_AREA if min(part.shape[:2]) > SIDE else cv2.INTER_LINEAR
        cv2.resize(part, (SIDE, SIDE), dst=found[index], interpolation=way)
    return found


def prepared(cut: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(n, 3, SIDE, SIDE) for the network: each cut-out without its mean, in units of its own spread."""
    planes = np.ascontiguousarray(cut.transpose(0, 3, 1, 2), np.float32)
    flat = planes.reshape(len(planes), -1)
    flat -= flat.mean(axis=1, keepdims=True)
    flat /= flat.std(axis=1, keepdims=True) + LEAST_SPREAD
    return planes
