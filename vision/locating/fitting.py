"""From an area that repeats itself to the lines of a board: pitch and phase, as the judge of cells says."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.locating.boxes import STRETCH, Seed
from vision.locating.edges import edges_near
from vision.locating.evidence import Floats, place
from vision.locating.extent import extended, spread
from vision.locating.grid import Grid
from vision.locating.judging import Judge
from vision.locating.repeats import ALIKE, Repeat

NARROWEST = 8.0  # pixels of a cell of an area that repeats
PHASES = 5  # places of a line that are tried along each axis
FIRST, SECOND = 2, 8  # cells that speak for a place of the lines at first, and for
FINALISTS, MOST = 8, 2  # those that are left then, and at last
SAME = 0.01  # that two pitches of one board may differ
MOST_MOVES = 4  # ends of the area on two axes
LOOKED_AT = 150  # rows (columns) of pixels that are compared, at least
PROMISING = 0.05  # geometric mean probability of whole cells below which a guess is dropped
PARTED = 0.08  # of the distance that a part of it, times a whole number, may be off
KEPT = 0.75  # of the edges' rhythm that must be left at a half or a third of the pitch

Box = tuple[int, int, int, int]


def fit(judge: Judge, guess: Seed | Repeat, known: list[Grid]) -> Iterator[Grid]:
    """The lines of a board on what may be one, the likeliest first.

    None where no cell of a board is to be seen, or where the lines are a part of what is `known`.
    """
    best = _best(judge, *_on_edges(judge.pixels, guess)) if isinstance(guess, Seed) else []
    ends: list[Grid] = []
    if not best:
        grids, ends = _on_area(judge.pixels, guess)
        best = _best(judge, grids, [0.0] * len(grids))
    for grid in best:
        if not _is_known(grid, known):
            yield extended(judge, grid)
    for grid in _where_likeness_ends(extended(judge, best[0]), ends) if best and ends else []:
        yield extended(judge, grid)


def _is_known(grid: Grid, known: list[Grid]) -> bool:
    """Whether all lines are, to a pixel, lines of one grid that was found already."""
    return any(
        all(
            np.abs(np.subtract.outer(grid.lines(axis), other.lines(axis))).min(axis=1).max() <= 1.0
            for axis in (1, 0)
        )
        for other in known
    )


def _best(judge: Judge, grids: list[Grid], edges: list[float]) -> list[Grid]:
    """The grids that most look like rightly cut cells on edges, the best first; none where nothing does."""
    for count, most in ((FIRST, FINALISTS), (SECOND, MOST)):
        if not grids:
            break
        scores = judge.scores([place for grid in grids for place in spread(grid, count)])
        scores = scores.reshape(len(grids), count).mean(axis=1)
        order = [k for k in np.argsort(-(scores + np.array(edges))) if scores[k] > np.log(PROMISING)][:most]
        grids, edges = [grids[k] for k in order], [edges[k] for k in order]
    return grids


def _on_edges(pixels: Pixels, seed: Seed) -> tuple[list[Grid], list[float]]:
    """The seed's lines moved to the strongest edges between the boxes of two cells; how strong those are."""
    grid = Grid((*seed.lefts, seed.lefts[-1] + seed.across), (*seed.tops, seed.tops[-1] + seed.down))
    gaps = (seed.down - seed.height, seed.across - seed.width)
    return moved_to_edges(pixels, grid, [(-max(2, place(gap) + 1), 0) for gap in gaps])


def moved_to_edges(
    pixels: Pixels, grid: Grid, reaches: list[tuple[int, int]]
) -> tuple[list[Grid], list[float]]:
    """The lines moved to the strongest edges within reach along y and along x; how strong those are."""
    ways = []
    for axis in (1, 0):
        found = edges_near(pixels, grid, axis, *reaches[axis])
        ways.append(
            [(shift, found[shift]) for shift in sorted(found, key=lambda each: -found[each])[:PHASES]]
        )
    pairs = list(product(*ways))
    grids = [grid.moved(1, across[0]).moved(0, down[0]) for across, down in pairs]
    return grids, [across[1] + down[1] for across, down in pairs]


def _peaks(strength: Floats, near: int) -> list[int]:
    """The strongest places of a pitch, none `near` another; the last is beside the first."""
    left, found = strength.astype(np.float64), []
    for _ in range(min(PHASES, len(left))):
        at = int(left.argmax())
        if left[at] < 0:
            break
        found.append(at)
        left[np.arange(at - near, at + near + 1) % len(left)] = -1
    return found


def _on_area(pixels: Pixels, guess: Seed | Repeat) -> tuple[list[Grid], list[Grid]]:
    """Lines at every pitch and place that the area allows, and those of them that lie where it ends."""
    left, top, right, bottom = box = _within(pixels, guess.box)
    part = pixels[top:bottom, left:right]
    if min(part.shape[:2]) < 2.5 * NARROWEST:
        return [], []
    ways = []
    for axis, rough in ((1, guess.across), (0, guess.down)):
        profile = _profile(part, axis)
        pitches = {_exact(part, pitch, axis) for pitch in _pitches(profile, rough)}
        ends = _ends(pixels, box, rough, axis)
        start = left if axis == 1 else top
        ways.append(
            [
                (pitch, phase, is_end)
                for pitch in sorted(pitches)
                for phase, is_end in _places(pitch, _phases(profile, pitch), [end - start for end in ends])
            ]
        )
    tried = [
        (_lines(box, across[:2], down[:2]), across[2] and down[2])
        for across, down in product(*ways)
        if max(across[0], down[0]) <= STRETCH * min(across[0], down[0])
    ]
    tried = [(grid, is_end) for grid, is_end in tried if min(len(grid.xs), len(grid.ys)) >= 3]
    return [grid for grid, _ in tried], [grid for grid, is_end in tried if is_end]


def _where_likeness_ends(best: Grid, ends: list[Grid]) -> list[Grid]:
    """The best grid moved to where the area begins or ends to repeat itself; none where it lies so."""
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


def _profile(part: Pixels, axis: int) -> Floats:
    """How strong the edges are at each place along x (axis 1) or y (axis 0), averaged across."""
    step = max(1, part.shape[1 - axis] // LOOKED_AT)
    thin = part[::step] if axis == 1 else part[:, ::step].transpose(1, 0, 2)
    thin = np.ascontiguousarray(thin)
    apart = cv2.reduce(cv2.absdiff(thin[:, 1:], thin[:, :-1]), 0, cv2.REDUCE_AVG, dtype=cv2.CV_32F)
    return np.concatenate(([0.0], np.asarray(apart).reshape(-1, 3).max(axis=1))).astype(np.float32)


def _folded(profile: Floats, pitch: float) -> Floats:
    """The mean of the profile over all cells, for each pixel of one."""
    count = int((len(profile) - 1) / pitch)
    if count < 1:
        return np.zeros(1, np.float32)
    at = np.arange(int(pitch)) + np.floor(pitch * np.arange(count) + 0.5).astype(int)[:, None]
    return np.asarray(profile[np.minimum(at, len(profile) - 1)].mean(axis=0), np.float32)


def _pitches(profile: Floats, rough: float) -> list[float]:
    """The distance, or the shortest distances within it at which the edges have their rhythm as well."""
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
    """The distance near this one at which the area is most like itself, over ever more cells."""
    grey = part[..., 1] if axis == 0 else part[..., 1].T
    step = max(1, grey.shape[1] // LOOKED_AT)
    picture = np.ascontiguousarray(grey[:, ::step])
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


def _difference(picture: NDArray[np.uint8], step: int) -> float:
    apart = cv2.absdiff(picture[step:], picture[:-step])
    return float(cv2.mean(cv2.threshold(apart, 32, 0, cv2.THRESH_TRUNC)[1])[0])


def _phases(profile: Floats, pitch: float) -> list[float]:
    """Where a line may be within one pitch: the strongest edges, no two of them side by side."""
    return [float(at) for at in _peaks(_folded(profile, pitch), max(1, int(pitch / 16)))]


def _places(pitch: float, edges: list[float], ends: list[float]) -> list[tuple[float, bool]]:
    """Where a line may be within one pitch, and whether that is where the area ends; no place twice."""
    found: list[tuple[float, bool]] = []
    for phase, is_end in [*((end % pitch, True) for end in ends), *((edge, False) for edge in edges)]:
        if all(min((phase - other) % pitch, (other - phase) % pitch) > 1.0 for other, _ in found):
            found.append((phase, is_end))
    return found


def _ends(pixels: Pixels, box: tuple[int, int, int, int], rough: float, axis: int) -> list[float]:
    """Where, along x (axis 1) or y (axis 0), the area begins and ends to repeat itself, if that shows."""
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
        axes.append(lines[1:-1] if len(lines) > 5 else lines)  # the area is seen a little too large
    return Grid(axes[0], axes[1])
