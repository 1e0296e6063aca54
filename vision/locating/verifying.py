"""Whether a lattice still lies where it was found: a glance, not a search."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame
from vision.lattice import Lattice
from vision.locating.evidence import FAINTEST, Floats, band_steps, place

BANDS = 4  # rows, and columns, that are looked at: the outermost two and some between
PLAUSIBLE = 0.2  # the least share of lines that must show; a theme may draw none between open cells
CHANGED = (
    0.15  # the share of one side's surroundings that may change: a clock or a counter may touch the board
)


def verify(frame: Frame, lattice: Lattice, *, before: Frame | None = None) -> bool:
    """Whether the board still lies under its lattice; False when the window moved, went or is covered.

    Looks at a few rows and columns only, and sees neither a move by whole cells nor, in some looks, one by
    the width of a gap or a bevel. With `before`, an earlier frame of the same part of the screen in which the
    lattice was right, what surrounds the board is compared as well, and every such move is seen.
    """
    left, top, width, height = lattice.box
    gap = place(lattice.pitch / 4)  # what lies between cells may end outside the picture
    if left < 0 or top < 0 or left + width > frame.width + gap or top + height > frame.height + gap:
        return False
    if before is not None and not _same_surroundings(frame, before, lattice):
        return False
    if before is not None and not all(_same_first_line(frame, before, lattice, axis) for axis in (1, 0)):
        return False
    return all(_holds(frame, lattice, axis) for axis in (1, 0))


def _bands(lattice: Lattice, axis: int) -> list[tuple[float, float]]:
    """The middles of the rows (axis 1) or columns that are looked at."""
    crossing = lattice.ys if axis == 1 else lattice.xs
    chosen = {round(index * (len(crossing) - 2) / (BANDS - 1)) for index in range(BANDS)}
    cells = [(crossing[index], crossing[index + 1]) for index in sorted(chosen)]
    return [(low + 0.3 * (high - low), low + 0.7 * (high - low)) for low, high in cells]


def _same_surroundings(frame: Frame, before: Frame, lattice: Lattice) -> bool:
    if frame.pixels.shape != before.pixels.shape or (frame.left, frame.top) != (before.left, before.top):
        return False
    left, top, width, height = lattice.box
    right, bottom, ring = left + width, top + height, max(4, place(lattice.pitch / 4))
    upper, lefter = max(0, top - ring), max(0, left - ring)
    sides = (
        np.s_[upper:top, left:right],
        np.s_[bottom : bottom + ring, left:right],
        np.s_[top:bottom, lefter:left],
        np.s_[top:bottom, right : right + ring],
    )
    for side in sides:
        now, then = frame.pixels[side], before.pixels[side]
        if now.size and np.count_nonzero(now != then) > CHANGED * now.size:
            return False
    return True


def _same_first_line(frame: Frame, before: Frame, lattice: Lattice, axis: int) -> bool:
    """Whether the board still begins where it did, if it was seen to: gaps hide a move by their own width."""
    lines = lattice.xs if axis == 1 else lattice.ys
    span = (lines[0] - 1, lines[0] + 2)
    now, then = (
        float(band_steps(each.pixels, _bands(lattice, axis), span, axis).max(axis=1).mean())
        for each in (frame, before)
    )
    return then < FAINTEST or now >= 0.25 * then


def _holds(frame: Frame, lattice: Lattice, axis: int) -> bool:
    lines = lattice.xs if axis == 1 else lattice.ys
    half = max(2, (lines[-1] - lines[0]) // (2 * (len(lines) - 1)))
    bands = _bands(lattice, axis)
    origin = lines[0] - half - 2
    strength = band_steps(frame.pixels, bands, (origin, lines[-1] + half + 3), axis)
    if bool((strength[[0, -1]].max(axis=1) < FAINTEST).any()):
        return False  # nothing at all in an outermost row or column: that is no longer the board
    inner = np.array(lines[1:-1]) - origin
    reach = max(2, place(half / 9))  # a gap may be four pixels wide, its line in the middle
    return _in_step(strength, inner, half, reach) and _shown(strength, inner, reach)


def _in_step(strength: Floats, inner: NDArray[np.int64], half: int, reach: int) -> bool:
    """Whether the lines are not seen better anywhere else than where they should be."""
    profile = np.minimum(strength, 20.0).sum(axis=0)
    totals = np.array([profile[inner + shift].sum() for shift in range(-half, half + 1)])
    here = totals[half - reach : half + reach + 1].max()
    return bool(here >= 0.7 * totals.max())


def _shown(strength: Floats, inner: NDArray[np.int64], reach: int) -> bool:
    shown = (
        np.stack([strength[:, inner + shift] for shift in range(-reach, reach + 1)]).max(axis=0) >= FAINTEST
    )
    return bool(shown.mean() >= PLAUSIBLE)
