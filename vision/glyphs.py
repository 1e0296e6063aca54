"""What the glyph in a cell could be, by its shape: how much it looks like each digit in many typefaces.

Colour, size and place say nothing here. The typefaces are those that OpenCV can draw with, in several weights
and widths, and a few drawn in dots (`vision.dots`). No program's own digits are among
them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dots import LETTERS, TYPEFACES
from vision.frame import Pixels

SIDE = 32  # pixels that a cell is brought to before its glyph is looked for
TALL = 24  # and a glyph, which keeps its proportions, to this height
INKED = 24  # grey levels that ink must differ from the ground
RIM = 2  # pixels along the sides that are not looked at
SPECK = 6  # pixels; less is no part of a glyph
LEAST = 0.25  # of the cell; a glyph is at least so high
WIDEST = 1.35  # of its height; no digit is wider
HOLE_COUNTS = 0.05  # of likeness, for each hole too many or too few
SMALLEST_HOLE = 0.004  # of the cell
DIGITS = "12345678"

Floats = NDArray[np.float32]
Mask = NDArray[np.float32]  # (height, width), 0 ground to 1 ink

_FACES = ("sans", "italic", "uni")
_WEIGHTS = (200, 400, 600, 800)
_WIDTHS = (0.78, 0.9, 1.0, 1.15)


@dataclass(frozen=True, eq=False)
class Glyph:
    """The ink of a cell.

    `mask` is (SIDE, SIDE), 0 to 1. `colours` is how far apart the colours of the ink are, in grey levels:
    little for a number, which has one, much for a drawing in several.
    """

    mask: Mask
    colours: float


def find_glyph(picture: Pixels) -> Glyph | None:
    """The glyph in the picture of one cell (height, width, 3), None when it shows nothing but ground.

    Lines along the cell's sides are no glyph.
    """
    cell = cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR).astype(np.float32)
    ground = _ground(cell)
    off = np.abs(cell - ground).max(axis=2)
    inner = off[4:-4, 4:-4]
    strongest = float(np.percentile(inner, 99))
    if strongest < INKED:
        return None
    limit = max(INKED / 2, 0.45 * strongest)
    mask = _without_sides((off > limit).astype(np.uint8))
    rows = np.flatnonzero(mask.any(axis=1))
    if not len(rows) or (rows[-1] - rows[0] + 1) < LEAST * SIDE:
        return None
    strength = np.clip(off / (0.9 * strongest), 0.0, 1.0) * cv2.dilate(mask, np.ones((3, 3), np.uint8))
    solid = cell[cv2.erode(mask, np.ones((2, 2), np.uint8)) > 0]
    low, high = np.percentile(solid if len(solid) else cell[mask > 0], (10, 90), axis=0)
    return Glyph(strength.astype(np.float32), float((high - low).max()))


def _ground(cell: Floats) -> Floats:
    """The commonest colour around the middle, where a glyph has little ink."""
    around = np.ones((SIDE, SIDE), np.bool_)
    around[:3], around[-3:], around[:, :3], around[:, -3:] = False, False, False, False
    around[8:-8, 8:-8] = False
    middle = cell[around]
    codes = (middle // 16).astype(np.int64) @ np.array([4096, 64, 1])
    values, counts = np.unique(codes, return_counts=True)
    common = middle[codes == values[counts.argmax()]]
    near = np.abs(middle - np.median(common, axis=0)).max(axis=1) < 16
    ground: Floats = np.median(middle[near], axis=0).astype(np.float32)
    return ground


def _without_sides(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The mask without the lines and bevels along the sides of the cell, and without specks."""
    inner = np.zeros_like(mask)
    inner[RIM:-RIM, RIM:-RIM] = mask[RIM:-RIM, RIM:-RIM]
    count, labels, stats, _ = cv2.connectedComponentsWithStats(inner, connectivity=8)
    kept = np.zeros_like(mask)
    last = SIDE - RIM
    for k in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[k])
        sides = (x == RIM) + (y == RIM) + (x + w == last) + (y + h == last)
        is_line = sides and max(w, h) >= 0.75 * SIDE and (min(w, h) <= 3 or area < 0.3 * w * h)
        if not is_line and sides < 3 and area >= SPECK:
            kept[labels == k] = 1
    return kept


def shape_of(mask: Mask) -> Floats | None:
    """A glyph's shape, whatever its size and place: (TALL * TALL,) with mean 0 and length 1.

    None for a shape that no digit has (much wider than high, or next to nothing).
    """
    solid = mask > 0.5
    rows, columns = np.flatnonzero(solid.any(axis=1)), np.flatnonzero(solid.any(axis=0))
    if not len(rows):
        return None
    high, wide = int(rows[-1] - rows[0] + 1), int(columns[-1] - columns[0] + 1)
    if wide > WIDEST * high:
        return None
    cut = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    across = max(3, min(TALL, round(wide * TALL / high)))
    scaled = cv2.resize(
        cut, (across, TALL), interpolation=cv2.INTER_AREA if high > TALL else cv2.INTER_LINEAR
    )
    canvas = np.zeros((TALL, TALL), np.float32)
    left = (TALL - across) // 2
    canvas[:, left : left + across] = scaled
    blurred = cv2.GaussianBlur(canvas, (0, 0), 1.2).reshape(-1)
    centred = blurred - blurred.mean()
    length = float(np.linalg.norm(centred))
    return (centred / length).astype(np.float32) if length > 1e-3 else None


def holes_in(mask: Mask) -> int:
    """How many areas of ground a glyph encloses: 2 for an 8, 1 for a 6, 1 or 0 for a 4."""
    ground = np.pad((mask <= 0.5).astype(np.uint8), 1, constant_values=1)
    count, _, stats, _ = cv2.connectedComponentsWithStats(ground, connectivity=4)
    least = SMALLEST_HOLE * mask.size
    return sum(int(stats[k, 4]) >= least for k in range(2, count))


def likeness_to_letters(glyph: Glyph) -> dict[str, float]:
    """For each of LETTERS how much the glyph is like it in the typeface that fits best, -1 to 1."""
    shape = shape_of(glyph.mask)
    if shape is None:
        return dict.fromkeys(LETTERS, -1.0)
    letters, shapes, holes = _typefaces()
    like = shapes @ shape - HOLE_COUNTS * np.abs(holes - holes_in(glyph.mask))
    return {letter: float(like[letters == letter].max()) for letter in LETTERS}


@lru_cache(maxsize=1)
def _typefaces() -> tuple[NDArray[np.str_], Floats, NDArray[np.int64]]:
    """Every drawn letter, its shape and its holes: (n,), (n, TALL * TALL) and (n,)."""
    letters, shapes, holes = [], [], []
    for letter, mask in _drawn():
        for width in _WIDTHS:
            size = (max(2, round(mask.shape[1] * width)), mask.shape[0])
            shape = shape_of(cv2.resize(mask, size, interpolation=cv2.INTER_AREA).astype(np.float32))
            if shape is not None:
                letters.append(letter)
                shapes.append(shape)
                holes.append(holes_in(mask))
    return np.array(letters), np.stack(shapes), np.array(holes)


def _drawn() -> Iterator[tuple[str, Mask]]:
    for face_name in _FACES:
        face = cv2.FontFace(face_name)
        for weight in _WEIGHTS:
            for letter in LETTERS:
                canvas = np.zeros((80, 90, 3), np.uint8)
                cv2.putText(canvas, letter, (15, 64), (255, 255, 255), face, 60, weight)
                yield letter, (canvas[:, :, 0] / 255).astype(np.float32)
    for dots in TYPEFACES:
        for letter, rows in dots.items():
            bitmap = np.array([[mark == "1" for mark in row] for row in rows], np.float32)
            for soft in (cv2.INTER_NEAREST, cv2.INTER_CUBIC):
                size = (bitmap.shape[1] * 8, bitmap.shape[0] * 8)
                drawn = cv2.resize(bitmap, size, interpolation=soft)
                yield letter, np.clip(drawn, 0.0, 1.0).astype(np.float32)
