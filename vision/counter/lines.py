"""Lines of letters and figures beside a board: where ink lies on an even ground, glyph by glyph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels

HEIGHTS = (6, 90)  # pixels; of a line
STEP = 24  # grey levels between neighbouring pixels that make an edge
FAINT = 60  # grey levels between ink and ground, at the least
REACHES = (3, 7, 15)  # pixels; across gaps so wide the glyphs of one line are joined
SHARES = (0.5, 0.75)  # of the strongest ink: what counts as ink; the second where unlit segments show
OVER = 0.35  # of the narrower one: parts that lie over each other so far are one glyph
MOST = 60  # glyphs in a line
Ink = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Glyph:
    """One letter or figure: its box in the picture (left, top, width, height), and its ink there, 0 to 1."""

    box: tuple[int, int, int, int]
    ink: Ink


@dataclass(frozen=True, eq=False)
class Line:
    """Glyphs beside one another, from left to right."""

    glyphs: tuple[Glyph, ...]

    @property
    def height(self) -> int:
        """Pixels, of the highest glyph."""
        return max(glyph.box[3] for glyph in self.glyphs)


def lines_in(pixels: Pixels) -> Iterator[Line]:
    """Every line that a picture may hold; one line may come several times, cut in other ways."""
    seen: set[tuple[int, int, int, int]] = set()
    for box in _boxes(pixels):
        if box in seen:
            continue
        seen.add(box)
        left, top, width, height = box
        part = pixels[top : top + height, left : left + width]
        for ink in _inks(part):
            glyphs = _glyphs(ink, left, top)
            if 0 < len(glyphs) <= MOST:
                yield Line(tuple(glyphs))


def _boxes(pixels: Pixels) -> Iterator[tuple[int, int, int, int]]:
    """Where there may be a line, with a rim of a pixel or two of its ground."""
    cross = np.ones((2, 2), np.uint8)
    steps = cv2.dilate(pixels, cross).astype(np.int16) - cv2.erode(pixels, cross)
    edges = (steps.max(axis=2) > STEP).astype(np.uint8)
    for reach in REACHES:
        joined = cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((1, reach), np.uint8))
        contours, _ = cv2.findContours(joined, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            x, y, width, height = (int(side) for side in cv2.boundingRect(contour))
            if HEIGHTS[0] <= height <= HEIGHTS[1] and width >= 2:
                left, top = max(0, x - 2), max(0, y - 2)
                right = min(pixels.shape[1], x + width + 2)
                bottom = min(pixels.shape[0], y + height + 2)
                yield left, top, right - left, bottom - top


def _inks(part: Pixels) -> Iterator[Ink]:
    """How much ink is where (0 to 1), for each share of the strongest ink that may be the least."""
    coarse = (part >> 4).reshape(-1, 3).astype(np.int32)
    codes = coarse[:, 0] << 8 | coarse[:, 1] << 4 | coarse[:, 2]
    usual = np.bincount(codes).argmax()
    ground = np.median(part.reshape(-1, 3)[codes == usual], axis=0)
    far = np.abs(part.astype(np.float32) - ground).max(axis=2)
    strongest = float(np.percentile(far, 99))
    if strongest < FAINT:
        return
    for share in SHARES:
        if share == SHARES[0]:
            yield np.clip(far / strongest, 0, 1).astype(np.float32)
        else:  # what is weaker than the share is ground
            low = 2 * share - 1
            yield np.clip((far / strongest - low) / (1 - low), 0, 1).astype(np.float32)


def _glyphs(ink: Ink, left: int, top: int) -> list[Glyph]:
    """The glyphs in a part of a picture whose corner is at (left, top). Frames are left out."""
    high, wide = ink.shape
    mask = (ink >= 0.5).astype(np.uint8)
    close = max(1, high // 14)  # the segments of a figure need not touch
    joined = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((close, close), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    parts = []
    for x, y, width, height, _ in stats[1:].tolist():
        touches = (x == 0) + (y == 0) + (x + width == wide) + (y + height == high)
        if touches < 2 and not (width > 0.9 * wide and height > 0.9 * high and wide > 2 * high):
            parts.append([x, y, x + width, y + height])
    parts.sort()
    merged: list[list[int]] = []
    for part in parts:
        if merged and _lie_over(merged[-1], part):
            last = merged[-1]
            merged[-1] = [last[0], min(last[1], part[1]), max(last[2], part[2]), max(last[3], part[3])]
        else:
            merged.append(part)
    return [
        Glyph((left + x, top + y, right - x, bottom - y), ink[y:bottom, x:right])
        for x, y, right, bottom in merged
    ]


def _lie_over(one: list[int], other: list[int]) -> bool:
    common = min(one[2], other[2]) - max(one[0], other[0])
    return common > OVER * min(one[2] - one[0], other[2] - other[0])
