"""Find flat areas that repeat at even distances: first candidates for cells.

The inside of a cell is mostly plain or changes slowly, and its sides are steps. The areas between steps are
therefore cells or similar parts of cells; many of one size on a common lattice are a possible board.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels

Ints = NDArray[np.int32]

LEVELS = (3, 10, 28)  # grey levels of a step; textures and gradients need the higher ones
SMALLEST, LARGEST = 4, 128  # pixels; side of a box
DOTS = 5  # pixels; maximum distance of dots that form a line
FEWEST = 6  # boxes per lattice
STRETCH = 2.2  # maximum aspect ratio of a cell: terminal characters have 2
LONGEST = 4.4  # the same if no other board is found: buttons of toolkits have 3.3
INNER = 1.5  # factor by which the flat middle of such a cell may be narrower still
SQUARE = 1.18  # maximum aspect ratio of cells that count as square


@dataclass(frozen=True)
class BoxLattice:
    """Boxes of one size on a common lattice.

    `lefts`, `tops`: start of each column and row, pixels, about one pitch apart. `width`, `height`: size of a
    box. `count`: number of boxes; `across`, `down`: the same per column and row.
    """

    lefts: tuple[float, ...]
    tops: tuple[float, ...]
    width: float
    height: float
    across_pitch: float
    down_pitch: float
    count: int
    across: tuple[int, ...]
    down: tuple[int, ...]


def colour_steps(pixels: Pixels) -> NDArray[np.uint8]:
    """Largest colour change of each pixel from its left and upper neighbours."""
    steps = np.zeros(pixels.shape[:2], np.uint8)
    for plane in cv2.split(pixels):
        right, down = steps[:, 1:], steps[1:]
        cv2.max(right, cv2.absdiff(plane[:, 1:], plane[:, :-1]), dst=right)
        cv2.max(down, cv2.absdiff(plane[1:], plane[:-1]), dst=down)
    return steps


def find_box_lattices(pixels: Pixels, stretch: float = STRETCH) -> list[BoxLattice]:
    """All box lattices at all levels, the one with most boxes first.

    `stretch` is the maximum aspect ratio of a cell.
    """
    if min(pixels.shape[:2]) < 2 * SMALLEST:
        return []  # no room for two cells
    steps = colour_steps(pixels)
    left, top, right, bottom = _busy(steps)
    seeds: list[BoxLattice] = []
    for level in LEVELS:
        boxes = flat_boxes(steps[top:bottom, left:right], level, level == min(LEVELS), stretch)
        seeds += lattices_of(boxes + np.array((left, top, 0, 0), np.int32), stretch)
    return sorted(seeds, key=lambda seed: -seed.count)


def _busy(steps: NDArray[np.uint8]) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of the area with steps, with a margin wider than a cell."""
    mask = cv2.threshold(steps, min(LEVELS), 1, cv2.THRESH_BINARY)[1]
    left, top, wide, high = cv2.boundingRect(mask)
    some = LARGEST // 2 + 1
    right, bottom = min(steps.shape[1], left + wide + some), min(steps.shape[0], top + high + some)
    return max(0, left - some), max(0, top - some), right, bottom


def flat_boxes(steps: NDArray[np.uint8], level: int, dotted: bool, stretch: float) -> Ints:
    """(n, 4) left, top, width, height of the flat areas that could be a cell or the middle of one.

    With `dotted`, a line of dots also separates two areas.
    """
    _, flat = cv2.threshold(steps, level, 1, cv2.THRESH_BINARY_INV)
    if dotted:
        lines = np.ones((1, DOTS), np.uint8), np.ones((DOTS, 1), np.uint8)
        flat = cv2.min(*(cv2.morphologyEx(flat, cv2.MORPH_OPEN, each) for each in lines))
    _, _, stats, _ = cv2.connectedComponentsWithStats(flat, connectivity=4, ltype=cv2.CV_32S)
    boxes = stats[1:]
    width, height, area = boxes[:, 2], boxes[:, 3], boxes[:, 4]
    fits = (width >= SMALLEST) & (width <= LARGEST) & (height >= SMALLEST) & (height <= LARGEST)
    longest = INNER * stretch
    square = (width <= longest * height) & (height <= longest * width) & (area * 3 >= width * height)
    return np.asarray(boxes[fits & square, :4], np.int32)


def lattices_of(boxes: Ints, stretch: float) -> Iterator[BoxLattice]:
    """The lattices of the boxes, for each frequent size."""
    while len(boxes) >= FEWEST:
        sizes = np.bincount(boxes[:, 2] * (LARGEST + 1) + boxes[:, 3], minlength=(LARGEST + 1) ** 2)
        smooth = cv2.blur(sizes.reshape(LARGEST + 1, LARGEST + 1).astype(np.float32), (3, 3))
        smooth = smooth + 1e-3 * sizes.reshape(smooth.shape)
        width, height = divmod(int(smooth.argmax()), LARGEST + 1)
        slack = 1 + width // 24
        same = (np.abs(boxes[:, 2] - width) <= slack) & (np.abs(boxes[:, 3] - height) <= slack)
        if same.sum() < FEWEST:
            return
        yield from _grids(boxes[same], stretch)
        boxes = boxes[~same]


def _grids(boxes: Ints, stretch: float) -> Iterator[BoxLattice]:
    width, height = float(np.median(boxes[:, 2])), float(np.median(boxes[:, 3]))
    across = _spacing(boxes[:, 1], boxes[:, 0], width)
    down = _spacing(boxes[:, 0], boxes[:, 1], height)
    if across is None or down is None or not 1 / stretch < across / down < stretch:
        return
    for members in _linked(boxes, across, down):
        if len(members) < FEWEST:
            continue
        lefts, in_columns = _columns(members[:, 0], across)
        tops, in_rows = _columns(members[:, 1], down)
        if len(lefts) < 2 or len(tops) < 2:
            continue
        yield BoxLattice(lefts, tops, width, height, across, down, len(members), in_columns, in_rows)


def _spacing(across: Ints, along: Ints, size: float) -> float | None:
    """Most frequent distance of neighbours in a line; None if there is none."""
    order = np.lexsort((along, across))
    line, place = across[order], along[order]
    gaps = np.diff(place)[(np.diff(line) == 0)]
    gaps = gaps[(gaps >= size) & (gaps <= 1.7 * size + 4)]
    if len(gaps) < 3:
        return None
    counts = np.bincount(gaps).astype(np.float32)
    best = int(np.convolve(counts, (0.9, 1.0, 0.9), "same").argmax())
    close = gaps[np.abs(gaps - best) <= 1]
    return float(close.mean())


def _linked(boxes: Ints, across: float, down: float) -> list[Ints]:
    """The boxes in groups connected by steps of one pitch."""
    key = boxes[:, 1].astype(np.int64) * 100_000 + boxes[:, 0]
    order = np.argsort(key)
    boxes, key = boxes[order], key[order]
    slack = max(2, round(0.05 * across))  # programs round lines to whole pixels, scaled screens to more
    around = range(-slack, slack + 1)
    steps = [
        (dy0 + dy) * 100_000 + dx0 + dx
        for dx0, dy0 in ((round(across), 0), (0, round(down)))
        for dx, dy in product(around, around)
        if min(abs(dx), abs(dy)) <= 1
    ]
    wanted = key + np.array(steps)[:, None]
    at = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
    hit = key[at] == wanted
    one, other = np.nonzero(hit)[1], at[hit]
    label = np.arange(len(boxes))
    while True:
        least = np.minimum(label[one], label[other])
        new = label.copy()
        np.minimum.at(new, one, least)
        np.minimum.at(new, other, least)
        new = new[new]
        if np.array_equal(new, label):
            return [boxes[label == name] for name in np.unique(label)]
        label = new


def _columns(places: Ints, pitch: float) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Start of each column, and the number of boxes in it.

    Of the places where its boxes start, it is the one nearest to even distances. A box may start a pixel
    earlier or later than the others because of the drawing in its cell, such as the edge of a cover.
    """
    places = np.sort(places)
    firsts = np.concatenate(((0,), np.flatnonzero(np.diff(places) > 0.4 * pitch) + 1))
    sizes = np.diff(np.append(firsts, len(places)))
    even = even_places(places[firsts + sizes // 2], pitch)
    groups = np.split(places, firsts[1:])
    starts = (group[np.abs(group - near).argmin()] for group, near in zip(groups, even, strict=True))
    return tuple(map(float, starts)), tuple(sizes.tolist())


def even_places(places: NDArray[np.number], pitch: float) -> NDArray[np.float64]:
    """The places at equal distances, about `pitch`, that are nearest to these n rising places, pixels.

    The distance is the median of those of all pairs, because several places may be astray.
    """
    numbers = np.rint((places - places[0]) / pitch)
    one, other = np.triu_indices(len(places), 1)
    slopes = (places[other] - places[one]) / np.maximum(1, numbers[other] - numbers[one])
    even = (np.median(slopes) if len(slopes) else pitch) * numbers
    return np.asarray(even + np.median(places - even), np.float64)
