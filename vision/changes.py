"""Which cells of a board look otherwise than in an earlier picture."""

from __future__ import annotations

import numpy as np

from vision.frame import Pixels
from vision.lattice import Lattice


def changed_cells(lattice: Lattice, before: Pixels, now: Pixels) -> list[int]:
    """The cells whose pixels differ between two pictures of one size, rising."""
    left, top, width, height = lattice.box
    old, new = (each[top : top + height, left : left + width] for each in (before, now))
    starts = 3 * (np.array(lattice.xs[:-1]) - left)
    found: list[int] = []
    for r, (y, y2) in enumerate(zip(lattice.ys, lattice.ys[1:], strict=False)):
        differs = (old[y - top : y2 - top] != new[y - top : y2 - top]).any(axis=0).ravel()
        if differs.any():
            columns = np.flatnonzero(np.logical_or.reduceat(differs, starts))
            found += (r * lattice.columns + columns).tolist()
    return found
