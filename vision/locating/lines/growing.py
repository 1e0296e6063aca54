"""From a few boxes on a lattice to the whole board: its phase and its extent."""

from __future__ import annotations

import numpy as np

from vision.frame import Pixels
from vision.locating.evidence import BEYOND, Floats, near, place, threshold
from vision.locating.grid import Grid, around
from vision.locating.lines.boxes import Seed
from vision.locating.lines.strips import ENOUGH, Faint, belongs, faintness, goes_on, shown_parts

OF_A_SEED = ENOUGH - 2  # parts that an outermost strip of a seed must show
CROWDED = 10  # per cent of a board's pixels that lie between lines and drawings at least
SECOND_BEST = 0.9  # of a board's confidence, where its lines are fainter than what is drawn in its cells
SMALL = 14  # pixels; lines between smaller cells are no two pixels astray


def sprout(seed: Seed) -> Grid:
    """The seed's cells, with lines half way between its boxes and one after the last."""
    return Grid(
        _between(seed.lefts, seed.width, seed.across_pitch), _between(seed.tops, seed.height, seed.down_pitch)
    )


def _between(starts: tuple[float, ...], size: float, pitch: float) -> tuple[float, ...]:
    if len(starts) > 2:
        pitch = (starts[-1] - starts[0]) / (len(starts) - 1)
    half = (pitch - size + 1) / 2  # a box begins one pixel after the step that bounds it
    return (*(start - half for start in starts), starts[-1] + pitch - half)


def on_edges(pixels: Pixels, grid: Grid, reach: int) -> Grid:
    """Moves all lines of an axis together, by no more than `reach`, to the strongest edges there."""
    for axis in (1, 0):
        lines = grid.lines(axis)
        origin, strength = around(pixels, grid, axis, reach)
        support = np.minimum(strength, 20.0).mean(axis=0)
        totals = [_interior(support, lines, shift - origin) for shift in range(-reach, reach + 1)]
        grid = grid.moved(axis, int(np.argmax(totals)) - reach)
    return grid


def grow(pixels: Pixels, grid: Grid) -> Grid:
    """Adds strips of cells on every side as long as the pixels show them, and drops those they do not."""
    faint = faintness(pixels, grid)
    grid = _trim(pixels, grid, faint)
    while True:
        before = grid
        for axis in (1, 0):
            for side in (-1, 1):
                grid = _extend(pixels, grid, axis, side, faint)
        if grid == before:
            return grid


def _extend(pixels: Pixels, grid: Grid, axis: int, side: int, faint: Faint) -> Grid:
    limit = pixels.shape[axis]
    snapped = False
    while True:
        lines = grid.lines(axis)
        near_by = np.sort(np.diff(lines[:7] if side < 0 else lines[-7:]))
        pitch = float(np.mean(near_by[1:-1] if len(near_by) > 2 else near_by))  # a line or two may be astray
        more = grid.widened(axis, side, pitch)
        if not -1.0 <= more.lines(axis)[0 if side < 0 else -1] <= limit + 1.0:
            return grid
        if belongs(pixels, grid, axis, side, faint):
            grid, snapped = more, False
        elif not snapped and goes_on(pixels, grid, axis, side, faint):
            grid, snapped = snap(pixels, grid), True  # nearly: lines may have gone astray by a pixel or two
        elif goes_on(pixels, grid, axis, side, faint) and goes_on(pixels, more, axis, side, faint):
            grid, snapped = more, False  # the one behind it shows as well
        else:
            return grid


def _trim(pixels: Pixels, grid: Grid, faint: Faint) -> Grid:
    """Drops outer strips that do not show their cells (boxes beside the board that happen to be in step)."""
    for axis in (1, 0):
        for side in (-1, 1):
            while len(grid.lines(axis)) > 3:
                less = grid.without(axis, side)
                if shown_parts(pixels, less, axis, side, faint) >= OF_A_SEED:
                    break
                grid = less
    return grid


def snap(pixels: Pixels, grid: Grid) -> Grid:
    """Moves each line by itself, a pixel or two, to where its surroundings look like those of the others.

    Programs round each line to whole pixels in their own way, so cells of one board differ by a pixel.
    """
    for axis in (1, 0):
        lines = grid.lines(axis)
        if len(lines) < 4:
            continue
        half = max(2, place(grid.pitch(axis) * 0.3))
        reach = max(1 if grid.pitch(axis) < SMALL else 2, place(grid.pitch(axis) / 24))
        shifts = np.array(sorted(range(-reach, reach + 1), key=abs))
        origin, strength = around(pixels, grid, axis, half + reach)
        profile = np.minimum(strength, 40.0).mean(axis=0)
        at = np.array([place(line) - origin for line in lines])
        window = np.arange(-half, half + 1)
        pieces = np.stack([profile[at[:, None] + window + shift] for shift in shifts])
        typical = np.median(pieces[0, 1:-1], axis=0)
        unlike = np.abs(pieces - typical).sum(axis=2)
        unlike += 0.1 * typical.sum() * np.abs(shifts)[:, None] / reach
        better = unlike.min(axis=0)
        convincing = (better < 0.6 * unlike[0]) & (better < 0.5 * typical.sum())  # else other cells lie there
        moves = np.where(convincing, shifts[unlike.argmin(axis=0)], 0)
        places = (at + moves + origin).astype(float)
        grid = grid.with_lines(axis, _rising(lines, places.tolist()))
    return grid


def _rising(lines: tuple[float, ...], places: list[float]) -> tuple[float, ...]:
    """The new places of the inner lines; the outer two, that look unlike them, stay about as far apart."""
    first, last = places[2] - places[1], places[-2] - places[-3]
    places[0] = places[1] - min(max(place(lines[1] - lines[0]), first - 1), first + 1)
    places[-1] = places[-2] + min(max(place(lines[-1] - lines[-2]), last - 1), last + 1)
    return tuple(places)


def settle(pixels: Pixels, grid: Grid, reaches: tuple[tuple[int, int], tuple[int, int]]) -> Grid:
    """Moves all lines of an axis together to the edge that the outermost cells show as well.

    Between two cells there may be several edges (bevels, a gap): the one that is also seen at the first and
    at the last line is the line; where there is none, as with gaps, the left (upper) edge of the cells.
    `reaches` are the least and the greatest move, for x and for y.
    """
    for axis, (least, most) in zip((1, 0), reaches, strict=True):
        lines = grid.lines(axis)
        limit = pixels.shape[axis]
        origin, strength = around(pixels, grid, axis, max(-least, most))
        mean = strength.mean(axis=0)
        wide = near(mean[None], max(1, place(grid.pitch(axis) / 28)))[0]
        inside = [_interior(wide, lines, shift - origin) for shift in range(least, most + 1)]
        clearest = max(inside) or 1.0  # squares that lie apart on one colour have no edge between them
        full = max(1.0, min(12.0, clearest))
        best, best_score = 0, -9.0
        for shift, interior in zip(range(least, most + 1), inside, strict=True):
            ends = [
                full if _on_border(line + shift, limit) else _at(mean, line + shift - origin)
                for line in (lines[0], lines[-1])
            ]
            score = min(1.0, interior / full) + 1.25 * min(1.0, ends[0] / full) + min(1.0, ends[1] / full)
            score += 0.4 * interior / clearest
            score += 0.05 * _interior(mean, lines, shift - origin) / clearest
            score -= 0.4 * abs(shift - (least + most) / 2) / max(1.0, (most - least) / 2)
            if score > best_score + 1e-6:
                best, best_score = shift, score
        grid = grid.moved(axis, best)
    return grid


def _on_border(line: float, limit: int) -> bool:
    """Whether a line lies on the border of the picture, or no more than a pixel beyond it."""
    return -BEYOND <= line <= 0 or limit <= line <= limit + BEYOND


def _interior(support: Floats, lines: tuple[float, ...], shift: int) -> float:
    return float(np.mean([_at(support, line + shift) for line in lines[1:-1]]))


def _at(support: Floats, where: float) -> float:
    index = place(where)
    return float(support[index]) if 0 <= index < len(support) else 0.0


def confidence(pixels: Pixels, grid: Grid) -> float:
    """The share of cell sides that show, over both axes."""
    shares = []
    for axis in (1, 0):
        origin, strength = around(pixels, grid, axis, 1)
        reach = max(1, place(grid.pitch(axis) / 18))
        inner = [place(line) - origin for line in grid.lines(axis)[1:-1]]
        shown = near((strength > threshold(strength)).astype(np.float32), reach)
        share = float(shown[:, inner].mean())
        if share < SECOND_BEST:
            # where most of every cell is drawn upon, faint lines must show as well, beyond chance
            shown = near((strength > threshold(strength, CROWDED)).astype(np.float32), reach)
            chance = min(0.95, float(shown.mean()))
            beyond = (float(shown[:, inner].mean()) - chance) / (1.0 - chance)
            share = max(share, SECOND_BEST * beyond)
        shares.append(share)
    return min(shares)
