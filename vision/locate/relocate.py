"""Find the lines of a known board again after its cells have grown.

In HTML and toolkit tables, each column or row may grow by some pixels when its cells are opened. The edges
next to a line look as on the fresh board. Dynamic programming chooses the positions that match them best at
plausible distances.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, Pixels
from vision.lattice import Lattice
from vision.locate.grid import Floats, strength_across, threshold

REACH = 4  # pixels on each side of a line whose edges are compared
GROWN, SHRUNK = 0.3, 0.1  # fraction of a cell's side by which it may grow or shrink
ASTRAY = 1.0  # cells by which the first line may move
STEADY = 0.02  # penalty per pixel of growth, relative to a line that looks unchanged
EXACT = 4  # exponent of the likeness: half-matching edges (cells now open) hardly count
ANY = 0.3  # weight of any edge relative to matching ones, because open cells have other edges
COMMON = 0.1  # fraction of cells with the same edges in one picture that makes a pattern
SPARE = 0.1  # likeness lost per additional edge
LEAST = 0.15  # fraction of the cells along a visible line that must match
VISIBLE = 0.5  # fraction of the lines that must be visible
HALF = 0.5  # fraction of matches at the old positions above which nothing has moved
STILL = 0.3  # minimum fraction of unchanged cells on an unmoved board; the others may have been opened
CORNER = 0.3  # fraction of a cell's side, compared at each corner: the middle moves when a cell grows
SAME = 8  # grey levels; maximum difference of pixels of an unchanged cell

Lines = tuple[int, ...]
Edges = NDArray[np.bool_]


def relocate_lines(
    drawn: Frame, lattice: Lattice, seen: Frame, latest: Lattice, now: Frame
) -> Lattice | None:
    """The same columns and rows in the picture `now`, with their present sizes.

    `lattice` are the lines in the picture `drawn`, before any growth, and `latest` the last known lines, in
    the picture `seen`; both may be the same. All pictures start at the same screen position. Returns None if
    the latest lines are still right, no lines are visible near them, or the new lines explain no more
    unchanged cells than the latest ones.
    """
    examples = [(drawn.pixels, lattice)]
    if latest != lattice:
        examples.append((seen.pixels, latest))
    found = latest
    for axis in (1, 0, 1):  # first approximation: the crossing lines have not moved
        lines = _relocate_axis(examples, now.pixels, found, axis)
        if lines is None:
            return None
        found = Lattice(lines, found.ys) if axis == 1 else Lattice(found.xs, lines)
    if found == latest:
        return None
    old, new = (_count_unchanged(seen.pixels, latest, now.pixels, each) for each in (latest, found))
    return found if new > old else None


def is_unmoved(seen: Frame, lattice: Lattice, now: Frame) -> bool:
    """Whether enough cells look unchanged to show that the board has not moved."""
    cells = lattice.rows * lattice.columns
    return _count_unchanged(seen.pixels, lattice, now.pixels, lattice) >= STILL * cells


def _relocate_axis(
    examples: Sequence[tuple[Pixels, Lattice]], now: Pixels, latest: Lattice, axis: int
) -> Lines | None:
    """The lines along one axis (1: of columns); the same ones if all look unchanged."""
    lines, _ = _lines_and_crossing(examples[0][1], axis)
    last, crossing = _lines_and_crossing(latest, axis)
    slack = round(ASTRAY * (lines[-1] - lines[0]) / (len(lines) - 1))
    low = max(0, min(lines[0], last[0]) - slack)
    high = min(now.shape[axis], last[0] + slack + int((1 + GROWN) * (lines[-1] - lines[0])))
    if last[-1] >= high or last[0] < low:
        return None
    edges = _edges(now, crossing, low - REACH, high + REACH + 1, axis)
    beside = [_edges_beside(*example, axis) for example in examples]
    ends = [slice(0, 1), slice(1, -1), slice(-1, None)]  # the inner lines look alike
    begin, inner, end = (_likeness(edges, _patterns([each[:, some] for each in beside])) for some in ends)
    likes = np.stack([begin, *([inner] * (len(lines) - 2)), end])
    first = range(max(0, last[0] - slack - low), last[0] + slack + 1 - low)
    any_edge = ANY * edges.mean(axis=0)[REACH:-REACH]
    places, old = np.array(_best_places(likes + any_edge, lines, last, first)), np.subtract(last, low)
    each = np.arange(len(lines))
    here, there = likes[each, places], likes[each, old]
    is_seen = here >= LEAST
    is_moved = is_seen & (places != old)
    if there[is_moved].sum() >= HALF * here[is_moved].sum():
        return last
    return tuple((low + places).tolist()) if is_seen.mean() >= VISIBLE else None


def _count_unchanged(before: Pixels, latest: Lattice, now: Pixels, lattice: Lattice) -> int:
    """Number of cells that look unchanged; of a resized cell, the corners are compared."""
    found = 0
    for cell in range(lattice.rows * lattice.columns):
        old = latest.picture(before, cell).astype(np.int16)
        new = lattice.picture(now, cell).astype(np.int16)
        high, wide = (max(1, int(CORNER * side)) for side in old.shape[:2])
        corners = product((slice(high), slice(-high, None)), (slice(wide), slice(-wide, None)))
        parts = [(old, new)] if old.shape == new.shape else [(old[end], new[end]) for end in corners]
        found += all(
            one.shape == other.shape and np.abs(one - other).max(initial=0) <= SAME for one, other in parts
        )
    return found


def _lines_and_crossing(lattice: Lattice, axis: int) -> tuple[Lines, Lines]:
    """The lines along an axis, and the lines that cross them."""
    return (lattice.xs, lattice.ys) if axis == 1 else (lattice.ys, lattice.xs)


def _edges(pixels: Pixels, crossing: Lines, low: int, high: int, axis: int) -> Edges:
    """(cells, pixels): edges next to each cell along a line, from low to high."""
    strength = strength_across(pixels, [float(each) for each in crossing], (low, high), axis)
    return np.asarray(strength > threshold(strength))


def _edges_beside(pixels: Pixels, lattice: Lattice, axis: int) -> Edges:
    """(cells, lines, 2 REACH + 1): the edges around each line."""
    lines, crossing = _lines_and_crossing(lattice, axis)
    edges = _edges(pixels, crossing, lines[0] - REACH, lines[-1] + REACH + 1, axis)
    starts = np.subtract(lines, lines[0])
    return np.stack([edges[:, start : start + 2 * REACH + 1] for start in starts], axis=1)


def _patterns(beside: Sequence[Edges]) -> list[Floats]:
    """Edge patterns that many cells of a picture have in common; an edge is 1."""
    found: dict[bytes, Floats] = {}
    for each in beside:
        kinds, counts = np.unique(each.reshape(-1, each.shape[2]), axis=0, return_counts=True)
        for kind in kinds[counts >= COMMON * counts.sum()]:
            if kind.any() and not kind.all():
                found[kind.tobytes()] = kind.astype(np.float32)
    return list(found.values())


def _likeness(edges: Edges, patterns: Sequence[Floats]) -> Floats:
    """Fraction of cells with the edges of a pattern, at each place.

    Uniform edges match no pattern.
    """
    windows = np.lib.stride_tricks.sliding_window_view(edges, 2 * REACH + 1, axis=1).astype(np.float32)
    alike = np.zeros(windows.shape[:2], np.float32)
    for pattern in patterns:
        shape = pattern - pattern.mean()
        likeness = (windows @ shape) / np.float32(max(float((shape * shape).sum()), 1e-6))
        spare = windows @ (1.0 - pattern)  # edges missing in the pattern
        np.maximum(alike, likeness.clip(0.0, 1.0) - SPARE * spare, out=alike)
    return np.asarray((alike**EXACT).mean(axis=0), np.float32)


def _best_places(likes: Floats, lines: Lines, last: Lines, first: range) -> list[int]:
    """The positions that match these lines best, at distances that cells may have now.

    `likes` is (lines, places), `last` the previous positions; `first` are the choices for the first line.
    """
    count, places = likes.shape
    score = np.full(places, -np.inf)
    score[first.start : first.stop] = likes[0, first.start : first.stop]
    came = np.zeros((count, places), np.int64)
    for k, (a, b) in enumerate(pairwise(lines), 1):
        step, was = b - a, last[k] - last[k - 1]
        least, most = step - max(1, int(SHRUNK * step)), step + max(1, int(GROWN * step))
        options = np.full((most - least + 1, places), -np.inf)
        for row, each in enumerate(range(least, most + 1)):
            options[row, each:] = score[: places - each] - STEADY * abs(each - was)
        came[k] = options.argmax(axis=0) + least
        score = options.max(axis=0) + likes[k]
    found = [int(score.argmax())]
    for k in range(count - 1, 0, -1):
        found.append(found[-1] - int(came[k, found[-1]]))
    return found[::-1]
