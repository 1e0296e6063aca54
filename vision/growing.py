"""From a few boxes on a lattice to the whole board: its phase, its extent, and where it is cut."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.boxes import Seed
from vision.evidence import (
    FAINTEST,
    NARROWEST,
    PARTS,
    Floats,
    across,
    band_steps,
    near,
    place,
    strip_parts,
    threshold,
)
from vision.frame import Pixels

SUPPORTED = 0.5  # the share of a strip's cells that must show their sides
ENOUGH = PARTS - 1  # parts of a strip that must show them, for the strip to hold whole cells

Faint = tuple[float, float]  # the strength that lines along y, and along x, can be asked for


@dataclass(frozen=True)
class Grid:
    """Lines while they are being found: like a Lattice, but in fractions of a pixel."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]

    def lines(self, axis: int) -> tuple[float, ...]:
        """The lines found along x (axis 1) or along y (axis 0)."""
        return self.xs if axis == 1 else self.ys

    def with_lines(self, axis: int, lines: tuple[float, ...]) -> Grid:
        """The same with other lines along one axis."""
        return replace(self, xs=lines) if axis == 1 else replace(self, ys=lines)

    def moved(self, axis: int, shift: float) -> Grid:
        """The same with the lines along one axis moved."""
        return self.with_lines(axis, tuple(line + shift for line in self.lines(axis)))

    def pitch(self, axis: int) -> float:
        """Mean distance of the lines along one axis."""
        lines = self.lines(axis)
        return (lines[-1] - lines[0]) / (len(lines) - 1)


def sprout(seed: Seed) -> Grid:
    """The seed's cells, with lines half way between its boxes and one after the last."""
    return Grid(_between(seed.lefts, seed.width, seed.pitch), _between(seed.tops, seed.height, seed.pitch))


def _between(starts: tuple[float, ...], size: float, pitch: float) -> tuple[float, ...]:
    if len(starts) > 2:
        pitch = (starts[-1] - starts[0]) / (len(starts) - 1)
    half = (pitch - size + 1) / 2  # a box begins one pixel after the step that bounds it
    return (*(start - half for start in starts), starts[-1] + pitch - half)


def on_edges(pixels: Pixels, grid: Grid, reach: int) -> Grid:
    """Moves all lines of an axis together, by no more than `reach`, to the strongest edges there."""
    for axis in (1, 0):
        lines = grid.lines(axis)
        origin, strength = _around(pixels, grid, axis, reach)
        support = np.minimum(strength, 20.0).mean(axis=0)
        totals = [_interior(support, lines, shift - origin) for shift in range(-reach, reach + 1)]
        grid = grid.moved(axis, int(np.argmax(totals)) - reach)
    return grid


def _around(pixels: Pixels, grid: Grid, axis: int, reach: int) -> tuple[int, Floats]:
    """Where it starts, and the line strength along one axis, over the board and a little more."""
    lines = grid.lines(axis)
    span = (place(lines[0]) - reach - 2, place(lines[-1]) + reach + 3)
    return span[0], across(pixels, grid.lines(1 - axis), span, axis)


def grow(pixels: Pixels, grid: Grid) -> Grid:
    """Adds strips of cells on every side as long as the pixels show them, and drops those they do not."""
    faint = (_faint(pixels, grid, 0), _faint(pixels, grid, 1))
    grid = _trim(pixels, grid, faint)
    while True:
        before = grid
        for axis in (1, 0):
            for side in (-1, 1):
                grid = _extend(pixels, grid, axis, side, faint)
        if grid == before:
            return grid


def _faint(pixels: Pixels, grid: Grid, axis: int) -> float:
    """What the fainter lines of one axis reach, with some to spare; strong ones must not set the measure."""
    origin, strength = _around(pixels, grid, axis, 1)
    inner = [place(line) - origin for line in grid.lines(axis)[1:-1]]
    return 0.6 * float(np.percentile(near(strength, 1)[:, inner], 20))


def _extend(pixels: Pixels, grid: Grid, axis: int, side: int, faint: Faint) -> Grid:
    limit = pixels.shape[1] if axis == 1 else pixels.shape[0]
    snapped = False
    while True:
        lines = grid.lines(axis)
        near_by = np.sort(np.diff(lines[:7] if side < 0 else lines[-7:]))
        pitch = float(np.mean(near_by[1:-1] if len(near_by) > 2 else near_by))  # a line or two may be astray
        less = grid.with_lines(axis, lines[1:] if side < 0 else lines[:-1])
        new = lines[0] - pitch if side < 0 else lines[-1] + pitch
        if not -1.0 <= new <= limit + 1.0:
            return grid
        seen = outside(pixels, grid, axis, side, faint) >= SUPPORTED
        if int(seen.sum()) >= ENOUGH and _as_far(seen, outside(pixels, less, axis, side, faint) >= SUPPORTED):
            grid = grid.with_lines(axis, (new, *lines) if side < 0 else (*lines, new))
            snapped = False
        elif not snapped and int(seen.sum()) >= PARTS // 2:
            grid, snapped = (
                snap(pixels, grid),
                True,
            )  # nearly: the lines may have gone astray by a pixel or two
        else:
            return grid


def _as_far(seen: NDArray[np.bool_], whole: NDArray[np.bool_]) -> bool:
    """Whether a strip shows as far out as the outermost whole one does; one that is cut does not."""
    return not whole.any() or int(np.flatnonzero(seen)[-1]) >= int(np.flatnonzero(whole)[-1])


def _trim(pixels: Pixels, grid: Grid, faint: Faint) -> Grid:
    """Drops outer strips that do not show their cells (boxes beside the board that happen to be in step)."""
    for axis in (1, 0):
        for side in (-1, 1):
            while len(grid.lines(axis)) > 3:
                lines = grid.lines(axis)
                less = grid.with_lines(axis, lines[1:] if side < 0 else lines[:-1])
                if int((outside(pixels, less, axis, side, faint) >= SUPPORTED).sum()) >= ENOUGH - 2:
                    break
                grid = less
    return grid


def outside(pixels: Pixels, grid: Grid, axis: int, side: int, faint: Faint) -> Floats:
    """How the strip just outside of a side goes on with the board's crossing lines.

    Returns, for each of PARTS parts of the strip (the one nearest to the board first), the share of crossing
    lines that show there, beyond what would show at any place by chance: 0 for none or a texture, 1 for all.
    """
    lines, crossing = grid.lines(axis), grid.lines(1 - axis)
    pitch = grid.pitch(axis)
    start = lines[0] - pitch if side < 0 else lines[-1]
    reach = max(1, place(pitch / 18))
    span = (place(crossing[0]) - reach - 1, place(crossing[-1]) + reach + 2)
    strength = strip_parts(pixels, start, start + pitch, span, 1 - axis)
    share = _crossing(strength, crossing, span[0], reach, faint[1 - axis])
    return np.asarray(share[::-1] if side < 0 else share, np.float32)


def _crossing(strength: Floats, crossing: tuple[float, ...], origin: int, reach: int, faint: float) -> Floats:
    """For each row of line strengths, the share of crossing lines that show, beyond what chance would."""
    own = 2.0 * np.percentile(strength, 30, axis=1, keepdims=True)
    limit = np.maximum(FAINTEST, np.minimum(own, faint))
    shown = near((strength > limit).astype(np.float32), reach)
    on = shown[:, [place(line) - origin for line in crossing]].mean(axis=1)
    chance = np.minimum(shown.mean(axis=1), 0.95)
    share: Floats = np.maximum(0.0, (on - chance) / (1.0 - chance)).astype(np.float32)
    return share


def snap(pixels: Pixels, grid: Grid) -> Grid:
    """Moves each line by itself, a pixel or two, to where its surroundings look like those of the others.

    Programs round each line to whole pixels in their own way, so cells of one board differ by a pixel.
    """
    for axis in (1, 0):
        lines = grid.lines(axis)
        if len(lines) < 4:
            continue
        half = max(2, place(grid.pitch(axis) * 0.3))
        reach = max(2, place(grid.pitch(axis) / 24))
        shifts = np.array(sorted(range(-reach, reach + 1), key=abs))
        origin, strength = _around(pixels, grid, axis, half + reach)
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
        origin, strength = _around(pixels, grid, axis, max(-least, most))
        mean = strength.mean(axis=0)
        wide = near(mean[None], max(1, place(grid.pitch(axis) / 28)))[0]
        inside = [_interior(wide, lines, shift - origin) for shift in range(least, most + 1)]
        full = max(1.0, min(12.0, max(inside)))
        best, best_score = 0, -9.0
        for shift, interior in zip(range(least, most + 1), inside, strict=True):
            ends = [
                full if not 0 < place(line + shift) < limit else _at(mean, line + shift - origin)
                for line in (lines[0], lines[-1])
            ]
            score = min(1.0, interior / full) + 1.25 * min(1.0, ends[0] / full) + min(1.0, ends[1] / full)
            score += 0.4 * interior / max(inside)
            score += 0.05 * _interior(mean, lines, shift - origin) / max(inside)
            score -= 0.4 * abs(shift - (least + most) / 2) / max(1.0, (most - least) / 2)
            if score > best_score + 1e-6:
                best, best_score = shift, score
        grid = grid.moved(axis, best)
    return grid


def _interior(support: Floats, lines: tuple[float, ...], shift: int) -> float:
    return float(np.mean([_at(support, line + shift) for line in lines[1:-1]]))


def _at(support: Floats, where: float) -> float:
    index = place(where)
    return float(support[index]) if 0 <= index < len(support) else 0.0


def cut_sides(pixels: Pixels, grid: Grid) -> tuple[str, ...]:
    """The sides on which a part of a cell is seen beyond the last whole one."""
    names = {(1, -1): "left", (0, -1): "top", (1, 1): "right", (0, 1): "bottom"}
    cut = []
    faint = (_faint(pixels, grid, 0), _faint(pixels, grid, 1))
    for (axis, side), name in names.items():
        parts = outside(pixels, grid, axis, side, faint)
        # The parts of small cells overlap, so that the first of them still see the last whole cell.
        width = grid.pitch(axis) / PARTS
        overlapping = int(np.ceil(max(0.0, NARROWEST - width) / 2 / width))
        shows = int((parts[:-1] >= SUPPORTED).sum()) >= 2 + overlapping
        if shows or _runs_off(pixels, grid, axis, side, faint):
            cut.append(name)
    return tuple(cut)


def _runs_off(pixels: Pixels, grid: Grid, axis: int, side: int, faint: Faint) -> bool:
    """Whether the picture's border, less than a cell away, cuts cells: their sides go on up to it."""
    lines, crossing = grid.lines(axis), grid.lines(1 - axis)
    border = float(pixels.shape[axis])
    if lines[0] < -1.5 or lines[-1] > border + 1.5:
        return (lines[0] < -1.5) if side < 0 else (lines[-1] > border + 1.5)
    reach = max(1, place(grid.pitch(axis) / 18))
    rim = reach + 1  # where the last line's own rim may lie
    band = (0.0, lines[0] - rim) if side < 0 else (lines[-1] + rim, border)
    if not 2 <= band[1] - band[0] < grid.pitch(axis) - rim:
        return False
    span = (place(crossing[0]) - reach - 1, place(crossing[-1]) + reach + 2)
    strength = band_steps(pixels, [band], span, 1 - axis)
    return bool(_crossing(strength, crossing, span[0], reach, faint[1 - axis])[0] >= SUPPORTED)


def confidence(pixels: Pixels, grid: Grid) -> float:
    """The share of cell sides that show, over both axes."""
    shares = []
    for axis in (1, 0):
        origin, strength = _around(pixels, grid, axis, 1)
        shown = near(
            (strength > threshold(strength)).astype(np.float32), max(1, place(grid.pitch(axis) / 18))
        )
        inner = [place(line) - origin for line in grid.lines(axis)[1:-1]]
        shares.append(float(shown[:, inner].mean()))
    return min(shares)
