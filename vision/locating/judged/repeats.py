"""Where a picture repeats itself at an even distance: covers of any kind are all one picture.

The picture is compared with itself moved by each distance, in half its size; distances at which many edges
meet edges are pitches. Where it equals itself one pitch to the right and one pitch down, a board may be.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.locating.lines import SQUARE, STRETCH

Floats = NDArray[np.float32]

ALIKE = (
    12  # grey levels that equal places may differ, of 256: JPEG at quality 80 moves plain areas by up to 10
)
SHORTEST, LONGEST = 5, 64  # halved pixels between two cells: cells of 10 to 128 pixels
BEST = 5  # distances along each axis that are tried together
COMPARABLE = 0.6  # of the largest area: windows of longer pitches are larger, and so is what they cover
EQUAL = 0.93  # of a window that must repeat itself; a flag or a number is allowed in one of two cells


@dataclass(frozen=True)
class Repeat:
    """An area that repeats itself: left, top, right, bottom, and the distances across and down; pixels."""

    box: tuple[int, int, int, int]
    across: float
    down: float

    @property
    def area(self) -> int:
        """Pixels."""
        left, top, right, bottom = self.box
        return (right - left) * (bottom - top)

    def magnified(self, times: int) -> Repeat:
        """The same in a picture so many times as large."""
        left, top, right, bottom = (times * each for each in self.box)
        return Repeat((left, top, right, bottom), times * self.across, times * self.down)


def find_repeats(pixels: Pixels) -> list[Repeat]:
    """Areas that repeat, the likeliest first.

    What repeats at a pitch does so at twice that, too: of the largest areas the shortest pitch comes first.
    Squares come before what is longer one way, for most cells are squares.
    """
    if min(pixels.shape[:2]) < 6 * SHORTEST:
        return []
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    half = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.uint8)
    edgy = cv2.morphologyEx(half, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    edges = cv2.threshold(edgy, ALIKE, 1, cv2.THRESH_BINARY)[1].astype(np.uint8)
    across, down = _distances(half, edges, 1), _distances(half, edges, 0)
    found: list[Repeat] = []
    same_x = {p: _same(half, p, 1) for p in across}
    same_y = {p: _same(half, p, 0) for p in down}
    for p in across:
        for q in down:
            if max(p, q) <= STRETCH * min(p, q):
                found += _areas(same_x[p], same_y[q], edges, p, q)
    most = COMPARABLE * max((repeat.area for repeat in found), default=0)

    def rank(repeat: Repeat) -> tuple[bool, int, float]:
        is_oblong = not 1 / SQUARE < repeat.across / repeat.down < SQUARE
        is_large = repeat.area >= most
        return is_oblong, not is_large, repeat.across + repeat.down if is_large else -repeat.area

    return sorted(found, key=rank)


def _same(half: NDArray[np.uint8], p: int, axis: int) -> NDArray[np.uint8]:
    """1 where a pixel equals the one p further along an axis; as large as the picture, 0 at its end."""
    same = np.zeros_like(half)
    if axis == 1:
        apart = cv2.absdiff(half[:, p:], half[:, :-p])
        same[:, :-p] = cv2.threshold(apart, ALIKE, 1, cv2.THRESH_BINARY_INV)[1]
    else:
        apart = cv2.absdiff(half[p:], half[:-p])
        same[:-p] = cv2.threshold(apart, ALIKE, 1, cv2.THRESH_BINARY_INV)[1]
    return same


def _distances(half: NDArray[np.uint8], edges: NDArray[np.uint8], axis: int) -> list[int]:
    """The distances at which most edges of the picture meet their like."""
    thin = (half, edges) if axis == 0 else (half.T, edges.T)
    picture, edge = (np.ascontiguousarray(each[:, ::2]) for each in thin)
    scores = np.zeros(LONGEST + 2, np.float32)
    limit = min(LONGEST + 1, picture.shape[0] // 2)
    for p in range(SHORTEST - 1, limit + 1):
        apart = cv2.absdiff(picture[p:], picture[:-p])
        same = cv2.threshold(apart, ALIKE, 1, cv2.THRESH_BINARY_INV)[1]
        scores[p] = cv2.countNonZero(cv2.min(cv2.min(same, edge[p:]), edge[:-p]))
    peaks = [
        p
        for p in range(SHORTEST, limit)
        if scores[p] > scores[p - 1] and scores[p] >= scores[p + 1] and scores[p] > 0
    ]
    around = {p: float(np.median(scores[max(SHORTEST, p - 6) : p + 7])) for p in peaks}
    peaks.sort(key=lambda p: -(scores[p] - around[p]))
    return peaks[:BEST]


def _areas(
    same_x: NDArray[np.uint8], same_y: NDArray[np.uint8], edges: NDArray[np.uint8], p: int, q: int
) -> list[Repeat]:
    """The areas that repeat at p across and q down: every window of two cells is the same, and not empty."""
    both = cv2.min(same_x, same_y)
    wide, high = 2 * p, 2 * q
    share = cv2.boxFilter(
        both, cv2.CV_32F, (wide, high), anchor=(0, 0), normalize=True, borderType=cv2.BORDER_CONSTANT
    )
    drawn = cv2.boxFilter(
        edges, cv2.CV_32F, (wide, high), anchor=(0, 0), normalize=False, borderType=cv2.BORDER_CONSTANT
    )
    good = ((share >= EQUAL) & (drawn >= 4)).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(good, connectivity=8)
    found = []
    order = np.argsort(-stats[1:, cv2.CC_STAT_AREA])[:2] + 1
    for left, top, width, height, area in stats[order]:
        if area < p * q / 2:
            continue
        right, bottom = left + width + wide + p, top + height + high + q
        found.append(Repeat((2 * left, 2 * top, 2 * right, 2 * bottom), 2.0 * p, 2.0 * q))
    return found
