"""Draws a board anew with cells of exactly one size: lines a fraction of a pixel off blur every look."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame
from vision.lattice import Lattice
from vision.cells.likeness import SIDE

CROOKED = 1.0  # pixels that a line may be off an even spacing, for the spacing to be even
ASTRAY, FEW = 2.0, 0.1  # pixels that a few lines, this share of them, may be off


def straighten(frame: Frame, lattice: Lattice) -> tuple[Frame, Lattice] | None:
    """The board alone, every cell a multiple of SIDE pixels wide; None where it is not evenly spaced."""
    across_fit, down_fit = _even(lattice.xs), _even(lattice.ys)
    if across_fit is None or down_fit is None:
        return None
    size = SIDE * max(1, round(lattice.pitch / SIDE + 0.49))
    across = _sources(*across_fit, size, lattice.columns)
    down = _sources(*down_fit, size, lattice.rows)
    drawn = cv2.remap(
        frame.pixels,
        np.tile(across, (len(down), 1)),
        np.tile(down[:, None], (1, len(across))),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    lines = Lattice(
        tuple(size * c for c in range(lattice.columns + 1)), tuple(size * r for r in range(lattice.rows + 1))
    )
    return Frame(np.ascontiguousarray(drawn, np.uint8)), lines


def _even(lines: tuple[int, ...]) -> tuple[float, float] | None:
    """Start and spacing of the evenly spaced lines that these were rounded from, None when there are none."""
    places, found = np.arange(len(lines)), np.array(lines, np.float64)
    spacing, start = np.polyfit(places, found, 1)
    close = np.abs(start + spacing * places - found) <= CROOKED
    if close.sum() < (1 - FEW) * len(lines):
        return None
    spacing, start = np.polyfit(places[close], found[close], 1)
    off = np.abs(start + spacing * places - found)
    if float(off[close].max()) > CROOKED or float(off.max()) > ASTRAY:
        return None
    return float(start), float(spacing)


def _sources(start: float, spacing: float, size: int, cells: int) -> NDArray[np.float32]:
    """For each new pixel the place in the old picture that its middle comes from."""
    middles = (np.arange(size * cells) + 0.5) / size
    return (start + spacing * middles - 0.5).astype(np.float32)
