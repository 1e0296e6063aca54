"""Boards without an open cell: fresh games pass, empty tables and drawings do not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from drawing import readers
from numpy.typing import NDArray
from places import FIXTURES

from games.minesweeper import HIDDEN, UNKNOWN
from vision.annotations import load_annotated
from vision.frame import Frame, Pixels
from vision.fresh_board import looks_fresh
from vision.lattice import Lattice

FRESH = sorted(path.relative_to(FIXTURES).as_posix() for path in FIXTURES.glob("*/*/fresh*.png"))
SIDE, COUNT, MARGIN = 24, 10, 40  # pixels of a cell; cells in a row; pixels around them
SIZE = 2 * MARGIN + SIDE * COUNT  # pixels of the picture
LATTICE = Lattice(*2 * (tuple(MARGIN + SIDE * k for k in range(COUNT + 1)),))


def cells(paper: int, *others: int, ground: int = 240, line: int | None = None, bevel: int = 0) -> Frame:
    """Square cells of random shades; `line` rules them, `bevel` draws a light and a dark edge."""
    rng = np.random.default_rng(3)
    pixels: Pixels = np.full((SIZE, SIZE, 3), ground, np.uint8)
    for k in range(COUNT * COUNT):
        left, top, right, bottom = LATTICE.rectangle(k)
        shade = int(rng.choice([paper, *others]))
        pixels[top:bottom, left:right] = shade
        if bevel:
            pixels[top:bottom, left : left + 2] = pixels[top : top + 2, left:right] = shade + bevel
            pixels[top:bottom, right - 2 : right] = pixels[bottom - 2 : bottom, left:right] = shade - bevel
        if line is not None:
            cv2.rectangle(pixels, (left, top), (right, bottom), (line,) * 3)
    return Frame(pixels)


@pytest.mark.parametrize("name", FRESH)
def test_looks_fresh_screenshot_passes(name: str) -> None:
    sample = load_annotated(FIXTURES / name)
    assert looks_fresh(sample.frame, sample.lattice)


@pytest.mark.parametrize(
    ("frame", "is_fresh"),
    [
        (cells(255, line=160), False),  # an empty table
        (cells(255, ground=255, line=224), False),  # a spreadsheet with faint lines
        (cells(255, 40, line=160), False),  # a nonogram
        (cells(235, 60), False),  # random black and white
        (cells(200, 210, bevel=40), True),  # raised tiles
        (cells(180, ground=180, bevel=50), True),  # raised tiles of the colour of their window
        (cells(120, line=60), True),  # flat tiles that stand out from the page
        (cells(228, ground=240, line=240), True),  # flat tiles with gaps
    ],
)
def test_looks_fresh_drawn(frame: Frame, is_fresh: bool) -> None:
    assert looks_fresh(frame, LATTICE) == is_fresh


@pytest.mark.parametrize(("step", "is_fresh"), [(16, True), (170, False)])
def test_looks_fresh_checkered(step: int, is_fresh: bool) -> None:
    """Some games alternate two similar shades; a chess board alternates two different ones."""
    frame = cells(60, ground=20)
    for k in range(COUNT * COUNT):
        left, top, right, bottom = LATTICE.rectangle(k)
        frame.pixels[top:bottom, left:right] += np.uint8(step * (sum(divmod(k, COUNT)) % 2))
    assert looks_fresh(frame, LATTICE) == is_fresh


# --- covers unknown to the model: one drawing on varying ground -------------------------------------------

WIDE = Lattice(tuple(range(0, 313, 26)), tuple(range(0, 235, 26)))  # 9 rows of 12 cells


def scribble(seed: int) -> NDArray[np.int64]:
    """A random drawing, (26, 26, 1)."""
    coarse = np.random.default_rng(seed).integers(0, 2, (5, 5)) * 90
    return np.pad(coarse.repeat(4, axis=0).repeat(4, axis=1), 3)[:, :, None]


def scribbled(*drawings: int) -> Frame:
    """The board of `WIDE`, brighter from left to right, with these drawings scattered over it."""
    pixels = np.zeros((WIDE.ys[-1], WIDE.xs[-1], 3), np.int64)
    pixels += (30 + np.arange(WIDE.xs[-1]) // 6)[:, None]
    for k in range(108):
        left, top, right, bottom = WIDE.rectangle(k)
        place = (k * 7 + k // 12 * 3) % 11 % len(drawings)  # not periodic
        pixels[top:bottom, left:right] += scribble(drawings[place])
    return Frame(pixels.astype(np.uint8))


def test_tracker_one_unknown_drawing_is_covers() -> None:
    """Most boards of one drawing are read, and no other one; with two drawings, none is read whole."""
    whole = 0
    for seed in range(5):
        seen = readers().reader(WIDE).observe(scribbled(seed)).board
        assert set(seen.cells) <= {HIDDEN, UNKNOWN}
        whole += not seen.unread
        assert readers().reader(WIDE).observe(scribbled(seed, seed + 5)).board.unread
    assert whole >= 4
