"""Find boards of text: equal characters at equal distances on one colour, without lines.

Such a board has no sides, so neither lines nor the judge of cells find it. But it has many covered cells
that show the same character. The characters of a picture are the connected areas that differ from its
ground. Equal ones at the most frequent distances give the columns and rows; then the outermost cells are
those with a character that also occurs inside. Characters on the same side of most cells, such as brackets,
are not their content. Prose has more characters, and none in a quarter of all places.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.locate.boxes import LONGEST
from vision.locate.grid import ALIKE, FEWEST, NARROWEST, WIDEST, Grid, largest_difference

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

GROUNDS = 3  # most frequent colours that are tried
GROUND_SHARE = 0.04  # fraction of the picture that a ground covers
INK = 60  # grey levels; smallest difference of a character from its ground
PARTS = 3  # pixels; largest gap between the parts of a character, such as those of a `?`
SPACE = 3  # pixels above or below a character that show the ground; specks of photos have others around
MOST_CHARACTERS = 6000  # in a picture; more are a texture
SHAPE = 8  # pixels; characters are compared at this width and height
EQUAL = 0.2  # mean difference of equal characters, 0..1; rounding to pixels changes their shapes
KINDS = 12  # of characters on a board: numbers, covers, marks, mines
SIGNS = 4  # most frequent characters that may be those of the covers
COVERED = 24  # cells with the character of the covers
COVERED_SHARE = 0.25  # of all cells
FOREIGN = 0.04  # fraction of the cells that may show anything else, such as the pointer
STRANGE = 0.2  # the same of the drawn cells of an outermost row or column
ALIGNED = 0.2  # fraction of a cell by which the middle of a character may be off
STEADY = 0.95  # length of the mean of the places in the cells as unit vectors; 1: all are equal
LINED_UP = 0.8  # fraction of the signs that must be aligned; others are in words
SOLID = 0.35  # fraction of a cell; signs with more ink are areas, whose sides the judge sees
LOW = 0.25  # fraction of a cell; a lower sign may stand on the line of the numbers, which are higher
RAISED = 0.15  # fraction of a cell by which the lines around such a sign are higher
CLEAR = 0.95  # fraction of the places between cells that show the ground; wide characters touch
BLANK, OTHER = -1, -2  # a cell without a character; one with a character of no kind of the board


def propose_from_letters(pixels: Pixels) -> list[Grid]:
    """The boards of text in the picture, at most one for each ground colour; lines in pixels."""
    found = []
    for ground in _grounds(pixels):
        boxes, kinds = _characters(pixels, ground)
        counts = np.bincount(kinds[kinds >= 0]) if len(kinds) else np.zeros(0, int)
        for kind in np.argsort(-counts)[:SIGNS]:
            grid = _grid_of(boxes, kinds, int(kind)) if counts[kind] >= COVERED else None
            if grid and _is_without_lines(pixels, ground, grid):
                found.append(grid)
                break
    return found


def _is_without_lines(pixels: Pixels, ground: NDArray[np.uint8], grid: Grid) -> bool:
    """Whether the ground also shows between the cells of the board."""
    xs, ys = (np.clip(np.round(grid.lines(axis)).astype(int), 0, pixels.shape[axis] - 1) for axis in (1, 0))
    between = np.concatenate(
        (pixels[ys[1:-1], xs[0] : xs[-1]].reshape(-1, 3), pixels[ys[0] : ys[-1], xs[1:-1]].reshape(-1, 3))
    )
    apart = np.abs(between.astype(np.int16) - ground).max(axis=1)
    return bool(np.mean(apart <= ALIKE) >= CLEAR)


def _grounds(pixels: Pixels) -> Iterator[NDArray[np.uint8]]:
    """The most frequent colours of a picture."""
    some = pixels[::2, ::2].reshape(-1, 3).astype(np.int32)
    packed = some[:, 0] << 16 | some[:, 1] << 8 | some[:, 2]
    colours, counts = np.unique(packed, return_counts=True)
    for at in np.argsort(-counts)[:GROUNDS]:
        if counts[at] >= GROUND_SHARE * len(packed):
            yield np.array([colours[at] >> 16 & 255, colours[at] >> 8 & 255, colours[at] & 255], np.uint8)


def _characters(pixels: Pixels, ground: NDArray[np.uint8]) -> tuple[Ints, Ints]:
    """Left, top, width, height and ink (pixels) of all areas on the ground, and their kinds (-1: single)."""
    unlike = largest_difference(pixels, np.array([*ground.tolist(), 0.0]))
    ink = cv2.threshold(unlike, INK, 1, cv2.THRESH_BINARY)[1]
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8, ltype=cv2.CV_32S)
    ink[(stats[:, 2:4].max(axis=1) > WIDEST)[labels]] = 0  # the first and last row may be near their edges
    joined = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((1 + PARTS, 1), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8, ltype=cv2.CV_32S)
    boxes = stats[1:].astype(np.int64)
    left, top, wide, high = boxes[:, :4].T
    above, below = (np.clip(each, 0, len(pixels) - 1) for each in (top - SPACE, top + high - 1 + SPACE))
    around = unlike[np.stack((above, below)), left + wide // 2]
    fits = (boxes[:, 2:4].max(axis=1) <= WIDEST) & (around <= ALIKE).any(axis=0)
    if not COVERED <= fits.sum() <= MOST_CHARACTERS:
        return np.zeros((0, 5), np.int64), np.zeros(0, np.int64)
    names = np.flatnonzero(fits) + 1
    boxes = boxes[fits]
    shapes = np.empty((len(boxes), SHAPE * SHAPE), np.float32)
    for at, (name, (x, y, wide, high, _)) in enumerate(zip(names, boxes.tolist(), strict=True)):
        own = (labels[y : y + high, x : x + wide] == name).astype(np.float32)
        shapes[at] = cv2.resize(own, (SHAPE, SHAPE), interpolation=cv2.INTER_AREA).ravel()
    return boxes, _kinds(boxes, shapes)


def _kinds(boxes: Ints, shapes: NDArray[np.float32]) -> Ints:
    """The kind of each character: equal ones have the same number, and single ones -1."""
    kinds = np.full(len(boxes), -1)
    left, kind = np.ones(len(boxes), np.bool_), 0
    while left.any():
        first = int(left.argmax())
        near = left & (np.abs(boxes[:, 2:4] - boxes[first, 2:4]).max(axis=1) <= 1)
        same = np.flatnonzero(near)[np.abs(shapes[near] - shapes[first]).mean(axis=1) <= EQUAL]
        left[same] = False
        if len(same) > 1:
            kinds[same] = kind
            kind += 1
    return kinds


def _grid_of(boxes: Ints, kinds: Ints, sign: int) -> Grid | None:
    """The board whose covers show the characters of this kind; None if they form none."""
    centres = boxes[:, :2] + boxes[:, 2:4] / 2
    signs = centres[kinds == sign]
    pitch = _pitch(signs, 0), _pitch(signs, 1)
    if min(pitch) < NARROWEST or max(pitch) > min(WIDEST, LONGEST * min(pitch)):
        return None
    wide, high, ink = boxes[kinds == sign, 2:].mean(axis=0).tolist()
    if max(wide / pitch[0], high / pitch[1]) > 1 or ink > SOLID * pitch[0] * pitch[1]:
        return None
    starts, steps = zip(*(_line_up(signs[:, axis], pitch[axis]) for axis in (0, 1)), strict=True)
    if not min(steps):
        return None
    is_beside = _is_beside(centres, kinds, np.array(starts), np.array(steps))
    shown, first = _shown(centres[~is_beside], kinds[~is_beside], np.array(starts), np.array(steps))
    box = _extent(shown, sign)
    if box is None:
        return None
    (left, top), (right, bottom) = box
    line = 0.5
    if is_beside.any():  # between a closing and an opening bracket
        line = float(np.quantile((centres[is_beside, 0] - starts[0]) / steps[0] % 1, (0.1, 0.9)).mean())
    xs = starts[0] + steps[0] * (first[0] + np.arange(left, right + 1) - 1 + line)
    ys = starts[1] + steps[1] * (first[1] + np.arange(top, bottom + 1) - 0.5)
    if high < LOW * pitch[1]:
        inside = (np.abs(centres - (xs.mean(), ys.mean())) < (np.ptp(xs) / 2, np.ptp(ys) / 2)).all(axis=1)
        ys -= steps[1] * _raised(boxes[inside], starts[1], steps[1])
    return Grid(tuple(xs.tolist()), tuple(ys.tolist()))


def _raised(boxes: Ints, start: float, step: float) -> float:
    """The fraction of a cell by which the middle of the numbers is higher than low signs."""
    tall = boxes[boxes[:, 3] >= LOW * step]
    places = (tall[:, 1] + tall[:, 3] / 2 - start) / step
    off = np.round(places) - places
    off = off[np.abs(off) <= 0.5 - ALIGNED]
    return float(np.median(off)) if len(off) >= COVERED / 2 else RAISED


def _pitch(centres: Floats, axis: int) -> float:
    """The most frequent distance of neighbours in a row (axis 0) or a column, in pixels; 0 without one."""
    order = np.lexsort((centres[:, axis], np.round(centres[:, 1 - axis])))
    steps = np.diff(centres[order], axis=0)
    gaps = steps[(np.abs(steps[:, 1 - axis]) <= 1) & (steps[:, axis] > 0), axis]
    if len(gaps) < COVERED // 2:
        return 0.0
    counts = np.bincount(np.round(gaps).astype(int)).astype(np.float32)
    best = int(np.convolve(counts, (0.9, 1.0, 0.9), "same").argmax())
    close = gaps[np.abs(gaps - best) <= 1.5]
    return float(close.mean()) if 2 * len(close) > len(gaps) else 0.0


def _line_up(places: Floats, pitch: float) -> tuple[float, float]:
    """One of the places and the exact distance, about `pitch`; (0, 0) if most are not in a line."""
    start, step = float(np.median(places)), pitch
    start += float(np.median((places - start + pitch / 2) % pitch)) - pitch / 2
    for _ in range(2):
        index = np.round((places - start) / step)
        fits = np.abs(places - start - step * index) <= ALIGNED * pitch
        if fits.mean() < LINED_UP or np.ptp(index[fits]) < FEWEST - 1:
            return 0.0, 0.0
        step, start = np.polyfit(index[fits], places[fits], 1).tolist()
    return start, step


def _is_beside(centres: Floats, kinds: Ints, start: Floats, step: Floats) -> NDArray[np.bool_]:
    """Which characters are on the same side of most cells, such as the brackets of `[ # ]`."""
    found = np.zeros(len(kinds), np.bool_)
    waves = np.exp(2j * np.pi * (centres - start) / step)
    for kind in np.unique(kinds[kinds >= 0]):
        mean = waves[kinds == kind].mean(axis=0)
        across, down = np.abs(np.angle(mean)) / (2 * np.pi)
        is_aside = across > 0.5 - ALIGNED >= down and (np.abs(mean) >= STEADY).all()
        if is_aside and np.count_nonzero(kinds == kind) >= COVERED:
            found |= kinds == kind
    return found


def _shown(centres: Floats, kinds: Ints, start: Floats, step: Floats) -> tuple[Ints, Ints]:
    """The kind in each place (row, column) of the whole picture, and the first (column, row)."""
    at = (centres - start) / step
    places = np.round(at).astype(int)
    first = places.min(axis=0)
    columns, rows = places.max(axis=0) - first + 1
    shown = np.full((rows, columns), BLANK)
    is_aligned = np.abs(at - places).max(axis=1) <= 0.5 - ALIGNED
    for (column, row), kind, fits in zip((places - first).tolist(), kinds.tolist(), is_aligned, strict=True):
        is_only = fits and kind >= 0 and shown[row, column] == BLANK
        shown[row, column] = kind if is_only else OTHER
    return shown, first


def _extent(shown: Ints, sign: int) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """First and last (column, row) of the board; the last are excluded. None if it is no board."""
    covers = (shown == sign).astype(np.uint8)
    if not covers.any():
        return None
    _, labels = cv2.connectedComponents(cv2.dilate(covers, np.ones((3, 3), np.uint8)))
    most = int(np.bincount(labels[covers > 0]).argmax())
    rows, columns = np.nonzero((labels == most) & (covers > 0))
    box = [int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1]

    def belongs(strip: Ints) -> bool:
        inside = _inside(shown, box)
        known = int(np.isin(strip, inside[inside >= 0]).sum())
        return known > 0 and int(np.count_nonzero(strip != BLANK)) - known <= STRANGE * known

    while wider := [side for side, strip in _strips(shown, box) if belongs(strip)]:
        box[wider[0]] += 1 if wider[0] > 1 else -1
    inside = _inside(shown, box)
    known = {kind for kind in inside.ravel().tolist() if kind >= 0}
    is_board = (
        min(inside.shape) >= FEWEST
        and (inside == sign).sum() >= COVERED
        and np.mean(inside == sign) >= COVERED_SHARE
        and np.mean(inside == OTHER) <= FOREIGN
        and len(known) <= KINDS
    )
    return ((box[0], box[1]), (box[2], box[3])) if is_board else None


def _inside(shown: Ints, box: list[int]) -> Ints:
    left, top, right, bottom = box
    return shown[top:bottom, left:right]


def _strips(shown: Ints, box: list[int]) -> Iterator[tuple[int, Ints]]:
    """The strips next to the four sides of a box, with the place of the side in `box`."""
    left, top, right, bottom = box
    if left > 0:
        yield 0, shown[top:bottom, left - 1]
    if top > 0:
        yield 1, shown[top - 1, left:right]
    if right < shown.shape[1]:
        yield 2, shown[top:bottom, right]
    if bottom < shown.shape[0]:
        yield 3, shown[bottom, left:right]
