"""The lines of a board that was found before, where they lie now: its cells may have grown since.

Tables of pages and of toolkits make a column as wide as what is in it, so that columns (or rows) grow by some
pixels as their cells are opened, each by itself. What the lines looked like when the board was found says
where they are: the edges beside a line of the fresh board are those beside the same line now.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, Pixels
from vision.lattice import Lattice
from vision.locating.evidence import Floats, across, threshold

REACH = 4  # pixels beside a line whose edges are compared
GROWN, SHRUNK = 0.3, 0.1  # of a cell's side: the most by which it may be larger, or smaller, than it was
ASTRAY = 1.0  # cells that the first line may lie beside its place
STEADY = 0.005  # what a pixel weighs by which a cell is larger or smaller than it was last
EXACT = 4  # power: where the edges are half as they were (cells that are open now), that says next to nothing
ANY = 0.3  # what any edge at its place says for a line, beside those that it had: open cells have others
COMMON = 0.1  # of the cells beside lines, those that have the same edges, in one picture
SPARE = 0.1  # of likeness, what each edge costs that cells did not have
LEAST = 0.15  # of the cells along a line, those beside which a line that is seen must look as it did
MOST = 0.5  # of the lines, those that must be seen
HALF = 0.5  # as many cells that look so where the lines were: then they are there still
SAME = 8  # grey levels; pixels of a cell that is the same differ by no more

Lines = tuple[int, ...]
Edges = NDArray[np.bool_]


def relined(drawn: Frame, lattice: Lattice, seen: Frame, latest: Lattice, now: Frame) -> Lattice | None:
    """The same columns and rows in a picture of today, each as wide and high as it is now.

    `lattice` has the lines in the picture `drawn`, where nothing had grown, and `latest` those that were
    found last, in the picture `seen`; both may be the same. All pictures begin at the same place of the
    screen. None where the latest lines are still right, lines are not to be seen near them, or no more of
    the cells that would lie elsewhere look as they did there: what has only moved looks the same.
    """
    examples = [(drawn.pixels, lattice)]
    if latest != lattice:
        examples.append((seen.pixels, latest))
    found = latest
    for axis in (1, 0, 1):  # the other lines are where they were, or nearly, the first time
        lines = _relined(examples, now.pixels, found, axis)
        if lines is None:
            return None
        found = Lattice(lines, found.ys) if axis == 1 else Lattice(found.xs, lines)
    moved = _moved(latest, found)
    same = (max(_same(*each, now.pixels, lines, moved) for each in examples) for lines in (latest, found))
    return found if moved and next(same) < next(same) else None


def _relined(
    examples: Sequence[tuple[Pixels, Lattice]], now: Pixels, latest: Lattice, axis: int
) -> Lines | None:
    """The lines along one axis (1: of columns); the same ones where all of them look as they did."""
    lines, _ = _both(examples[0][1], axis)
    last, crossing = _both(latest, axis)
    slack = round(ASTRAY * (lines[-1] - lines[0]) / (len(lines) - 1))
    low = max(0, min(lines[0], last[0]) - slack)
    high = min(now.shape[axis], last[0] + slack + int((1 + GROWN) * (lines[-1] - lines[0])))
    if last[-1] >= high or last[0] < low:
        return None
    edges = _edges(now, crossing, low - REACH, high + REACH + 1, axis)
    beside = [_beside(*example, axis) for example in examples]
    ends = [slice(0, 1), slice(1, -1), slice(-1, None)]  # the inner lines look alike
    begin, inner, end = (_likeness(edges, _patterns([each[:, some] for each in beside])) for some in ends)
    likes = np.stack([begin, *([inner] * (len(lines) - 2)), end])
    first = range(max(0, last[0] - slack - low), last[0] + slack + 1 - low)
    any_edge = ANY * edges.mean(axis=0)[REACH:-REACH]
    places, old = np.array(_best(likes + any_edge, lines, last, first)), np.subtract(last, low)
    each = np.arange(len(lines))
    here, there = likes[each, places], likes[each, old]
    is_seen = here >= LEAST
    is_moved = is_seen & (places != old)
    if there[is_moved].sum() >= HALF * here[is_moved].sum():
        return last
    return tuple((low + places).tolist()) if is_seen.mean() >= MOST else None


def _moved(one: Lattice, other: Lattice) -> list[int]:
    """The cells that lie elsewhere, but for those that do so by one pixel, where others do by more."""
    cells = range(one.rows * one.columns)
    far = [max(map(abs, np.subtract(one.rectangle(k), other.rectangle(k)).tolist())) for k in cells]
    return [k for k in cells if far[k] >= min(2, max(*far, 1))]


def _same(before: Pixels, lattice: Lattice, now: Pixels, latest: Lattice, cells: Sequence[int]) -> int:
    """How many of these cells are as large in both pictures, and look the same."""
    found = 0
    for cell in cells:
        old, new = (
            pixels[top:bottom, left:right].astype(np.int16)
            for pixels, (left, top, right, bottom) in (
                (before, lattice.rectangle(cell)),
                (now, latest.rectangle(cell)),
            )
        )
        found += old.shape == new.shape and np.abs(old - new).max(initial=0) <= SAME
    return found


def _both(lattice: Lattice, axis: int) -> tuple[Lines, Lines]:
    """The lines along an axis, and those that cross them."""
    return (lattice.xs, lattice.ys) if axis == 1 else (lattice.ys, lattice.xs)


def _edges(pixels: Pixels, crossing: Lines, low: int, high: int, axis: int) -> Edges:
    """(cells, pixels): whether there is an edge beside each cell along a line, from low to high."""
    strength = across(pixels, [float(each) for each in crossing], (low, high), axis)
    return np.asarray(strength > threshold(strength))


def _beside(pixels: Pixels, lattice: Lattice, axis: int) -> Edges:
    """(cells, lines, 2 REACH + 1): the edges beside each line."""
    lines, crossing = _both(lattice, axis)
    edges = _edges(pixels, crossing, lines[0] - REACH, lines[-1] + REACH + 1, axis)
    starts = np.subtract(lines, lines[0])
    return np.stack([edges[:, start : start + 2 * REACH + 1] for start in starts], axis=1)


def _patterns(beside: Sequence[Edges]) -> list[Floats]:
    """The edges that many cells have beside a line, in some picture; an edge is 1."""
    found: dict[bytes, Floats] = {}
    for each in beside:
        kinds, counts = np.unique(each.reshape(-1, each.shape[2]), axis=0, return_counts=True)
        for kind in kinds[counts >= COMMON * counts.sum()]:
            if kind.any() and not kind.all():
                found[kind.tobytes()] = kind.astype(np.float32)
    return list(found.values())


def _likeness(edges: Edges, patterns: Sequence[Floats]) -> Floats:
    """The share of the cells that have the edges of a pattern, at each place, REACH edges behind the first.

    What has as many edges everywhere is like no line.
    """
    windows = np.lib.stride_tricks.sliding_window_view(edges, 2 * REACH + 1, axis=1).astype(np.float32)
    alike = np.zeros(windows.shape[:2], np.float32)
    for pattern in patterns:
        shape = pattern - pattern.mean()
        likeness = (windows @ shape) / np.float32(max(float((shape * shape).sum()), 1e-6))
        spare = windows @ (1.0 - pattern)  # edges that the pattern has not
        np.maximum(alike, likeness.clip(0.0, 1.0) - SPARE * spare, out=alike)
    return np.asarray((alike**EXACT).mean(axis=0), np.float32)


def _best(likes: Floats, lines: Lines, last: Lines, first: range) -> list[int]:
    """The places that look most like these lines, with distances that cells may have now.

    `likes` is (lines, places); the first line is one of `first`. Where they were `last` they rather have the
    same distances.
    """
    count, places = likes.shape
    score = np.full(places, -np.inf)
    score[first.start : first.stop] = likes[0, first.start : first.stop]
    came = np.zeros((count, places), np.int64)
    steps = zip(np.diff(lines).tolist(), np.diff(last).tolist(), strict=True)
    for k, (step, usual) in enumerate(steps, 1):
        least, most = step - max(1, int(SHRUNK * step)), step + max(1, int(GROWN * step))
        options = np.full((most - least + 1, places), -np.inf)
        for row, each in enumerate(range(least, most + 1)):
            options[row, each:] = score[: places - each] - STEADY * abs(each - usual)
        came[k] = options.argmax(axis=0) + least
        score = options.max(axis=0) + likes[k]
    found = [int(score.argmax())]
    for k in range(count - 1, 0, -1):
        found.append(found[-1] - int(came[k, found[-1]]))
    return found[::-1]
