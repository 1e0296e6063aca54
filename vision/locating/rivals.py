"""Which of several boards on one place is believed, when each was seen in another way."""

from __future__ import annotations

from vision.frame import Pixels
from vision.lattice import Lattice
from vision.locating.evidence import BEYOND
from vision.locating.judged import LINES, NARROWEST
from vision.locating.lines import SAME_PITCH, Sighting, overlap


def is_better(pixels: Pixels, one: Sighting, other: Sighting, has_lines: bool) -> bool:
    """Whether a board is believed rather than another one on its place, which may show lines."""
    limits = {"left": 0, "top": 0, "right": pixels.shape[1], "bottom": pixels.shape[0]}
    ends, others = (
        dict(zip(limits, (*lines.xs[:1], *lines.ys[:1], lines.xs[-1], lines.ys[-1]), strict=True))
        for lines in (one.lattice, other.lattice)
    )
    if not other.clipped:
        # the picture's border may take a pixel of the last cells: to the judge they are cut then
        leaves_out = any(
            abs(others[side] - limits[side]) <= BEYOND
            and abs(ends[side] - limits[side]) >= one.lattice.pitch - 2 * BEYOND
            for side in one.clipped
        )
        is_likelier = _odds(one) > (LINES if has_lines else 1.0) * _odds(other)
        is_moved = has_lines and (leaves_out or is_nearly(one.lattice, other.lattice))
        return is_likelier and not is_moved
    if one.confidence <= other.confidence and one.lattice != other.lattice:
        return False
    pitch = one.lattice.pitch
    for side in other.clipped:
        # what was seen as cut is whole with more cells, or for certain where the picture's border cuts none
        out = (others[side] - ends[side]) * (1 if side in ("left", "top") else -1)
        room = abs(limits[side] - ends[side])
        is_doubtful = _odds(one) < LINES * _odds(other) or pitch / 8 < room < pitch
        if side not in one.clipped and out < pitch / 2 and is_doubtful:
            return False
    return True


def is_all_of(one: Sighting, other: Sighting) -> bool:
    """Whether the other is cut, has the same pitch, and lies on the same place."""
    is_same = abs(one.lattice.pitch / other.lattice.pitch - 1) < SAME_PITCH
    return bool(other.clipped) and is_same and overlap(one.lattice, other.lattice)


def is_nearly(one: Lattice, other: Lattice) -> bool:
    """Whether two boards differ in where lines lie within a gap, at most: edges show that, not the judge."""
    near = NARROWEST * other.pitch
    return one.size == other.size and all(
        abs(a - b) <= near
        for lines, others in ((one.xs, other.xs), (one.ys, other.ys))
        for a, b in zip(lines, others, strict=True)
    )


def is_row_of(one: Lattice, other: Lattice) -> bool:
    """Whether a board lies on one row, or column, of cells of another one."""
    (_, _, wide, high), (_, _, width, height) = one.box, other.box
    return high <= height / other.rows or wide <= width / other.columns


def _odds(sighting: Sighting) -> float:
    return sighting.confidence / (1.0 - sighting.confidence + 1e-9)
