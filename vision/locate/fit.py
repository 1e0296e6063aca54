"""Fit the lines of a board to a repeating area: pitch, phase and extent, as the cell judge decides.

`fit` derives pitches and phases from the area's edges, keeps the grids whose sampled cells look most like
whole cells, and extends them. `refit_variants` does the same for a line-based candidate that the judge
doubts. `center_lines_in_gaps` moves lines, which edges put at either side of a gap, to its middle, where the
judge expects them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.locate.boxes import STRETCH
from vision.locate.grid import NARROWEST, Grid, largest_difference, to_pixel
from vision.locate.judge import CellJudge, ScoredGrid, fit_extent, sample_cells, score_grid
from vision.locate.repeats import ALIKE, RepeatingArea

Floats = NDArray[np.float32]
Ints = NDArray[np.intp]
Place = tuple[float, float, bool]  # lines of an axis: pitch, first line, whether the area ends there

PHASES = 3  # phases tried along each axis
FIRST, SECOND = 2, 8  # cells judged per grid in the first and second round
FINALISTS = 6  # grids kept for the second round
MOST_OFF, ASTRAY = 5, 10  # pixels, and 1/fraction of a cell, by which lines may be off at first
GAIN = 0.05  # nats; minimum gain in mean log-probability to move lines
PARTED_SO = 3  # grids of rectangles that are scored
SAME = 0.01  # relative difference of two pitches of one board
MOST_MOVES = 4  # combinations of ends of the area on both axes
PROMISING = 0.05  # geometric mean probability of whole cells below which a guess is dropped
PARTED = 0.08  # fraction of the distance by which a multiple of its part may deviate
EXACTLY = 0.5  # grey levels; largest mean difference of areas that repeat exactly
KEPT = 0.75  # fraction of the edges' autocorrelation required at a half or a third of the pitch


def fit(judge: CellJudge, repeat: RepeatingArea, known: Sequence[Grid] = ()) -> list[ScoredGrid]:
    """The most likely grids on a repeating area.

    Empty if no cell of a board is visible, or the lines are part of a `known` grid.
    """
    pixels = judge.pixels
    left, top, right, bottom = _within(pixels, repeat.box)
    part = pixels[top:bottom, left:right]
    if min(part.shape[:2]) < 2.5 * NARROWEST:
        return []
    ways = []
    for axis, rough in ((1, repeat.across), (0, repeat.down)):
        profile = edge_profile(part, axis)
        pitches = _undivided(part, {_exact(part, pitch, axis) for pitch in _pitches(profile, rough)}, axis)
        ends = _ends(pixels, (left, top, right, bottom), rough, axis)
        start = left if axis == 1 else top
        found = [
            (pitch, phase, is_end)
            for pitch in sorted(pitches)
            for phase, is_end in _places(pitch, line_phases(profile, pitch), [end - start for end in ends])
        ]
        ways.append(list(dict.fromkeys([*found, *_in_gaps(part, found, axis)])))
    tried = [
        (_lines((left, top, right, bottom), across[:2], down[:2]), across[2] and down[2])
        for across, down in product(*ways)
        if max(across[0], down[0]) <= STRETCH * min(across[0], down[0])
    ]
    tried = [(grid, is_end) for grid, is_end in tried if min(len(grid.xs), len(grid.ys)) >= 3]
    likeliest = _likeliest(judge, [grid for grid, _ in tried], 1)
    if not likeliest or _is_known(likeliest[0], known):
        return []
    best = fit_extent(judge, likeliest[0])
    others = _where_likeness_ends(best, [grid for grid, is_end in tried if is_end])
    others = [grid for grid in others if not _is_known(grid, known)]
    best = refine_position(judge, best)
    return [score_grid(judge, grid) for grid in (best, *(fit_extent(judge, other) for other in others))]


def refine_position(judge: CellJudge, grid: Grid) -> Grid:
    """Move the lines a little along each axis to where the cells look most whole."""
    for axis in (1, 0):
        reach = min(MOST_OFF, 1 + int(grid.pitch(axis) / ASTRAY))
        grids = [grid.moved(axis, by) for by in range(-reach, reach + 1)]
        scores = judge.scores([place for each in grids for place in sample_cells(each, SECOND)])
        means = np.convolve(scores.reshape(len(grids), SECOND).mean(axis=1), (0.25, 0.5, 0.25), "same")
        means[[0, -1]] = means.min()
        best = int(means.argmax())
        grid = grids[best] if means[best] > means[reach] + GAIN else grid
    return grid


def _in_gaps(part: Pixels, found: list[Place], axis: int) -> list[Place]:
    """The places of lines next to gaps, moved to the middle of the gaps."""
    middles, places = [], _spread_places(0, part.shape[1 - axis])
    for pitch, phase, is_end in found:
        lines = np.arange(phase, part.shape[axis], pitch).tolist()
        shift = _to_middle(part, lines, places, axis) if len(lines) > 2 else 0
        middles += [(pitch, (phase + shift) % pitch, is_end)] if shift else []
    return middles


def _is_known(grid: Grid, known: Sequence[Grid]) -> bool:
    """Whether all lines are, within a pixel, lines of a known grid."""
    return any(
        all(
            np.abs(np.subtract.outer(grid.lines(axis), other.lines(axis))).min(axis=1).max() <= 1.0
            for axis in (1, 0)
        )
        for other in known
    )


def best_grids(judge: CellJudge, grids: list[Grid]) -> list[ScoredGrid]:
    """The most likely of grids with settled lines and extent."""
    return [score_grid(judge, grid) for grid in _likeliest(judge, grids, PARTED_SO)]


def _likeliest(judge: CellJudge, grids: list[Grid], most: int) -> list[Grid]:
    """The grids whose cells look most whole, best first; none if no cell does."""
    for count, left in ((FIRST, FINALISTS), (SECOND, most)):
        if not grids:
            return []
        scores = judge.scores([place for grid in grids for place in sample_cells(grid, count)])
        scores = scores.reshape(len(grids), count).mean(axis=1)
        if scores.max() < np.log(PROMISING):
            return []
        grids = [grids[k] for k in np.argsort(-scores)[:left]]
    return grids


def _where_likeness_ends(best: Grid, ends: list[Grid]) -> list[Grid]:
    """The best grid moved to where the repetition begins or ends; none if it is already there."""
    ways: list[list[float]] = []
    for axis in (1, 0):
        pitch, first = best.pitch(axis), best.lines(axis)[0]
        same = [grid.lines(axis)[0] - first for grid in ends if abs(grid.pitch(axis) / pitch - 1) < SAME]
        offs = {round((off + pitch / 2) % pitch - pitch / 2) for off in same}
        far = [float(off) for off in sorted(offs) if abs(off) > 1]
        ways.append(far if len(far) == len(offs) and far else [0.0, *far])
    moves = [move for move in product(*ways) if move != (0.0, 0.0)]
    return [best.moved(1, across).moved(0, down) for across, down in moves[:MOST_MOVES]]


def _within(pixels: Pixels, box: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    left, top, right, bottom = box
    return max(0, left), max(0, top), min(pixels.shape[1], right), min(pixels.shape[0], bottom)


def edge_profile(part: Pixels, axis: int) -> Floats:
    """Mean edge strength at each place along x (axis 1) or y (axis 0)."""
    one, other = (part[:, 1:], part[:, :-1]) if axis == 1 else (part[1:], part[:-1])
    mean = cv2.reduce(largest_difference(one, other), 1 - axis, cv2.REDUCE_AVG, dtype=cv2.CV_32F).ravel()
    return np.concatenate(([0.0], mean)).astype(np.float32)


def _folded(profile: Floats, pitch: float) -> Floats:
    """Mean of the profile over all cells, for each pixel of one cell."""
    count = int((len(profile) - 1) / pitch)
    if count < 1:
        return np.zeros(1, np.float32)
    at = np.arange(int(pitch)) + np.floor(pitch * np.arange(count) + 0.5).astype(int)[:, None]
    return np.asarray(profile[np.minimum(at, len(profile) - 1)].mean(axis=0), np.float32)


def _pitches(profile: Floats, rough: float) -> list[float]:
    """The distance, and up to two shorter ones with the same autocorrelation of edges."""
    even = profile - profile.mean()
    longest = int(rough) + 2
    if len(even) < 2 * longest or rough < 2 * NARROWEST:
        return [rough]
    size = cv2.getOptimalDFTSize(2 * len(even))
    power = np.abs(np.fft.rfft(even, size)) ** 2
    alike = np.fft.irfft(power, size)[: longest + 1] / np.arange(len(even), len(even) - longest - 1, -1)
    alike /= max(1e-6, float(alike[0]))
    at = [
        k
        for k in range(int(NARROWEST), longest)
        if alike[k - 1] <= alike[k] > alike[k + 1] and abs(rough / k - round(rough / k)) * k < PARTED * rough
    ]
    most = max((float(alike[k]) for k in at), default=0.0)
    short = [float(k) for k in at if alike[k] > KEPT * most and k < 0.9 * rough]
    return [rough, *short[:2]]


def _exact(part: Pixels, rough: float, axis: int) -> float:
    """The distance near `rough` at which the area is most similar to itself, over more and more cells."""
    green = part[:, ::2, 1] if axis == 0 else part[::2, :, 1].T
    picture = np.ascontiguousarray(green)
    pitch, times = rough, 1
    while times * pitch <= 0.7 * len(picture):
        middle = round(times * pitch)
        tried = [step for step in range(middle - 2, middle + 3) if NARROWEST <= step < len(picture)]
        apart = [_difference(picture, step) for step in tried]
        if not tried:
            break
        best = int(np.argmin(apart))
        shift = 0.0
        if 0 < best < len(tried) - 1:
            before, here, after = apart[best - 1 : best + 2]
            shift = 0.5 * (before - after) / max(1e-6, before - 2 * here + after)
        pitch = (tried[best] + shift) / times
        times *= 2
    return round(pitch) if abs(pitch - round(pitch)) * len(picture) / pitch < 1.0 else pitch


def _undivided(part: Pixels, pitches: set[float], axis: int) -> set[float]:
    """The pitches; only the shortest if the area repeats exactly at it, because the others are multiples."""
    high, wide = part.shape[0] // 4, part.shape[1] // 4
    middle, shortest = part[high : 3 * high, wide : 3 * wide, 1], min(pitches)
    picture = np.ascontiguousarray(middle if axis == 0 else middle.T)
    is_exact = len(picture) > round(shortest) and _difference(picture, round(shortest)) < EXACTLY
    return {shortest} if is_exact else pitches


def _difference(picture: NDArray[np.uint8], step: int) -> float:
    """Mean difference of lines at this distance, at most 32 per pixel."""
    apart = cv2.absdiff(picture[step:], picture[:-step])
    return cv2.mean(cv2.threshold(apart, 32, 0, cv2.THRESH_TRUNC)[1])[0]


def line_phases(profile: Floats, pitch: float) -> list[float]:
    """Possible phases of the lines: the strongest edges, not adjacent."""
    folded = _folded(profile, pitch).copy()
    found = []
    for _ in range(PHASES):
        at = int(folded.argmax())
        found.append(float(at))
        near = np.arange(at - max(1, int(pitch / 16)), at + max(1, int(pitch / 16)) + 1) % len(folded)
        folded[near] = -1
    return found


def _places(pitch: float, edges: list[float], ends: list[float]) -> list[tuple[float, bool]]:
    """Distinct phases within one pitch, and whether the area ends there."""
    found: list[tuple[float, bool]] = []
    for phase, is_end in [*((end % pitch, True) for end in ends), *((edge, False) for edge in edges)]:
        if all(min((phase - other) % pitch, (other - phase) % pitch) > 1.0 for other, _ in found):
            found.append((phase, is_end))
    return found


def _ends(pixels: Pixels, box: tuple[int, int, int, int], rough: float, axis: int) -> list[float]:
    """Begin and end of the repetition along x (axis 1) or y (axis 0), if visible."""
    left, top, right, bottom = box
    far = int(1.5 * rough)
    if axis == 1:
        start, end = max(0, left - far), min(pixels.shape[1], right + far)
        part = pixels[(3 * top + bottom) // 4 : (top + 3 * bottom) // 4, start:end, 1].T
    else:
        start, end = max(0, top - far), min(pixels.shape[0], bottom + far)
        part = pixels[start:end, (3 * left + right) // 4 : (left + 3 * right) // 4, 1]
    step = round(rough)
    if len(part) < 4 * step:
        return []
    picture = np.ascontiguousarray(part[:, ::2])
    same = cv2.threshold(cv2.absdiff(picture[step:], picture[:-step]), ALIKE, 255, cv2.THRESH_BINARY_INV)[1]
    share = cv2.reduce(same, 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F).ravel()
    sums = np.concatenate(([0.0], np.cumsum(share)))
    near = max(2, step // 6)
    rise = np.array(
        [2 * sums[k] - sums[max(0, k - near)] - sums[min(len(share), k + near)] for k in range(len(share))]
    )
    half = len(share) // 2
    return [float(start + np.argmin(rise[:half])), float(start + step + half + np.argmax(rise[half:]))]


def _lines(box: tuple[int, int, int, int], across: tuple[float, float], down: tuple[float, float]) -> Grid:
    left, top, right, bottom = box
    axes = []
    for start, end, (pitch, phase) in ((left, right, across), (top, bottom, down)):
        count = int((end - start - phase) / pitch)
        lines = tuple(start + phase + pitch * k for k in range(count + 1))
        axes.append(lines[1:-1] if len(lines) > 5 else lines)  # the area is slightly too large
    return Grid(axes[0], axes[1])


BEST = 2  # positions whose extent is fitted


def refit_variants(judge: CellJudge, grid: Grid) -> list[ScoredGrid]:
    """Score grids of the same pitch with other phases and extents."""
    ways = [_shifts(judge, grid, axis) for axis in (1, 0)]
    grids = list(dict.fromkeys(grid.moved(1, across).moved(0, down) for across, down in product(*ways)))
    scores = judge.scores([cell for each in grids for cell in sample_cells(each, SECOND)])
    order = np.argsort(-scores.reshape(len(grids), SECOND).mean(axis=1), kind="stable")[:BEST]
    both = [each for at in order.tolist() for each in (grids[at], fit_extent(judge, grids[at]))]
    return [score_grid(judge, each) for each in dict.fromkeys(both)]


def _shifts(judge: CellJudge, grid: Grid, axis: int) -> list[float]:
    """Shifts of the lines of an axis to common edges of the cells, and to the middle of gaps."""
    xs, ys = grid.lines(1), grid.lines(0)
    left, top = max(0, to_pixel(xs[0])), max(0, to_pixel(ys[0]))
    part = judge.pixels[top : to_pixel(ys[-1]), left : to_pixel(xs[-1])]
    pitch = grid.pitch(axis)
    found = {0.0, center_lines_in_gaps(judge.pixels, grid).lines(axis)[0] - grid.lines(axis)[0]}
    for phase in line_phases(edge_profile(part, axis), pitch):
        found.add(phase if phase <= pitch / 2 else phase - pitch)
    return sorted(found)


LEAST_GAP, MAX_GAP = 0.05, 0.36  # fractions of a cell
MISSED = 0.06  # fraction of a cell between a line and a gap next to it, at most
UNIFORM = 0.97  # fraction of a gap that has one colour; bevels have less at their corners
CORNER = 0.3  # fraction of a cell's side taken by a rounded corner or a decoration
MAX_SAMPLES = 8, 80  # sampled lines, and places along each


def center_lines_in_gaps(pixels: Pixels, grid: Grid, beside_cells: bool = False) -> Grid:
    """Move all lines together to the middle of the gaps between the cells, if there are gaps.

    `beside_cells`: ignore the crossings of the gaps, where rounded corners shine through.
    """
    for axis in (1, 0):
        crossing = grid.lines(1 - axis)
        places = _middles(crossing) if beside_cells else _spread_places(crossing[0], crossing[-1])
        shift = _to_middle(pixels, grid.lines(axis), places, axis)
        grid = grid.moved(axis, shift) if shift else grid
    return grid


def _spread_places(low: float, high: float) -> Ints:
    """Pixels from low to high, at most MAX_SAMPLES of them."""
    first, last = max(0, to_pixel(low)), to_pixel(high)
    return np.arange(first, last, 1 + max(0, last - first) // MAX_SAMPLES[1])


def _middles(lines: Sequence[float]) -> Ints:
    """Pixels in the middle of the cells between lines."""
    parts = [
        np.arange(to_pixel(a + CORNER * (b - a)), to_pixel(b - CORNER * (b - a))) for a, b in pairwise(lines)
    ]
    every = np.concatenate(parts)
    return every[:: 1 + len(every) // MAX_SAMPLES[1]]


def _to_middle(pixels: Pixels, lines: Sequence[float], places: Ints, axis: int) -> int:
    """Distance from lines along x (axis 1) or y to the middle of the gaps; 0 without gaps.

    `places` are pixels along the lines at which the gaps are compared.
    """
    picture = pixels if axis == 0 else pixels.transpose(1, 0, 2)
    inner = np.array([to_pixel(line) for line in lines[1:-1]])
    pitch = (lines[-1] - lines[0]) / (len(lines) - 1)
    reach = int(MAX_GAP * pitch) + 1
    along = places[(places >= 0) & (places < picture.shape[1])]
    inner = inner[(inner >= reach) & (inner + reach < len(picture))][:: 1 + len(inner) // MAX_SAMPLES[0]]
    if not len(inner) or not len(along):
        return 0
    offsets = np.arange(-reach, reach + 1)
    seen = picture[(inner[None] + offsets[:, None])[:, :, None], along].reshape(len(offsets), -1, 3)
    usual = np.median(seen, axis=1).astype(np.int16)
    same = np.abs(seen.astype(np.int16) - usual[:, None]).max(axis=2) <= ALIKE
    return _middle(same.mean(axis=1) >= UNIFORM, usual, reach)


def _middle(is_uniform: NDArray[np.bool_], usual: NDArray[np.int16], reach: int) -> int:
    """Distance from the line to the middle of the gap around it or next to it; 0 without a gap."""
    near = max(1, round(reach * MISSED / MAX_GAP))
    for at in sorted(range(reach - near, reach + near), key=lambda place: abs(place - reach + 0.5)):
        if not is_uniform[at]:
            continue
        fits = is_uniform & (np.abs(usual - usual[at]).max(axis=1) <= ALIKE)
        start, stop = at, at + 1
        while start > 0 and fits[start - 1]:
            start -= 1
        while stop < len(fits) and fits[stop]:
            stop += 1
        if start > 0 and stop < len(fits) and LEAST_GAP / MAX_GAP * (reach - 1) <= stop - start <= reach:
            return (start + stop + 1) // 2 - reach
    return 0
