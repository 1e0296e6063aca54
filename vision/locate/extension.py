"""Extend box lattices to whole boards along the straight sides of cells: phase, extent and clipped sides.

The strip outside of a side, one cell wide, belongs to the board if the lines that cross the board continue in
it.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.locate.boxes import BoxLattice, even_places
from vision.locate.grid import (
    BEYOND,
    FAINTEST,
    FEWEST,
    RIM,
    SIDES,
    Floats,
    Grid,
    Side,
    band_edge_strength,
    line_tolerance,
    strength_across,
    threshold,
    to_pixel,
)

MIN_PART = 4.0  # pixels; shorter parts might miss the dots of a dotted line
PARTS = 8  # parts into which a strip one cell wide is divided
BY_CHANCE = 0.95  # upper limit of the fraction of lines that seem to show by chance
SUPPORTED = 0.5  # fraction of a strip's cells that must show their sides
ENOUGH = PARTS - 1  # parts of a strip that must show them if the strip contains whole cells
HALF = PARTS // 2  # parts that suffice if the averaged strip, or the next one, shows more
ON_THE_WHOLE = 0.7  # fraction of the sides, in the strip averaged over the middle of its cells
BESIDE = (30, 15)  # per cent of a strip without lines and glyphs
LEAST_SHOWN = 0.5  # fraction of the sides of a box lattice that are visible; on photos, few are
OF_A_SEED = ENOUGH - 2  # parts that an outermost strip of a box lattice must show
CROWDED = 10  # per cent of a board's pixels, at least, without lines and drawings
SECOND_BEST = 0.9  # factor on the visible sides if lines are fainter than the drawings in the cells
SMALL = 14  # pixels; lines between smaller cells deviate by less than two pixels
CLEAREST = 40.0  # grey levels; stronger edges count alike
SOME_EDGE = 0.3  # minimum strength of edges at a line's new place, as a fraction of those at the old
EXTENDED: tuple[Side, ...] = ((1, -1), (1, 1), (0, -1), (0, 1))  # the sides, in the order of extension


def extend(pixels: Pixels, seed: BoxLattice) -> Grid | None:
    """The whole board around a box lattice, with its lines on the edges of cells; None if it is too small."""
    first = grid_from_boxes(seed)
    reach = (_line_reach(seed.across_pitch, seed.width), _line_reach(seed.down_pitch, seed.height))
    start = _on_edges(pixels, first, max(reach))
    if shown_sides(pixels, start) < LEAST_SHOWN:
        return None
    grid = _extend_grid(pixels, start)
    if min(len(grid.xs), len(grid.ys)) <= FEWEST + 1:  # by lines alone, one more: rows of buttons have four
        return None
    moved = (to_pixel(start.xs[0] - first.xs[0]), to_pixel(start.ys[0] - first.ys[0]))
    across, down = ((-far - by, far - by) for far, by in zip(reach, moved, strict=True))
    return align_to_outer_edges(pixels, _refine_lines(pixels, grid), (across, down))


def grid_from_boxes(seed: BoxLattice) -> Grid:
    """A grid with lines half way between the boxes and one after the last."""
    return Grid(
        _between(seed.lefts, seed.width, seed.across_pitch), _between(seed.tops, seed.height, seed.down_pitch)
    )


def _between(starts: tuple[float, ...], size: float, pitch: float) -> tuple[float, ...]:
    if len(starts) > 2:
        pitch = (starts[-1] - starts[0]) / (len(starts) - 1)
    half = (pitch - size + 1) / 2  # a box begins one pixel after the step that bounds it
    return (*(start - half for start in starts), starts[-1] + pitch - half)


def _line_reach(pitch: float, size: float) -> int:
    """Maximum distance of a line from the middle between two boxes, pixels."""
    return max(1, to_pixel((pitch - size - 1) / 2))


def _on_edges(pixels: Pixels, grid: Grid, reach: int) -> Grid:
    """Move all lines of an axis together, by at most `reach`, to the strongest edges."""
    for axis in (1, 0):
        lines = grid.lines(axis)
        origin, strength = _edge_strength_around(pixels, grid, axis, reach)
        support = np.minimum(strength, 20.0).mean(axis=0)
        totals = [_interior(support, lines, shift - origin) for shift in range(-reach, reach + 1)]
        grid = grid.moved(axis, int(np.argmax(totals)) - reach)
    return grid


def _extend_grid(pixels: Pixels, grid: Grid) -> Grid:
    """Add strips of cells on every side while they are visible, and drop invisible ones."""
    strips = _OuterStrips(pixels, grid)
    for side in EXTENDED:
        grid = _trim(strips, grid, side)
    while True:
        before = grid
        for side in EXTENDED:
            grid = _extend(pixels, strips, grid, side)
        if grid == before:
            return grid


def _extend(pixels: Pixels, strips: _OuterStrips, grid: Grid, side: Side) -> Grid:
    axis, end = side
    snapped = False
    while True:
        lines = grid.lines(axis)
        near_by = np.sort(np.diff(lines[:7] if end < 0 else lines[-7:]))
        pitch = float(np.mean(near_by[1:-1] if len(near_by) > 2 else near_by))  # without outliers
        more = grid.widened(axis, end, pitch)
        if not -1.0 <= more.lines(axis)[0 if end < 0 else -1] <= pixels.shape[axis] + 1.0:
            return grid
        if strips.is_part_of_board(grid, side):
            grid, snapped = more, False
        elif not snapped and strips.continues(grid, side):  # lines may have gone astray by a pixel or two
            grid, snapped = _refine_lines(pixels, grid), True
        elif strips.continues(grid, side) and strips.continues(more, side):
            grid, snapped = more, False  # the next strip is visible too
        else:
            return grid


def _trim(strips: _OuterStrips, grid: Grid, side: Side) -> Grid:
    """Drop outer strips without visible cells (boxes outside the board that happen to be aligned)."""
    while len(grid.lines(side[0])) > 3:
        less = grid.without(*side)
        if int(strips.shown(less, side).sum()) >= OF_A_SEED:
            break
        grid = less
    return grid


def _refine_lines(pixels: Pixels, grid: Grid) -> Grid:
    """Move each line by a pixel or two to where its surroundings resemble those of the others.

    Programs round lines to whole pixels in different ways, so cells of one board may differ by a pixel.
    """
    for axis in (1, 0):
        lines = grid.lines(axis)
        if len(lines) < 4:
            continue
        half = max(2, to_pixel(grid.pitch(axis) * 0.3))
        reach = max(1 if grid.pitch(axis) < SMALL else 2, to_pixel(grid.pitch(axis) / 24))
        shifts = np.array(sorted(range(-reach, reach + 1), key=abs))
        origin, strength = _edge_strength_around(pixels, grid, axis, half + reach)
        profile = np.minimum(strength, CLEAREST).mean(axis=0)
        at = np.array([to_pixel(line) - origin for line in lines])
        window = np.arange(-half, half + 1)
        pieces = np.stack([profile[at[:, None] + window + shift] for shift in shifts])
        typical = np.median(pieces[0, 1:-1], axis=0)
        unlike = np.abs(pieces - typical).sum(axis=2)
        unlike += 0.1 * typical.sum() * np.abs(shifts)[:, None] / reach
        better = unlike.min(axis=0)
        convincing = (better < 0.6 * unlike[0]) & (better < 0.5 * typical.sum())  # otherwise other cells
        moves = np.where(convincing, shifts[unlike.argmin(axis=0)], 0)
        places = (at + moves + origin).astype(float)
        grid = grid.with_lines(axis, _rising(lines, places.tolist()))
    return grid


def straighten(pixels: Pixels, grid: Grid) -> Grid:
    """Move single lines that are astray to the places at equal distances, if edges are visible there.

    If the distance is no whole number of pixels, the program rounds, and the lines stay.
    """
    for axis in (1, 0):
        lines = np.array(grid.lines(axis))
        even = even_places(lines, grid.pitch(axis))
        is_astray = (even != lines) & float(even[1] - even[0]).is_integer()
        if is_astray.any():
            origin, strength = _edge_strength_around(pixels, grid, axis, to_pixel(grid.pitch(axis)))
            mean = np.minimum(strength, CLEAREST).mean(axis=0)
            now, then = ([_at(mean, each - origin) for each in places] for places in (lines, even))
            moved = np.where(is_astray & (np.array(then) >= SOME_EDGE * np.array(now)), even, lines)
            grid = grid.with_lines(axis, tuple(moved.tolist()))
    return grid


def _rising(lines: tuple[float, ...], places: list[float]) -> tuple[float, ...]:
    """New positions of the lines; the two outer ones keep their distance within a pixel."""
    first, last = places[2] - places[1], places[-2] - places[-3]
    places[0] = places[1] - min(max(to_pixel(lines[1] - lines[0]), first - 1), first + 1)
    places[-1] = places[-2] + min(max(to_pixel(lines[-1] - lines[-2]), last - 1), last + 1)
    return tuple(places)


def align_to_outer_edges(
    pixels: Pixels, grid: Grid, reaches: tuple[tuple[int, int], tuple[int, int]]
) -> Grid:
    """Move all lines of an axis together to the edge that the outermost cells show as well.

    There may be several edges between two cells (bevels, a gap). The one also visible at the first and last
    line is the line; without one, as with gaps, it is the left (upper) edge of the cells. `reaches` are the
    minimum and maximum move, for x and y.
    """
    for axis, (least, most) in zip((1, 0), reaches, strict=True):
        lines = grid.lines(axis)
        limit = pixels.shape[axis]
        origin, strength = _edge_strength_around(pixels, grid, axis, max(-least, most))
        mean = strength.mean(axis=0)
        wide = _local_max(mean[None], max(1, to_pixel(grid.pitch(axis) / 28)))[0]
        inside = [_interior(wide, lines, shift - origin) for shift in range(least, most + 1)]
        clearest = max(inside) or 1.0  # separate squares on one colour have no edge between them
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
    """Whether a line lies on the border of the picture, or at most BEYOND pixels outside."""
    return -BEYOND <= line <= 0 or limit <= line <= limit + BEYOND


def _interior(support: Floats, lines: tuple[float, ...], shift: int) -> float:
    return float(np.mean([_at(support, line + shift) for line in lines[1:-1]]))


def _at(support: Floats, where: float) -> float:
    index = to_pixel(where)
    return float(support[index]) if 0 <= index < len(support) else 0.0


def shown_sides(pixels: Pixels, grid: Grid) -> float:
    """Fraction of visible cell sides, the lower of both axes."""
    shares = []
    for axis in (1, 0):
        origin, strength = _edge_strength_around(pixels, grid, axis, 1)
        reach = line_tolerance(grid.pitch(axis))
        inner = [to_pixel(line) - origin for line in grid.lines(axis)[1:-1]]
        shown = _local_max((strength > threshold(strength)).astype(np.float32), reach)
        share = float(shown[:, inner].mean())
        if share < SECOND_BEST:
            # crowded cells: faint lines must be visible more often than chance
            shown = _local_max((strength > threshold(strength, CROWDED)).astype(np.float32), reach)
            chance = min(BY_CHANCE, float(shown.mean()))
            beyond = (float(shown[:, inner].mean()) - chance) / (1.0 - chance)
            share = max(share, SECOND_BEST * beyond)
        shares.append(share)
    return min(shares)


class _OuterStrips:
    """The strips outside of the sides of grids: one cell wide, and crossed by lines of the board.

    Lines count if they are as strong as the fainter lines of `grid`, less a margin: strong lines must not set
    the threshold.
    """

    def __init__(self, pixels: Pixels, grid: Grid) -> None:
        self._pixels = pixels
        self._faint = _faint_strength(pixels, grid, 0), _faint_strength(pixels, grid, 1)

    def shown(self, grid: Grid, side: Side) -> NDArray[np.bool_]:
        """Whether most crossing lines continue in each of PARTS parts, the nearest to the board first."""
        axis, end = side
        start, stop = _strip(grid, side)
        width = (stop - start) / PARTS
        half = max(width, MIN_PART) / 2
        centres = [start + (part + 0.5) * width for part in range(PARTS)]
        share = self._continuing(grid, axis, [(centre - half, centre + half) for centre in centres])
        return np.asarray((share[::-1] if end < 0 else share) >= SUPPORTED)

    def is_part_of_board(self, grid: Grid, side: Side) -> bool:
        """Whether the strip consists of whole cells of the board."""
        seen = self.shown(grid, side)
        count = int(seen.sum())
        if count < ENOUGH and (count < HALF or self._averaged(grid, side) < ON_THE_WHOLE):
            return False
        whole = self.shown(grid.without(*side), side)  # shows lines as far out; a clipped strip does not
        return not whole.any() or int(np.flatnonzero(seen)[-1]) >= int(np.flatnonzero(whole)[-1])

    def continues(self, grid: Grid, side: Side) -> bool:
        """Whether the board continues in the strip, at least in part."""
        return int(self.shown(grid, side).sum()) >= HALF

    def runs_off(self, grid: Grid, side: Side) -> bool:
        """Whether the picture's border, less than a cell away, clips cells whose sides reach it."""
        axis, end = side
        lines, border = grid.lines(axis), float(self._pixels.shape[axis])
        if lines[0] < -BEYOND or lines[-1] > border + BEYOND:
            return (lines[0] < -BEYOND) if end < 0 else (lines[-1] > border + BEYOND)
        rim = line_tolerance(grid.pitch(axis)) + 1  # pixels that the rim of the last line may take
        band = (0.0, lines[0] - rim) if end < 0 else (lines[-1] + rim, border)
        if not 2 <= band[1] - band[0] < grid.pitch(axis) - rim:
            return False
        middle = sum(band) / 2
        halves = self._continuing(grid, axis, [(band[0], middle), (middle, band[1])])
        return bool((halves >= SUPPORTED).all())

    def _averaged(self, grid: Grid, side: Side) -> float:
        """The share of lines that continue in the averaged middle: faint dots add up there, glyphs do not."""
        start, pitch = _strip(grid, side)[0], grid.pitch(side[0])
        return float(self._continuing(grid, side[0], [(start + RIM * pitch, start + (1 - RIM) * pitch)])[0])

    def _continuing(self, grid: Grid, axis: int, bands: Sequence[tuple[float, float]]) -> Floats:
        """For each band, the fraction of visible crossing lines, corrected for chance (0: none or a texture).

        The picture between the lines sets the threshold, at two percentiles: a lower one for cells so small
        that most of each is drawn on.
        """
        crossing, reach = grid.lines(1 - axis), line_tolerance(grid.pitch(axis))
        span = to_pixel(crossing[0]) - reach - 1, to_pixel(crossing[-1]) + reach + 2
        strength = band_edge_strength(self._pixels, bands, span, 1 - axis)
        at = [to_pixel(line) - span[0] for line in crossing]
        best = np.zeros(len(strength), np.float32)
        for plain in _percentiles(strength, BESIDE)[:, :, None]:
            limit = np.maximum(FAINTEST, np.minimum(2.0 * plain, self._faint[1 - axis]))
            shown = _local_max((strength > limit).astype(np.float32), reach)
            chance = np.minimum(shown.mean(axis=1), BY_CHANCE)
            best = np.maximum(best, (shown[:, at].mean(axis=1) - chance) / (1.0 - chance))
        return np.asarray(best, np.float32)


def _percentiles(values: Floats, shares: Sequence[float]) -> Floats:
    """Percentiles (shares, rows) of each row, interpolated like those of numpy, whose overhead is large."""
    ordered = np.sort(values, axis=-1)
    places = np.array(shares) / 100 * (values.shape[-1] - 1)
    below = places.astype(int)
    above = np.minimum(below + 1, values.shape[-1] - 1)
    low, high = ordered[..., below], ordered[..., above]
    return np.asarray(low + (high - low) * (places - below).astype(np.float32), np.float32).T


def _faint_strength(pixels: Pixels, grid: Grid, axis: int) -> float:
    """Strength of the fainter lines found along an axis, with a margin."""
    origin, strength = _edge_strength_around(pixels, grid, axis, 1)
    inner = [to_pixel(line) - origin for line in grid.lines(axis)[1:-1]]
    return 0.6 * float(np.percentile(_local_max(strength, 1)[:, inner], 20))


def _strip(grid: Grid, side: Side) -> tuple[float, float]:
    """Begin and end of the strip outside of a side, along its axis."""
    axis, end = side
    start = grid.lines(axis)[0] - grid.pitch(axis) if end < 0 else grid.lines(axis)[-1]
    return start, start + grid.pitch(axis)


def cut_sides(pixels: Pixels, grid: Grid) -> tuple[str, ...]:
    """The sides with a part of a cell beyond the last whole one."""
    cut, strips = [], _OuterStrips(pixels, grid)
    for side, name in SIDES.items():
        width = grid.pitch(side[0]) / PARTS
        overlapping = np.ceil(max(0.0, MIN_PART - width) / 2 / width)  # parts that reach into the last cell
        if int(strips.shown(grid, side)[:-1].sum()) >= 2 + overlapping or strips.runs_off(grid, side):
            cut.append(name)
    return tuple(cut)


def _edge_strength_around(pixels: Pixels, grid: Grid, axis: int, reach: int) -> tuple[int, Floats]:
    """Start of the span, and the line strength along one axis over the board and a margin."""
    lines = grid.lines(axis)
    span = (to_pixel(lines[0]) - reach - 2, to_pixel(lines[-1]) + reach + 3)
    return span[0], strength_across(pixels, grid.lines(1 - axis), span, axis)


def _local_max(strength: Floats, reach: int) -> Floats:
    """Largest value within `reach` of each place of the last axis."""
    kernel = np.ones((1, 2 * reach + 1), np.uint8)
    return np.asarray(cv2.dilate(np.ascontiguousarray(strength), kernel), np.float32)
