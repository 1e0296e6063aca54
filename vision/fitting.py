"""Lays a skin over a located board exactly.

Where a line between cells belongs to (the cell before it, the one behind it, the rim of a bevel) cannot be told
from one picture, so a located lattice may be a pixel or two off the one that a skin was learned with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from games.minesweeper.board import UNKNOWN
from vision.frame import Frame
from vision.lattice import Lattice
from vision.reader import Reader
from vision.recognise import fitness
from vision.skin import Skin

REACH = 2  # pixels that a lattice is tried to the left, right, up and down
SAMPLE = 24  # cells that decide where it fits best


def fit(frame: Frame, lattice: Lattice, skins: Iterable[Skin]) -> tuple[Skin, Lattice] | None:
    """The skin that reads this board best, and the lattice moved to where it does; None when none fits.

    The same tests as `recognise` decide whether it fits at all.
    """
    best: tuple[Skin, Lattice] | None = None
    best_score = 0.0
    for skin in skins:
        moved = max(_moved(frame, lattice), key=lambda each: _sampled(frame, each, skin))
        score = fitness(frame, moved, skin)
        if score > best_score:
            best, best_score = (skin, moved), score
    return best


def _moved(frame: Frame, lattice: Lattice) -> Iterator[Lattice]:
    """The lattice where it is, and around it, the nearest first; all of them inside the frame."""
    shifts = [(dx, dy) for dx in range(-REACH, REACH + 1) for dy in range(-REACH, REACH + 1)]
    for dx, dy in sorted(shifts, key=lambda shift: abs(shift[0]) + abs(shift[1])):
        moved = lattice.moved(dx, dy)
        left, top, width, height = moved.box
        if left >= 0 and top >= 0 and left + width <= frame.width and top + height <= frame.height:
            yield moved


def _sampled(frame: Frame, lattice: Lattice, skin: Skin) -> float:
    """How surely the skin reads some cells spread over the board, 0 to 1."""
    cells = np.linspace(0, lattice.rows * lattice.columns - 1, SAMPLE).astype(int)
    shown = Reader(skin, lattice).read_cells(frame, sorted({int(k) for k in cells}))
    return sum(sure for state, sure in shown if state != UNKNOWN) / len(shown)
