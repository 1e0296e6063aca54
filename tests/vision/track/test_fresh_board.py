"""Fresh boards whose covers are unknown to the model: one drawing on varying ground."""

from __future__ import annotations

import numpy as np
import pytest
from drawing import readers
from numpy.typing import NDArray

from vision.frame import Frame
from vision.lattice import Lattice

ROWS, COLUMNS, SIDE = 9, 12, 26
LATTICE = Lattice(tuple(SIDE * k for k in range(COLUMNS + 1)), tuple(SIDE * k for k in range(ROWS + 1)))


def scribble(seed: int) -> NDArray[np.int64]:
    """A random drawing, (SIDE, SIDE, 1)."""
    rng = np.random.default_rng(seed)
    coarse = rng.integers(0, 2, (5, 5)) * 90
    drawing = np.zeros((SIDE, SIDE, 1), np.int64)
    drawing[3:23, 3:23, 0] = coarse.repeat(4, axis=0).repeat(4, axis=1)
    return drawing


def board(*drawings: int) -> Frame:
    """A board whose ground gets brighter from left to right, with these drawings scattered over it."""
    pixels = np.zeros((ROWS * SIDE, COLUMNS * SIDE, 3), np.int64)
    pixels += (30 + np.arange(COLUMNS * SIDE) // 6)[:, None]
    for k in range(ROWS * COLUMNS):
        left, top, right, bottom = LATTICE.rectangle(k)
        place = (k * 7 + k // COLUMNS * 3) % 11 % len(drawings)  # not periodic
        pixels[top:bottom, left:right] += scribble(drawings[place])
    return Frame(pixels.astype(np.uint8))


@pytest.mark.parametrize("seed", range(5))
def test_fresh_one_unknown_drawing_is_covers(seed: int) -> None:
    reading = readers().reader(LATTICE).observe(board(seed))
    assert reading.board.cells_showing(".") == reading.board.everything


@pytest.mark.parametrize("seed", range(5))
def test_fresh_two_drawings_not_fresh(seed: int) -> None:
    reading = readers().reader(LATTICE).observe(board(seed, seed + 5))
    assert reading.board.unread
