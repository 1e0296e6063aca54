"""The strips of cells beside a board: whether they belong to it, and where it is cut.

A strip is one cell wide. It belongs to the board when the lines that cross the board go on in it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.locating.evidence import (
    BEYOND,
    FAINTEST,
    NARROWEST,
    PARTS,
    Floats,
    band_steps,
    near,
    place,
    strip_parts,
)
from vision.locating.grid import Grid, around

SUPPORTED = 0.5  # the share of a strip's cells that must show their sides
ENOUGH = PARTS - 1  # parts of a strip that must show them, for the strip to hold whole cells
HALF = PARTS // 2  # parts of it that are enough where the strip as a whole, or the one behind it, shows more
ON_THE_WHOLE = 0.7  # of the sides, when the strip is averaged over the middle of its cells
FRAME = 2  # parts of it in which the frame around a board may show as lines do
BESIDE = (30, 15)  # per cent of a strip that lie beside its lines and its glyphs

NAMES = {(1, -1): "left", (0, -1): "top", (1, 1): "right", (0, 1): "bottom"}
Faint = tuple[float, float]  # the strength that lines along y, and along x, can be asked for


def faintness(pixels: Pixels, grid: Grid) -> Faint:
    """What the fainter lines of each axis reach, with some to spare; strong ones must not set the measure."""
    return _faint(pixels, grid, 0), _faint(pixels, grid, 1)


def _faint(pixels: Pixels, grid: Grid, axis: int) -> float:
    origin, strength = around(pixels, grid, axis, 1)
    inner = [place(line) - origin for line in grid.lines(axis)[1:-1]]
    return 0.6 * float(np.percentile(near(strength, 1)[:, inner], 20))


def belongs(pixels: Pixels, grid: Grid, axis: int, side: int, faint: Faint) -> bool:
    """Whether the strip just outside of a side is one of the board's own, with whole cells."""
    seen = _shows(pixels, grid, axis, side, faint)
    parts = int(seen.sum())
    if parts < ENOUGH and (parts < HALF or _as_a_whole(pixels, grid, axis, side, faint) < ON_THE_WHOLE):
        return False
    return _as_far(seen, _shows(pixels, grid.without(axis, side), axis, side, faint))


def goes_on(pixels: Pixels, grid: Grid, axis: int, side: int, faint: Faint) -> bool:
    """Whether the strip just outside of a side goes on with the board, if only in part."""
    return shown_parts(pixels, grid, axis, side, faint) >= HALF


def shown_parts(pixels: Pixels, grid: Grid, axis: int, side: int, faint: Faint) -> int:
    """How many of the PARTS of the strip just outside of a side go on with the board's lines."""
    return int(_shows(pixels, grid, axis, side, faint).sum())


def _shows(pixels: Pixels, grid: Grid, axis: int, side: int, faint: Faint) -> NDArray[np.bool_]:
    return np.asarray(outside(pixels, grid, axis, side, faint) >= SUPPORTED, np.bool_)


def _as_far(seen: NDArray[np.bool_], whole: NDArray[np.bool_]) -> bool:
    """Whether a strip shows as far out as the outermost whole one does; one that is cut does not."""
    return not whole.any() or int(np.flatnonzero(seen)[-1]) >= int(np.flatnonzero(whole)[-1])


def outside(pixels: Pixels, grid: Grid, axis: int, side: int, faint: Faint) -> Floats:
    """How the strip just outside of a side goes on with the board's crossing lines.

    Returns, for each of PARTS parts of the strip (the one nearest to the board first), the share of crossing
    lines that show there, beyond what would show at any place by chance: 0 for none or a texture, 1 for all.
    """
    start, pitch, span, reach = _strip(grid, axis, side)
    strength = strip_parts(pixels, start, start + pitch, span, 1 - axis)
    share = _crossing(strength, grid.lines(1 - axis), span[0], reach, faint[1 - axis])
    return np.asarray(share[::-1] if side < 0 else share, np.float32)


def _as_a_whole(pixels: Pixels, grid: Grid, axis: int, side: int, faint: Faint) -> float:
    """As `outside`, for the middle of the strip as one: faint dots add up there, and glyphs do not."""
    start, pitch, span, reach = _strip(grid, axis, side)
    middle = (start + 0.2 * pitch, start + 0.8 * pitch)
    strength = band_steps(pixels, [middle], span, 1 - axis)
    return float(_crossing(strength, grid.lines(1 - axis), span[0], reach, faint[1 - axis])[0])


def _strip(grid: Grid, axis: int, side: int) -> tuple[float, float, tuple[int, int], int]:
    """Where the strip begins, how wide it is, the span of its crossing lines, how far one may be off."""
    lines, pitch = grid.lines(axis), grid.pitch(axis)
    reach = max(1, place(pitch / 18))
    return (lines[0] - pitch if side < 0 else lines[-1]), pitch, _span(grid, axis, reach), reach


def _span(grid: Grid, axis: int, reach: int) -> tuple[int, int]:
    crossing = grid.lines(1 - axis)
    return place(crossing[0]) - reach - 1, place(crossing[-1]) + reach + 2


def _crossing(strength: Floats, crossing: tuple[float, ...], origin: int, reach: int, faint: float) -> Floats:
    """For each row of line strengths, the share of crossing lines that show, beyond what chance would.

    What the picture does beside the lines sets the measure: at one level, or, where cells are so small that
    most of them is drawn upon, at a lower one.
    """
    at = [place(line) - origin for line in crossing]
    best = np.zeros(len(strength), np.float32)
    for own in np.percentile(strength, BESIDE, axis=1)[:, :, None]:
        limit = np.maximum(FAINTEST, np.minimum(2.0 * own, faint))
        shown = near((strength > limit).astype(np.float32), reach)
        chance = np.minimum(shown.mean(axis=1), 0.95)
        best = np.maximum(best, (shown[:, at].mean(axis=1) - chance) / (1.0 - chance))
    return np.asarray(best, np.float32)


def cut_sides(pixels: Pixels, grid: Grid) -> tuple[str, ...]:
    """The sides on which a part of a cell is seen beyond the last whole one."""
    cut = []
    faint = faintness(pixels, grid)
    for (axis, side), name in NAMES.items():
        parts = outside(pixels, grid, axis, side, faint)
        shows = int((parts[:-1] >= SUPPORTED).sum()) >= 2 + np.ceil(_overlapping(grid, axis))
        if shows or _runs_off(pixels, grid, axis, side, faint):
            cut.append(name)
    return tuple(cut)


def running_on(pixels: Pixels, grid: Grid) -> tuple[str, ...]:
    """The sides from which lines go on without a break, farther than a frame around a board would show."""
    faint = faintness(pixels, grid)
    found = []
    for (axis, side), name in NAMES.items():
        far = 1 + FRAME + round(_overlapping(grid, axis))
        if (outside(pixels, grid, axis, side, faint)[:far] >= SUPPORTED).all():
            found.append(name)
    return tuple(found)


def _overlapping(grid: Grid, axis: int) -> float:
    """How many parts of a strip still see the last whole cell: those of small cells overlap."""
    width = grid.pitch(axis) / PARTS
    return max(0.0, NARROWEST - width) / 2 / width


def _runs_off(pixels: Pixels, grid: Grid, axis: int, side: int, faint: Faint) -> bool:
    """Whether the picture's border, less than a cell away, cuts cells: their sides go on up to it."""
    lines, crossing = grid.lines(axis), grid.lines(1 - axis)
    border = float(pixels.shape[axis])
    if lines[0] < -BEYOND or lines[-1] > border + BEYOND:
        return (lines[0] < -BEYOND) if side < 0 else (lines[-1] > border + BEYOND)
    reach = max(1, place(grid.pitch(axis) / 18))
    rim = reach + 1  # where the last line's own rim may lie
    band = (0.0, lines[0] - rim) if side < 0 else (lines[-1] + rim, border)
    if not 2 <= band[1] - band[0] < grid.pitch(axis) - rim:
        return False
    span = _span(grid, axis, reach)
    middle = sum(band) / 2
    strength = band_steps(pixels, [(band[0], middle), (middle, band[1])], span, 1 - axis)
    return bool((_crossing(strength, crossing, span[0], reach, faint[1 - axis]) >= SUPPORTED).all())
