"""Propose boards from repetition, rectangles and gaps, for boards without visible lines.

`propose_from_repeats` compares the picture, at half its size, with copies shifted by each distance. Distances
at which many edges match are pitches, and an area that repeats at one pitch across and one down may be a
board. `propose_from_rectangles` divides rectangles evenly into cells, at the divisions with the most straight
edges. `remove_gaps` narrows wide gaps between rows (or columns), which otherwise look like lines of a table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.lattice import Lattice
from vision.locate.boxes import SQUARE, STRETCH, find_box_lattices
from vision.locate.grid import FEWEST, NARROWEST, WIDEST, Grid, largest_difference, to_pixel

Floats = NDArray[np.float32]
Ints = NDArray[np.intp]

# grey levels; maximum difference of equal pixels: JPEG at quality 80 changes plain areas by up to 10
ALIKE = 12
SHORTEST, LONGEST = 5, 64  # pixels at half size; pitch of cells of 10 to 128 pixels
BEST = 5  # distances per axis that are combined
COMPARABLE = 0.6  # fraction of the largest area; areas above it rank equally: longer pitches enlarge areas
EQUAL = 0.93  # fraction of a window that must repeat; one of two cells may have a flag or a number


@dataclass(frozen=True)
class RepeatingArea:
    """A repeating area: left, top, right, bottom, and the pitch across and down; pixels."""

    box: tuple[int, int, int, int]
    across: float
    down: float

    @property
    def area(self) -> int:
        """Size of the box, square pixels."""
        left, top, right, bottom = self.box
        return (right - left) * (bottom - top)

    def magnified(self, times: int) -> RepeatingArea:
        """The same area in a picture enlarged by this factor."""
        left, top, right, bottom = (times * each for each in self.box)
        return RepeatingArea((left, top, right, bottom), times * self.across, times * self.down)


def propose_from_repeats(pixels: Pixels) -> list[RepeatingArea]:
    """Repeating areas, most likely first.

    An area also repeats at multiples of its pitch, so the shortest pitch of the largest areas comes first.
    Square cells come before oblong ones.
    """
    if min(pixels.shape[:2]) < 6 * SHORTEST:
        return []
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    half = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.uint8)
    edgy = cv2.morphologyEx(half, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    edges = cv2.threshold(edgy, ALIKE, 1, cv2.THRESH_BINARY)[1].astype(np.uint8)
    across, down = _distances(half, edges, 1), _distances(half, edges, 0)
    found: list[RepeatingArea] = []
    same_x = {p: _same(half, p, 1) for p in across}
    same_y = {p: _same(half, p, 0) for p in down}
    for p in across:
        for q in down:
            if max(p, q) <= STRETCH * min(p, q):
                found += _areas(same_x[p], same_y[q], edges, p, q)
    most = COMPARABLE * max((repeat.area for repeat in found), default=0)

    def rank(repeat: RepeatingArea) -> tuple[bool, int, float]:
        is_oblong = not 1 / SQUARE < repeat.across / repeat.down < SQUARE
        is_large = repeat.area >= most
        return is_oblong, not is_large, repeat.across + repeat.down if is_large else -repeat.area

    return sorted(found, key=rank)


def _same(half: NDArray[np.uint8], p: int, axis: int) -> NDArray[np.uint8]:
    """1 where a pixel matches the one p pixels further along an axis, else 0; as large as `half`."""
    same = np.zeros_like(half)
    near, far = (np.s_[:, :-p], np.s_[:, p:]) if axis == 1 else (np.s_[:-p], np.s_[p:])
    same[near] = cv2.threshold(cv2.absdiff(half[far], half[near]), ALIKE, 1, cv2.THRESH_BINARY_INV)[1]
    return same


def _distances(half: NDArray[np.uint8], edges: NDArray[np.uint8], axis: int) -> list[int]:
    """The distances at which the most edges of the picture match, best first."""
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
) -> list[RepeatingArea]:
    """Areas that repeat every p across and q down: 2x2 cells around each point match and are not plain."""
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
        found.append(RepeatingArea((2 * left, 2 * top, 2 * right, 2 * bottom), 2.0 * p, 2.0 * q))
    return found


Masks = NDArray[np.uint8]

STEP = 6  # grey levels; minimum difference at an edge
LONG = 32  # pixels; minimum straight edge of a board of four cells
SHORT = 5  # pixels; minimum straight edge of a cell
MOST_SIDES = 20  # positions of the longest edges, across and down
SHOWN = 0.85  # fraction of a side that must be visible
MOST_PANELS = 40  # rectangles that are divided
MOST_DIVISIONS = 3  # divisions kept per rectangle
MOST_SIDE_DIVISIONS = 6  # divisions kept per side
MAX_GRIDS = 12  # grids in total
UNLIKELY = 4.0  # standard deviations; handicap of a cell with aspect ratio 1.5 against a square one


@dataclass(frozen=True)
class _Edges:
    """Masks of `all` and of straight (`ruled`) edges of one axis; `sides` are positions of long edges."""

    all: Masks
    ruled: Masks
    sides: NDArray[np.int64]


def propose_from_rectangles(pixels: Pixels) -> list[Grid]:
    """Grids that divide rectangles evenly, most likely first."""
    if min(pixels.shape[:2]) < FEWEST * NARROWEST:
        return []
    across, down = _edges(pixels), _edges(np.ascontiguousarray(pixels.transpose(1, 0, 2)))
    boxes = _boxes(across, down)
    sums_x = np.cumsum(across.ruled, axis=0, dtype=np.int32)
    sums_y = np.cumsum(down.ruled, axis=0, dtype=np.int32)
    found: list[tuple[float, Grid]] = []
    for left, top, right, bottom in boxes:
        ways_x = _divisions(sums_x, (top, bottom), (left, right))
        ways_y = _divisions(sums_y, (left, right), (top, bottom))
        pairs = [
            (one + other - UNLIKELY * abs(np.log(wide / high)) / np.log(1.5), columns, rows)
            for (columns, wide, one), (rows, high, other) in product(ways_x, ways_y)
            if max(wide, high) <= STRETCH * min(wide, high)
        ]
        for score, columns, rows in sorted(pairs, reverse=True)[:MOST_DIVISIONS]:
            xs = tuple(np.linspace(left, right, columns + 1).tolist())
            ys = tuple(np.linspace(top, bottom, rows + 1).tolist())
            found.append((score, Grid(xs, ys)))
    found.sort(key=lambda each: -each[0])
    return [grid for _, grid in found[:MAX_GRIDS]]


def _edges(pixels: Pixels) -> _Edges:
    """Vertical edges, and the x positions of the longest ones."""
    apart = largest_difference(pixels[:, 1:], pixels[:, :-1])
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
    """Left, top, right, bottom of rectangles with four visible sides, large and clearly visible first."""
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
    """(sides, ends, ends): visible fraction of each side between two ends."""
    high, wide = edges.all.shape
    sums = np.zeros((high + 1, len(edges.sides)), np.int32)
    for k, side in enumerate(edges.sides):
        column = edges.all[:, side] if 0 < side < wide else np.ones(high, np.uint8)
        np.cumsum(column, dtype=np.int32, out=sums[1:, k])
    picked = sums[ends].T.astype(np.float32)
    length = np.maximum(1, np.abs(np.subtract.outer(ends, ends))).astype(np.float32)
    return np.asarray(np.abs(picked[:, :, None] - picked[:, None, :]) / length, np.float32)


def _divisions(
    sums: NDArray[np.int32], band: tuple[int, int], span: tuple[int, int]
) -> list[tuple[int, float, float]]:
    """Cell counts along a side, their pitch, and the edge strength at the divisions (standard deviations)."""
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
    best = np.argsort(-beyond, kind="stable")[:MOST_SIDE_DIVISIONS]
    return [(int(counts[k]), float(length / counts[k]), float(beyond[k])) for k in best]


MIN_GAP = 0.15  # fraction of a cell; a narrower gap hardly shifts the middle
MOST_SEEDS = 4  # largest box lattices whose gaps are narrowed
ASTRAY = 2  # pixels, plus half of the remaining gap, by which a line may miss the middle of a gap


@dataclass(frozen=True, eq=False)
class GapsRemoved:
    """A picture with gaps narrowed along one axis (0: between rows, 1: between columns).

    `seams` are the positions of the gaps in this picture, `middles` those in the original, and `limit` is the
    size of the original along the axis. `width` is the remaining width of each gap.
    """

    pixels: Pixels
    axis: int
    seams: tuple[int, ...]
    middles: tuple[int, ...]
    width: float
    limit: int

    def restore_gaps(self, lattice: Lattice) -> Lattice | None:
        """The lattice in the original picture; None if its lines do not lie in consecutive gaps."""
        lines = lattice.ys if self.axis == 0 else lattice.xs
        off = np.abs(np.subtract.outer(lines[1:-1], self.seams))
        nearest = off.argmin(axis=1)
        if off.min(axis=1).max() > ASTRAY + self.width / 2 or (np.diff(nearest) != 1).any():
            return None
        inner = [self.middles[k] for k in nearest]
        pitch = inner[1] - inner[0]
        opened = (max(0, inner[0] - pitch), *inner, min(self.limit, inner[-1] + pitch))
        return Lattice(lattice.xs, opened) if self.axis == 0 else Lattice(opened, lattice.ys)


def remove_gaps(pixels: Pixels) -> Iterator[GapsRemoved]:
    """Pictures with narrowed gaps, for box lattices whose gaps are wider along one axis."""
    for seed in find_box_lattices(pixels)[:MOST_SEEDS]:
        down, across = seed.down_pitch - seed.height, seed.across_pitch - seed.width
        if down - across >= MIN_GAP * seed.down_pitch:
            found = _narrow_gaps(
                pixels, seed.tops, seed.down_pitch, (down, across), _ends(seed.lefts, seed.width)
            )
        elif across - down >= MIN_GAP * seed.across_pitch:
            turned = np.ascontiguousarray(pixels.transpose(1, 0, 2))
            ends = _ends(seed.tops, seed.height)
            found = _narrow_gaps(turned, seed.lefts, seed.across_pitch, (across, down), ends)
        else:
            continue
        if found is None:
            continue
        picture, seams, middles = found
        axis = 0 if down > across else 1
        picture = picture if axis == 0 else picture.transpose(1, 0, 2)
        yield GapsRemoved(
            np.ascontiguousarray(picture), axis, seams, middles, min(down, across), pixels.shape[axis]
        )


def _ends(starts: tuple[float, ...], size: float) -> slice:
    return slice(to_pixel(starts[0]), to_pixel(starts[-1] + size))


def _narrow_gaps(
    pixels: Pixels, tops: tuple[float, ...], pitch: float, gaps: tuple[float, float], columns: slice
) -> tuple[Pixels, tuple[int, ...], tuple[int, ...]] | None:
    """Narrow the gaps between rows to the width of the others; return the picture, seams and middles.

    None if a gap between boxes is not plain.
    """
    surplus = to_pixel(gaps[0] - gaps[1])
    kept = np.ones(len(pixels), np.bool_)
    seams, middles = [], []
    first = tops[0] - gaps[0] / 2
    for k in range(-int(first / pitch), int((len(pixels) - first) / pitch) + 1):
        middle = first + k * pitch
        start = to_pixel(middle - surplus / 2)
        strip = pixels[max(0, start) : start + surplus, columns]
        if start >= 0 and start + surplus <= len(pixels) and has_one_colour(strip):
            seams.append(start - int(np.count_nonzero(~kept)))
            middles.append(to_pixel(middle))
            kept[start : start + surplus] = False
        elif tops[0] < middle < tops[-1]:
            return None
    return pixels[kept], tuple(seams), tuple(middles)


def has_one_colour(area: Pixels) -> bool:
    """Whether an area is not empty and its colours differ by at most ALIKE.

    One axis at a time is fifty times as fast as both.
    """
    return (
        bool(area.size) and int((area.max(axis=0).max(axis=0) - area.min(axis=0).min(axis=0)).max()) <= ALIKE
    )
