"""Fit the lines of a proposed board: pitch, phase and extent, as the cell judge decides.

`fit` tries the lines that the picture suggests along each axis: the pitch at which it repeats, the ends of
the repetition, and the positions with the strongest edges. If the picture is clearly most similar to itself
at one pitch, no other is tried, because a wrong pitch moves the lines from row to row. `fit` extends the
likeliest grids to the whole board. The likeliest one is also scored without extension, because a bar of
buttons next to a board may look like cells. `move_lines` keeps the number of cells, which visible lines have
shown, and tries only other lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product
from math import ceil
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.locate.extension import align_to_outer_edges
from vision.locate.grid import (
    ALIKE,
    FEWEST,
    NARROWEST,
    SIDES,
    Floats,
    Grid,
    Side,
    have_same_cells,
    largest_difference,
    line_tolerance,
    to_pixel,
)
from vision.locate.judge import CellJudge, ScoredGrid, fit_extent, odds, sample_cells, score_grid

TRIED = 4  # likeliest positions that are extended
HOPELESS = -2.0  # mean log-probability of the cells of the likeliest; below it, the proposal is dropped
PEAKS = 2  # positions with the strongest edges tried along each axis
WRONG = 0.03  # largest change of the pitch at them, as a fraction, without a clear repetition
# ratio of the differences at a clear pitch and a pixel more or less. On calibration scenes, 2 % of 484 clear
# pitches are off by two pixels or more over the whole board, 22 % of all pitches
CLEAR = 0.9
DRIFT = 0.5  # pixels by which the last line moves between two tried pitches
SAMPLED = 8  # cells judged per grid
MOST_CHANGED, MOST_GROWN = 0.02, 0.5  # largest changes by an exact pitch: share of a cell; cells in all
ENOUGH = 0.97  # probability from which no other position is tried
# ratios of odds up to which lines at the pitch of the repetition, and those on edges, are preferred
REPEATED, ON_EDGES = 1.3, 3.0
MOST_CHANGES = 2  # strips added or removed to make a doubtful grid likelier
GAIN = 0.05  # nats; minimum gain in mean log-probability to move lines


class Repetition(NamedTuple):
    """The pitch, pixels, at which a grid's area repeats along an axis.

    It is clear if the area is clearly less similar to itself at a pixel more or less.
    """

    pitch: float
    is_clear: bool


def fit(judge: CellJudge, grid: Grid) -> list[ScoredGrid]:
    """Scored grids near a proposed one, none if they are hopeless.

    The first one is nearly as likely as the best, at the pitch of the repetition and on the edges that its
    outermost cells show, if possible.
    """
    repeated = tuple(_repetition(judge.pixels, grid, axis) for axis in (0, 1))
    likeliest = _likeliest(judge, grid, repeated)
    if not likeliest:
        return []
    found = {likeliest[0]: score_grid(judge, likeliest[0])}
    first = fit_extent(judge, likeliest[0])
    for each in likeliest:
        whole = _with_extent(each, likeliest[0], first)
        found[whole] = found.get(whole) or score_grid(judge, whole)
        if found[whole].probability >= ENOUGH:
            break
    best = max(found.values(), key=lambda each: each.probability)
    if best.grid != first:
        whole = fit_extent(judge, best.grid)
        found[whole] = found.get(whole) or score_grid(judge, whole)
        best = max(found.values(), key=lambda each: each.probability)
    chosen = max(
        (each for each in found.values() if _is_nearly_as_likely(each, best, REPEATED)),
        key=lambda each: (_repeats(each.grid, repeated), each.probability),
    )
    across, down = (line_tolerance(chosen.grid.pitch(axis)) for axis in (1, 0))
    moved = align_to_outer_edges(judge.pixels, chosen.grid, ((-across, across), (-down, down)))
    snapped = score_grid(judge, moved)
    chosen = snapped if _is_nearly_as_likely(snapped, best, ON_EDGES) else chosen
    return [replace(chosen, probability=max(chosen.probability, best.probability)), *found.values()]


def _is_nearly_as_likely(found: ScoredGrid, best: ScoredGrid, ratio: float) -> bool:
    """Whether a grid has the same cells as the best one, and at least its odds divided by `ratio`."""
    is_likely = odds(found.probability) * ratio >= odds(best.probability)
    return is_likely and have_same_cells(found.grid, best.grid)


def _repeats(grid: Grid, repeated: Sequence[Repetition]) -> int:
    """The number of axes with the pitch of the repetition."""
    return sum(
        abs(grid.pitch(axis) - repeated[axis].pitch) * len(grid.lines(axis)) < DRIFT for axis in (0, 1)
    )


def _with_extent(grid: Grid, before: Grid, after: Grid) -> Grid:
    """The grid with the strips that another one gained or lost."""
    for axis, end in SIDES:
        (old, new), pitch = (each.lines(axis) for each in (before, after)), before.pitch(axis)
        more = round((old[0] - new[0]) / pitch if end < 0 else (new[-1] - old[-1]) / pitch)
        for _ in range(abs(more)):
            grid = grid.widened(axis, end, grid.pitch(axis)) if more > 0 else grid.without(axis, end)
    return grid


def change_extent(judge: CellJudge, found: ScoredGrid) -> ScoredGrid:
    """The likeliest grid with up to MOST_CHANGES strips more or less on the sides."""
    for _ in range(MOST_CHANGES):
        near = [each for side in SIDES for each in _with_other_end(found.grid, side)]
        best = max((score_grid(judge, each) for each in near), key=lambda each: each.probability)
        if best.probability <= found.probability:
            break
        found = best
    return found


def _with_other_end(grid: Grid, side: Side) -> list[Grid]:
    """The grid with a strip more and a strip less on one side."""
    axis, _ = side
    more = grid.widened(*side, grid.pitch(axis))
    return [more, grid.without(*side)] if len(grid.lines(axis)) > FEWEST else [more]


def move_lines(judge: CellJudge, grid: Grid) -> ScoredGrid | None:
    """The likeliest grid of as many cells with other lines along one axis or both.

    None if the cells do not look more whole along either axis.
    """
    best = []
    for axis in (1, 0):
        repeated = _repetition(judge.pixels, grid, axis)
        every = [grid.lines(axis), *_line_sets(judge.pixels, grid, axis, repeated)]
        places = [cell for lines in every for cell in sample_cells(grid.with_lines(axis, lines), SAMPLED)]
        means = judge.scores(places).reshape(len(every), SAMPLED).mean(axis=1)
        best.append(every[int(means.argmax())] if means.max() > means[0] + GAIN else every[0])
    across, down = best
    moved = {Grid(across, grid.ys), Grid(grid.xs, down), Grid(across, down)} - {grid}
    scored = (score_grid(judge, each) for each in moved)
    return max(scored, key=lambda each: each.probability, default=None)


def _likeliest(judge: CellJudge, grid: Grid, repeated: Sequence[Repetition]) -> list[Grid]:
    """The grids with lines at possible positions whose cells look most whole: TRIED, or none if hopeless."""
    xs, ys = (
        {tuple(map(to_pixel, lines)): lines for lines in _line_sets(judge.pixels, grid, axis, repeated[axis])}
        for axis in (1, 0)
    )
    grids = [Grid(*lines) for lines in product(xs.values(), ys.values())]
    scores = judge.scores([cell for each in grids for cell in sample_cells(each, SAMPLED)])
    means = scores.reshape(len(grids), SAMPLED).mean(axis=1)
    order = np.argsort(-means, kind="stable")[:TRIED]
    return [grids[at] for at in order.tolist()] if means.max() >= HOPELESS else []


def _line_sets(pixels: Pixels, grid: Grid, axis: int, seen: Repetition) -> Iterator[tuple[float, ...]]:
    """Possible lines: the given ones, with an exact pitch, from the ends of the repetition, on strong edges.

    If the repetition is clear, all of them have its pitch.
    """
    lines, count = grid.lines(axis), len(grid.lines(axis)) - 1
    if not seen.is_clear:
        yield lines
    part, left, top = _area(pixels, grid)
    if min(part.shape[:2]) < 2:
        return  # hardly any of it is in the picture
    peaks = _repeated_edges(edge_profile(part, axis), seen.pitch, count + 1, 0.0 if seen.is_clear else WRONG)
    places = [((lines[0] + lines[-1] - seen.pitch * count) / 2, seen.pitch)]
    places += [(end, seen.pitch) for end in _ends(pixels, grid, axis, seen.pitch)]
    start = left if axis == 1 else top
    places += [(start + phase, pitch) for phase, pitch in (*peaks, *_between(peaks))]
    for place, pitch in places:
        first = place + pitch * round((lines[0] - place) / pitch)
        yield tuple(first + pitch * number for number in range(count + 1))


def _between(peaks: Sequence[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """The middle of a gap, if edges repeat at both of its sides."""
    for (one, pitch), (other, also) in pairwise(peaks):
        if pitch == also:
            apart = (other - one) % pitch
            yield one + (apart if apart < pitch / 2 else apart - pitch) / 2, pitch


def _area(pixels: Pixels, grid: Grid) -> tuple[Pixels, int, int]:
    """The part of the picture inside a grid, and its left and upper border."""
    left, top = max(0, to_pixel(grid.xs[0])), max(0, to_pixel(grid.ys[0]))
    return pixels[top : to_pixel(grid.ys[-1]), left : to_pixel(grid.xs[-1])], left, top


def edge_profile(part: Pixels, axis: int) -> Floats:
    """Mean edge strength at each place along x (axis 1) or y (axis 0)."""
    one, other = (part[:, 1:], part[:, :-1]) if axis == 1 else (part[1:], part[:-1])
    mean = cv2.reduce(largest_difference(one, other), 1 - axis, cv2.REDUCE_AVG, dtype=cv2.CV_32F).ravel()
    return np.concatenate(([0.0], mean)).astype(np.float32)


def _repeated_edges(profile: Floats, rough: float, count: int, wrong: float) -> list[tuple[float, float]]:
    """The phases of the strongest edges that repeat `count` times, not adjacent, and the best pitch of each.

    The pitch may differ from `rough` by the fraction `wrong`. Roots of the edges are added, so that a few
    strong ones do not outweigh many.
    """
    roots = np.sqrt(profile)
    steps = ceil(2 * wrong * rough * count / DRIFT)
    tried = (1 - wrong) * rough + DRIFT / count * np.arange(steps + 1)
    at = np.arange(int(np.ceil(rough)))[:, None] + tried[:, None, None] * np.arange(count)
    places = np.floor(at + 0.5).astype(int)
    is_inside = places < len(roots)
    sums = np.where(is_inside, roots[np.minimum(places, len(roots) - 1)], 0).sum(axis=2)
    means = sums / np.maximum(1, is_inside.sum(axis=2))
    strongest, found, near = means.max(axis=0), [], max(1, int(rough / 16))
    for _ in range(PEAKS):
        phase = int(strongest.argmax())
        found.append((float(phase), float(tried[means[:, phase].argmax()])))
        strongest[np.arange(phase - near, phase + near + 1) % len(strongest)] = -1
    return found


def _repetition(pixels: Pixels, grid: Grid, axis: int) -> Repetition:
    """The pitch near the grid's own at which its area is most similar to itself, over more and more cells."""
    rough, count = grid.pitch(axis), len(grid.lines(axis)) - 1
    part = _area(pixels, grid)[0]
    picture = np.ascontiguousarray(part[:, ::2, 1] if axis == 0 else part[::2, :, 1].T)
    pitch, times, is_clear = rough, 1, False
    while times * pitch <= 0.7 * len(picture):
        middle = round(times * pitch)
        tried = [step for step in range(middle - 2, middle + 3) if NARROWEST <= step < len(picture)]
        apart = [_difference(picture, step) for step in tried]
        if not tried:
            break
        best = int(np.argmin(apart))
        shift, is_clear = 0.0, False
        if 0 < best < len(tried) - 1:
            before, here, after = apart[best - 1 : best + 2]
            is_clear = here < CLEAR * (before + after) / 2
            shift = 0.5 * (before - after) / max(1e-6, before - 2 * here + after)
        pitch = (tried[best] + shift) / times
        times *= 2
    if abs(pitch - round(pitch)) * len(picture) / pitch < 1.0:
        pitch = round(pitch)
    if abs(pitch / rough - 1) >= min(MOST_CHANGED, MOST_GROWN / count):
        return Repetition(rough, is_clear=False)
    return Repetition(pitch, is_clear)


def _difference(picture: NDArray[np.uint8], step: int) -> float:
    """Mean difference of lines at this distance, at most 32 per pixel."""
    apart = cv2.absdiff(picture[step:], picture[:-step])
    return cv2.mean(cv2.threshold(apart, 32, 0, cv2.THRESH_TRUNC)[1])[0]


def _ends(pixels: Pixels, grid: Grid, axis: int, pitch: float) -> list[float]:
    """Begin and end of the repetition along x (axis 1) or y (axis 0), if visible."""
    (low, high), (first, last) = (
        (max(0, to_pixel(each[0])), to_pixel(each[-1])) for each in (grid.lines(axis), grid.lines(1 - axis))
    )
    far, step = int(1.5 * pitch), round(pitch)
    start, end = max(0, low - far), min(pixels.shape[axis], high + far)
    green = pixels[:, :, 1].T if axis == 1 else pixels[:, :, 1]
    part = green[start:end, (3 * first + last) // 4 : (first + 3 * last) // 4]
    if len(part) < 4 * step or not part.shape[1]:
        return []
    picture = np.ascontiguousarray(part[:, ::2])
    same = cv2.threshold(cv2.absdiff(picture[step:], picture[:-step]), ALIKE, 255, cv2.THRESH_BINARY_INV)[1]
    share = cv2.reduce(same, 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F).ravel()
    sums = np.concatenate(([0.0], np.cumsum(share)))
    near = max(2, step // 6)
    at = np.arange(len(share))
    rise = 2 * sums[at] - sums[np.maximum(0, at - near)] - sums[np.minimum(len(share), at + near)]
    half = len(share) // 2
    return [float(start + np.argmin(rise[:half])), float(start + step + half + np.argmax(rise[half:]))]
