"""Grids of lines in fractions of a pixel: how strongly the picture supports them, and how far they extend.

Textures, digits and noise change from pixel to pixel; the side of a cell does not. The picture is therefore
averaged along the side (a narrow band of pixels becomes one value per colour) before it is differenced. A
line of one or two grey levels remains visible, a texture of fifty does not.

A few boxes on a lattice become a grid, which is extended to the whole board: phase, extent and clipped sides.
A strip is one cell wide. The strip outside of a side belongs to the board if the lines that cross the board
continue in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.lattice import Lattice
from vision.locate.boxes import BoxLattice

Floats = NDArray[np.float32]

FAINTEST = 2.5  # grey levels; weaker steps are gradients and dithering
MIN_PART = 4.0  # pixels; shorter parts might miss the dots of a dotted line
PARTS = 8  # parts into which a strip one cell wide is divided
Side = tuple[int, int]  # the axis (1: x, 0: y) and -1 for its beginning, 1 for its end
SIDES: dict[Side, str] = {(1, -1): "left", (0, -1): "top", (1, 1): "right", (0, 1): "bottom"}
BEYOND = 1.5  # pixels that a line may lie outside of the picture: tolerance of its position
RIM = 0.2  # fraction of a cell at each end of its side that rounded corners and crossing lines take
BY_CHANCE = 0.95  # upper limit of the fraction of lines that seem to show by chance
FEWEST = 4  # columns and rows of the smallest board
NARROWEST, WIDEST = 8.0, 128.0  # pixels; side of a cell in the analysed picture


def line_tolerance(pitch: float) -> int:
    """Pixels by which a line may be drawn beside its place: an eighteenth of a cell, at least one."""
    return max(1, to_pixel(pitch / 18))


def to_pixel(position: float) -> int:
    """The nearest pixel; halves round up, so that odd distances are preserved."""
    return int(np.floor(position + 0.5))


@dataclass(frozen=True)
class Grid:
    """Lines between cells, like a Lattice but in fractions of a pixel."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]

    def lines(self, axis: int) -> tuple[float, ...]:
        """The lines found along x (axis 1) or along y (axis 0)."""
        return self.xs if axis == 1 else self.ys

    def with_lines(self, axis: int, lines: tuple[float, ...]) -> Grid:
        """The same with other lines along one axis."""
        return replace(self, xs=lines) if axis == 1 else replace(self, ys=lines)

    def without(self, axis: int, side: int) -> Grid:
        """The same without its first (side -1) or last strip of cells along one axis."""
        lines = self.lines(axis)
        return self.with_lines(axis, lines[1:] if side < 0 else lines[:-1])

    def widened(self, axis: int, side: int, by: float) -> Grid:
        """The same with one more strip of width `by` before its first (side -1) or after its last."""
        lines = self.lines(axis)
        return self.with_lines(axis, (lines[0] - by, *lines) if side < 0 else (*lines, lines[-1] + by))

    def moved(self, axis: int, shift: float) -> Grid:
        """The same with the lines along one axis moved."""
        return self.with_lines(axis, tuple(line + shift for line in self.lines(axis)))

    def pitch(self, axis: int) -> float:
        """Mean distance of the lines along one axis."""
        lines = self.lines(axis)
        return (lines[-1] - lines[0]) / (len(lines) - 1)


def to_lattice(grid: Grid, pixels: Pixels) -> Lattice:
    """The grid in whole pixels; an outermost line a pixel beyond the picture is moved to its border."""
    lines = []
    for axis in (1, 0):
        seen = [to_pixel(line) for line in grid.lines(axis)]
        lines.append((max(0, seen[0]), *seen[1:-1], min(seen[-1], pixels.shape[axis])))
    return Lattice(*lines)


def to_grid(lattice: Lattice) -> Grid:
    """The lines of a lattice as a grid."""
    return Grid(tuple(map(float, lattice.xs)), tuple(map(float, lattice.ys)))


def lattices_overlap(one: Lattice, other: Lattice) -> bool:
    """Whether two lattices claim common cells, so that at most one of them is right."""
    wide = min(one.xs[-1], other.xs[-1]) - max(one.xs[0], other.xs[0])
    high = min(one.ys[-1], other.ys[-1]) - max(one.ys[0], other.ys[0])
    return min(wide, high) > min(one.pitch, other.pitch)


def band_edge_strength(
    pixels: Pixels, bands: Sequence[tuple[float, float]], span: tuple[int, int], axis: int
) -> Floats:
    """Strength of a line at every pixel of `axis` from span[0] to span[1], for each band of the other axis.

    Axis 1: bands are (top, bottom), lines run down and are found along x. Axis 0: bands are (left, right),
    lines run across. Returns (bands, span), grey levels, the largest of the colours; 0 outside the picture,
    beyond which a band may reach by BEYOND.
    """
    low, high = max(0, span[0] - 1), min(pixels.shape[1 if axis == 1 else 0], span[1])
    limit = pixels.shape[0 if axis == 1 else 1]
    result = np.zeros((len(bands), span[1] - span[0]), np.float32)
    for index, (begin, end) in enumerate(bands):
        first = to_pixel(begin)
        last = max(first + 1, to_pixel(end))
        if first < -BEYOND or last > limit + BEYOND or high - low < 2:
            continue
        first, last = max(0, first), min(limit, last)
        if first >= last:
            continue
        part = pixels[first:last, low:high] if axis == 1 else pixels[low:high, first:last]
        means = cv2.reduce(part, 1 - axis, cv2.REDUCE_AVG, dtype=cv2.CV_32F).reshape(high - low, 3)
        apart = np.abs(means[1:] - means[:-1])
        change = np.maximum(np.maximum(apart[:, 0], apart[:, 1]), apart[:, 2])
        result[index, low + 1 - span[0] : high - span[0]] = change
    return result


def strength_across(pixels: Pixels, lines: Sequence[float], span: tuple[int, int], axis: int) -> Floats:
    """`band_edge_strength` in the middle of the cells between the lines of the other axis."""
    bands = []
    for low, high in pairwise(lines):
        margin = RIM * (high - low)
        bands.append((low + margin, high - margin))
    return band_edge_strength(pixels, bands, span, axis)


def strip_parts(pixels: Pixels, start: float, stop: float, span: tuple[int, int], axis: int) -> Floats:
    """`band_edge_strength` in a strip of the other axis, seen in PARTS parts: (PARTS, span)."""
    width = (stop - start) / PARTS
    half = max(width, MIN_PART) / 2
    centres = [start + (part + 0.5) * width for part in range(PARTS)]
    return band_edge_strength(pixels, [(centre - half, centre + half) for centre in centres], span, axis)


def threshold(strength: Floats, plain: float = 30) -> float:
    """Minimum strength of a line: above that of the picture's own texture.

    `plain` is the percentage of the picture without lines and drawings.
    """
    return max(FAINTEST, 3.0 * float(np.percentile(strength, plain)))


def local_max(strength: Floats, reach: int) -> Floats:
    """Largest value within `reach` of each place of the last axis."""
    kernel = np.ones((1, 2 * reach + 1), np.uint8)
    return np.asarray(cv2.dilate(np.ascontiguousarray(strength), kernel), np.float32)


def edge_strength_around(pixels: Pixels, grid: Grid, axis: int, reach: int) -> tuple[int, Floats]:
    """Start of the span, and the line strength along one axis over the board and a margin."""
    lines = grid.lines(axis)
    span = (to_pixel(lines[0]) - reach - 2, to_pixel(lines[-1]) + reach + 3)
    return span[0], strength_across(pixels, grid.lines(1 - axis), span, axis)


SUPPORTED = 0.5  # fraction of a strip's cells that must show their sides
ENOUGH = PARTS - 1  # parts of a strip that must show them if the strip contains whole cells
HALF = PARTS // 2  # parts that suffice if the averaged strip, or the next one, shows more
ON_THE_WHOLE = 0.7  # fraction of the sides, in the strip averaged over the middle of its cells
FRAME = 2  # parts in which a frame around the board may look like lines
BESIDE = (30, 15)  # per cent of a strip without lines and glyphs

Faint = tuple[float, float]  # required strength of lines along y, and along x


def faint_thresholds(pixels: Pixels, grid: Grid) -> Faint:
    """Strength of the fainter lines of each axis, with a margin; strong lines must not set the threshold."""
    return _faint(pixels, grid, 0), _faint(pixels, grid, 1)


def _faint(pixels: Pixels, grid: Grid, axis: int) -> float:
    origin, strength = edge_strength_around(pixels, grid, axis, 1)
    inner = [to_pixel(line) - origin for line in grid.lines(axis)[1:-1]]
    return 0.6 * float(np.percentile(local_max(strength, 1)[:, inner], 20))


def is_part_of_board(pixels: Pixels, grid: Grid, axis: int, side: int, faint: Faint) -> bool:
    """Whether the strip outside of a side consists of whole cells of the board."""
    seen = _shows(pixels, grid, axis, side, faint)
    parts = int(seen.sum())
    if parts < ENOUGH and (parts < HALF or _as_a_whole(pixels, grid, axis, side, faint) < ON_THE_WHOLE):
        return False
    return _as_far(seen, _shows(pixels, grid.without(axis, side), axis, side, faint))


def continues(pixels: Pixels, grid: Grid, axis: int, side: int, faint: Faint) -> bool:
    """Whether the board continues outside of a side, at least in part."""
    return shown_parts(pixels, grid, axis, side, faint) >= HALF


def shown_parts(pixels: Pixels, grid: Grid, axis: int, side: int, faint: Faint) -> int:
    """Number of the PARTS of the strip outside of a side in which the lines continue."""
    return int(_shows(pixels, grid, axis, side, faint).sum())


def _shows(pixels: Pixels, grid: Grid, axis: int, side: int, faint: Faint) -> NDArray[np.bool_]:
    return np.asarray(strip_outside(pixels, grid, axis, side, faint) >= SUPPORTED, np.bool_)


def _as_far(seen: NDArray[np.bool_], whole: NDArray[np.bool_]) -> bool:
    """Whether a strip shows lines as far out as the outermost whole one; a clipped one does not."""
    return not whole.any() or int(np.flatnonzero(seen)[-1]) >= int(np.flatnonzero(whole)[-1])


def strip_outside(pixels: Pixels, grid: Grid, axis: int, side: int, faint: Faint) -> Floats:
    """Fraction of the crossing lines that continue in the strip outside of a side.

    Returns the fraction for each of PARTS parts of the strip, nearest to the board first, corrected for
    chance: 0 for none or a texture, 1 for all.
    """
    start, pitch, span, reach = _strip(grid, axis, side)
    strength = strip_parts(pixels, start, start + pitch, span, 1 - axis)
    share = _crossing(strength, grid.lines(1 - axis), span[0], reach, faint[1 - axis])
    return np.asarray(share[::-1] if side < 0 else share, np.float32)


def _as_a_whole(pixels: Pixels, grid: Grid, axis: int, side: int, faint: Faint) -> float:
    """`strip_outside` for the averaged middle of the strip: faint dots add up there, glyphs do not."""
    start, pitch, span, reach = _strip(grid, axis, side)
    middle = (start + RIM * pitch, start + (1 - RIM) * pitch)
    strength = band_edge_strength(pixels, [middle], span, 1 - axis)
    return float(_crossing(strength, grid.lines(1 - axis), span[0], reach, faint[1 - axis])[0])


def _strip(grid: Grid, axis: int, side: int) -> tuple[float, float, tuple[int, int], int]:
    """Start and width of the strip, the span of its crossing lines, and their tolerance."""
    lines, pitch = grid.lines(axis), grid.pitch(axis)
    reach = line_tolerance(pitch)
    return (lines[0] - pitch if side < 0 else lines[-1]), pitch, _span(grid, axis, reach), reach


def _span(grid: Grid, axis: int, reach: int) -> tuple[int, int]:
    crossing = grid.lines(1 - axis)
    return to_pixel(crossing[0]) - reach - 1, to_pixel(crossing[-1]) + reach + 2


def _crossing(strength: Floats, crossing: tuple[float, ...], origin: int, reach: int, faint: float) -> Floats:
    """For each row of line strengths, the fraction of crossing lines that show, corrected for chance.

    The picture between the lines sets the threshold, at two percentiles: a lower one for cells so small that
    most of each is drawn on.
    """
    at = [to_pixel(line) - origin for line in crossing]
    best = np.zeros(len(strength), np.float32)
    for own in np.percentile(strength, BESIDE, axis=1)[:, :, None]:
        limit = np.maximum(FAINTEST, np.minimum(2.0 * own, faint))
        shown = local_max((strength > limit).astype(np.float32), reach)
        chance = np.minimum(shown.mean(axis=1), BY_CHANCE)
        best = np.maximum(best, (shown[:, at].mean(axis=1) - chance) / (1.0 - chance))
    return np.asarray(best, np.float32)


def cut_sides(pixels: Pixels, grid: Grid) -> tuple[str, ...]:
    """The sides with a part of a cell beyond the last whole one."""
    cut = []
    faint = faint_thresholds(pixels, grid)
    for (axis, side), name in SIDES.items():
        parts = strip_outside(pixels, grid, axis, side, faint)
        shows = int((parts[:-1] >= SUPPORTED).sum()) >= 2 + np.ceil(_overlapping(grid, axis))
        if shows or _runs_off(pixels, grid, axis, side, faint):
            cut.append(name)
    return tuple(cut)


def continuing_sides(pixels: Pixels, grid: Grid) -> tuple[str, ...]:
    """The sides beyond which lines continue without a break, farther than a frame would show."""
    faint = faint_thresholds(pixels, grid)
    found = []
    for (axis, side), name in SIDES.items():
        far = 1 + FRAME + round(_overlapping(grid, axis))
        if (strip_outside(pixels, grid, axis, side, faint)[:far] >= SUPPORTED).all():
            found.append(name)
    return tuple(found)


def _overlapping(grid: Grid, axis: int) -> float:
    """Number of parts of a strip that still overlap the last whole cell (for small cells)."""
    width = grid.pitch(axis) / PARTS
    return max(0.0, MIN_PART - width) / 2 / width


def _runs_off(pixels: Pixels, grid: Grid, axis: int, side: int, faint: Faint) -> bool:
    """Whether the picture's border, less than a cell away, clips cells whose sides reach it."""
    lines, crossing = grid.lines(axis), grid.lines(1 - axis)
    border = float(pixels.shape[axis])
    if lines[0] < -BEYOND or lines[-1] > border + BEYOND:
        return (lines[0] < -BEYOND) if side < 0 else (lines[-1] > border + BEYOND)
    reach = line_tolerance(grid.pitch(axis))
    rim = reach + 1  # pixels that the rim of the last line may take
    band = (0.0, lines[0] - rim) if side < 0 else (lines[-1] + rim, border)
    if not 2 <= band[1] - band[0] < grid.pitch(axis) - rim:
        return False
    span = _span(grid, axis, reach)
    middle = sum(band) / 2
    strength = band_edge_strength(pixels, [(band[0], middle), (middle, band[1])], span, 1 - axis)
    return bool((_crossing(strength, crossing, span[0], reach, faint[1 - axis]) >= SUPPORTED).all())


OF_A_SEED = ENOUGH - 2  # parts that an outermost strip of a box lattice must show
CROWDED = 10  # per cent of a board's pixels, at least, without lines and drawings
SECOND_BEST = 0.9  # factor on the visible sides if lines are fainter than the drawings in the cells
SMALL = 14  # pixels; lines between smaller cells deviate by less than two pixels
DRIFT = 0.5  # pixels between the halves of a side; with more, the pitch is fractional
ASTRAY = 1  # gaps between lines that may still deviate by a pixel


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


def line_reach(pitch: float, size: float) -> int:
    """Maximum distance of a line from the middle between two boxes, pixels."""
    return max(1, to_pixel((pitch - size - 1) / 2))


def on_edges(pixels: Pixels, grid: Grid, reach: int) -> Grid:
    """Move all lines of an axis together, by at most `reach`, to the strongest edges."""
    for axis in (1, 0):
        lines = grid.lines(axis)
        origin, strength = edge_strength_around(pixels, grid, axis, reach)
        support = np.minimum(strength, 20.0).mean(axis=0)
        totals = [_interior(support, lines, shift - origin) for shift in range(-reach, reach + 1)]
        grid = grid.moved(axis, int(np.argmax(totals)) - reach)
    return grid


def extend_grid(pixels: Pixels, grid: Grid) -> Grid:
    """Add strips of cells on every side while they are visible, and drop invisible ones."""
    faint = faint_thresholds(pixels, grid)
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
        pitch = float(np.mean(near_by[1:-1] if len(near_by) > 2 else near_by))  # without outliers
        more = grid.widened(axis, side, pitch)
        if not -1.0 <= more.lines(axis)[0 if side < 0 else -1] <= limit + 1.0:
            return grid
        if is_part_of_board(pixels, grid, axis, side, faint):
            grid, snapped = more, False
        elif not snapped and continues(pixels, grid, axis, side, faint):
            grid, snapped = (
                refine_lines(pixels, grid),
                True,
            )  # nearly: lines may have gone astray by a pixel or two
        elif continues(pixels, grid, axis, side, faint) and continues(pixels, more, axis, side, faint):
            grid, snapped = more, False  # the next strip is visible too
        else:
            return grid


def _trim(pixels: Pixels, grid: Grid, faint: Faint) -> Grid:
    """Drop outer strips without visible cells (boxes outside the board that happen to be aligned)."""
    for axis in (1, 0):
        for side in (-1, 1):
            while len(grid.lines(axis)) > 3:
                less = grid.without(axis, side)
                if shown_parts(pixels, less, axis, side, faint) >= OF_A_SEED:
                    break
                grid = less
    return grid


def refine_lines(pixels: Pixels, grid: Grid) -> Grid:
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
        origin, strength = edge_strength_around(pixels, grid, axis, half + reach)
        profile = np.minimum(strength, 40.0).mean(axis=0)
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
        origin, strength = edge_strength_around(pixels, grid, axis, max(-least, most))
        mean = strength.mean(axis=0)
        wide = local_max(mean[None], max(1, to_pixel(grid.pitch(axis) / 28)))[0]
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
        origin, strength = edge_strength_around(pixels, grid, axis, 1)
        reach = line_tolerance(grid.pitch(axis))
        inner = [to_pixel(line) - origin for line in grid.lines(axis)[1:-1]]
        shown = local_max((strength > threshold(strength)).astype(np.float32), reach)
        share = float(shown[:, inner].mean())
        if share < SECOND_BEST:
            # crowded cells: faint lines must be visible more often than chance
            shown = local_max((strength > threshold(strength, CROWDED)).astype(np.float32), reach)
            chance = min(BY_CHANCE, float(shown.mean()))
            beyond = (float(shown[:, inner].mean()) - chance) / (1.0 - chance)
            share = max(share, SECOND_BEST * beyond)
        shares.append(share)
    return min(shares)


def even_grid(grid: Grid) -> Grid:
    """The grid with evenly spaced lines in whole pixels, if that moves none of them by more than one pixel.

    A line next to a bevel may be detected on either side of it; a fractional pitch drifts further.
    """
    return Grid(_even(grid.xs), _even(grid.ys))


def _even(exact: tuple[float, ...]) -> tuple[float, ...]:
    lines = tuple(to_pixel(line) for line in exact)
    pitch = round((lines[-1] - lines[0]) / (len(lines) - 1))
    starts = [line - pitch * k for k, line in enumerate(lines)]
    start = sorted(starts)[len(starts) // 2]
    half = len(starts) // 2
    drift = abs(sum(starts[:half]) / half - sum(starts[-half:]) / half)
    uneven = sum(b - a != pitch for a, b in pairwise(lines))
    if (drift > DRIFT and uneven > ASTRAY) or start - min(starts) > 1 or max(starts) - start > 1:
        return lines
    return tuple(start + pitch * k for k in range(len(lines)))
