"""Brings looks together that differ only by where between two pixels their cells begin.

A picture that was scaled draws one digit in many ways: its cells begin at another fraction of a pixel each
time. So two drawings are laid over each other, one moved a little until they fit best, and what is left is
measured against how strong the drawing is: two fonts' worth of ink apart is another digit, a seam is not.
Cells in which nothing is drawn must be much the same, their sides too: hidden and open ones may differ by a
bevel or a shade only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.looks import Ids

SIDE = 32  # pixels that a cell is brought to
REACH = 2  # of them that it may be moved
BAND = 6  # of them that a side is wide
RIM = 2  # of SIDE / 2 that are not compared: lines between cells come and go
SAME = 0.2  # of the contrast of a drawing that two pictures of it may differ anywhere, or
SPOT, OVERALL = 0.32, 0.055  # so much on a spot where they differ so little overall (root of the mean square)
SHADE = 10  # grey levels that the middles of two cells without a drawing may differ, and
SEAM = 16  # their sides: a step in which a line moves from one cell into the next
DRAWN = 40  # grey levels; less contrast is no drawing

Samples = NDArray[np.int16]


@dataclass(frozen=True, eq=False)
class _Cell:
    """A look made ready to be compared: as it is, moved about, its four sides, how much its middle varies."""

    sample: Samples
    moved: Samples
    sides: Samples
    contrast: float

    @classmethod
    def of(cls, picture: Pixels) -> _Cell:
        """The same of one picture."""
        square = _square(picture)
        return cls(_sample(square), _moved(square), _sides(square), _contrast(square))

    def is_like(self, other: _Cell) -> bool:
        """Whether both show the same, but for where between pixels they begin."""
        apart = np.abs(self.moved - other.sample)
        off = apart.max(axis=(1, 2, 3)).min()
        if (ink := min(self.contrast, other.contrast)) >= DRAWN:
            overall = np.sqrt((apart.astype(np.float32) ** 2).mean(axis=(1, 2, 3)).min())
            return bool(off <= SAME * ink or (off <= SPOT * ink and overall <= OVERALL * ink))
        is_plain = max(self.contrast, other.contrast) < DRAWN
        return is_plain and bool(off <= SHADE and np.abs(self.sides - other.sides).max() <= SEAM)


def merge(pictures: Sequence[Pixels], ids: Ids) -> tuple[list[Pixels], Ids]:
    """Fewer looks: the picture that stands for each, and the look of every cell among them.

    `pictures` has one for each look that `ids` names. The commonest of those that are one stands for all.
    """
    chosen: list[int] = []
    cells: list[tuple[int, _Cell]] = []
    renamed = np.zeros(len(pictures), np.int32)
    counts = np.bincount(ids, minlength=len(pictures))
    for look in np.argsort(-counts, kind="stable").tolist():
        cell = _Cell.of(pictures[look])
        same = next((place for place, other in cells if other.is_like(cell)), None)
        if same is None or cell.contrast < DRAWN:  # plain ones are linked one by one, drawings to the first
            cells.append((len(chosen) if same is None else same, cell))
        if same is None:
            chosen.append(look)
        renamed[look] = cells[-1][0] if same is None else same
    return [pictures[look] for look in chosen], renamed[ids]


def _square(picture: Pixels) -> Pixels:
    way = cv2.INTER_AREA if picture.shape[0] > SIDE else cv2.INTER_LINEAR
    return cv2.resize(picture, (SIDE, SIDE), interpolation=way).astype(np.uint8)


def _contrast(square: Pixels) -> float:
    """How much the middle of a cell varies, in grey levels."""
    middle = square[7:-7, 7:-7].reshape(-1, 3)
    return float((np.percentile(middle, 98, axis=0) - np.percentile(middle, 2, axis=0)).max())


def _sample(square: NDArray[np.uint8]) -> Samples:
    """What is compared: the cell at half its size, blurred, without its rim."""
    small = cv2.resize(square, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return cv2.GaussianBlur(small, (3, 3), 0)[RIM:-RIM, RIM:-RIM].astype(np.int16)


def _sides(square: Pixels) -> Samples:
    """The mean colour along each side, (4, 3): a line in a cell is there wherever it falls between pixels."""
    bands = square[:BAND], square[-BAND:], square[:, :BAND], square[:, -BAND:]
    return np.stack([band.reshape(-1, 3).mean(axis=0) for band in bands]).astype(np.int16)


def _moved(square: Pixels) -> Samples:
    """The samples of a cell that is moved by up to REACH in every direction: (moves, height, width, 3)."""
    padded = cv2.copyMakeBorder(square, REACH, REACH, REACH, REACH, cv2.BORDER_REPLICATE).astype(np.uint8)
    places = range(2 * REACH + 1)
    return np.stack([_sample(padded[y : y + SIDE, x : x + SIDE]) for y in places for x in places])
