"""Proposed grids become exact."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.locate.fit import fit
from vision.locate.grid import Grid
from vision.locate.judge import CellJudge

LEFT, COLUMNS, ROWS = 40, 8, 14


def half_way(seed: int, pitch: int) -> Pixels:
    """A board with few equal neighbours: covers, empty cells and numbers at random."""
    rng = np.random.default_rng(seed)
    high, wide = (2 * LEFT + count * pitch for count in (ROWS, COLUMNS))
    page = np.full((high, wide, 3), 235, np.uint8)
    for cell in range(ROWS * COLUMNS):
        x, y = LEFT + cell % COLUMNS * pitch, LEFT + cell // COLUMNS * pitch
        number = int(rng.integers(9))
        cover = (190, 180, 170) if number > 5 else (225, 222, 220)
        cv2.rectangle(page, (x, y), (x + pitch - 2, y + pitch - 2), cover, -1)
        if 0 < number <= 5:
            ink = rng.integers(0, 160, 3).tolist()
            at = x + pitch // 3, y + 3 * pitch // 4
            cv2.putText(page, str(number), at, cv2.FONT_HERSHEY_SIMPLEX, pitch / 45, ink, 2, cv2.LINE_AA)
    return page


def changed(lines: NDArray[np.floating], stretch: float, shift: float) -> tuple[float, ...]:
    middle = (lines[0] + lines[-1]) / 2
    return tuple((middle + stretch * (lines - middle) + shift).tolist())


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("pitch", [18, 36, 50])
def test_fit_wrong_pitch_corrected(pitch: int, seed: int) -> None:
    """With a pitch 2.5 % too small, the outermost lines are off by up to a sixth of a cell."""
    xs, ys = (LEFT - 0.5 + pitch * np.arange(count + 1.0) for count in (COLUMNS, ROWS))
    proposed = Grid(changed(xs, 0.975, 0), changed(ys, 0.975, 0))
    best = max(fit(CellJudge(half_way(seed, pitch)), proposed), key=lambda each: each.probability).grid
    assert (len(best.xs), len(best.ys)) == (COLUMNS + 1, ROWS + 1)
    assert max(np.abs(best.xs - xs).max(), np.abs(best.ys - ys).max()) <= max(1.5, pitch / 20)


def test_fit_repeated_covers_same_pitch_in_all_grids() -> None:
    """Covers with a drawing and no lines; textured ground between them."""
    rng = np.random.default_rng(0)
    page = rng.integers(40, 60, (2 * LEFT + 16 * 31, 2 * LEFT + 16 * 31, 3)).astype(np.uint8)
    cover = cv2.resize(
        rng.integers(0, 255, (5, 7, 3)).astype(np.uint8), (24, 15), interpolation=cv2.INTER_CUBIC
    )
    for cell in range(256):
        x, y = LEFT + 3 + cell % 16 * 31, LEFT + 14 + cell // 16 * 31
        page[y : y + 15, x : x + 24] = cover
    lines = LEFT + 31 * np.arange(17.0)
    found = fit(CellJudge(page), Grid(changed(lines, 0.999, 1), changed(lines, 0.998, -1)))
    assert {
        step for each in found for axis in (0, 1) for step in np.diff(each.grid.lines(axis)).round(6)
    } == {31}


def test_fit_bar_of_letters_below_not_added() -> None:
    """The bar is as high as the cells, and the letters are below the columns."""
    rng, pitch, count = np.random.default_rng(3), 63, 10
    page = np.full((900, 900, 3), (42, 23, 15), np.uint8)
    for cell in range(count * count):
        x, y = 100 + cell % count * pitch, 100 + cell // count * pitch
        is_open = rng.random() < 0.6
        cv2.rectangle(page, (x, y), (x + 54, y + 54), (85, 65, 51) if is_open else (59, 41, 30), -1)
        if is_open and rng.random() < 0.5:
            at = x + 18, y + 41
            cv2.putText(page, str(rng.integers(1, 4)), at, cv2.FONT_HERSHEY_SIMPLEX, 1.2, (250, 165, 96), 2)
    cv2.rectangle(page, (100, 730), (729, 784), (235, 99, 37), -1)
    for column, letter in enumerate("ABCDEFGHIJ"):
        at = 118 + column * pitch, 771
        cv2.putText(page, letter, at, cv2.FONT_HERSHEY_SIMPLEX, 1.2, (255, 255, 255), 1, cv2.LINE_AA)
    lines = tuple(96.0 + pitch * np.arange(count + 1))
    best = max(fit(CellJudge(page), Grid(lines, lines)), key=lambda each: each.probability)
    assert (len(best.grid.xs), len(best.grid.ys)) == (count + 1, count + 1)


@pytest.mark.parametrize(("left", "top"), [(-900, 30), (30, 900), (-200, -200)])
def test_fit_grid_outside_of_picture_no_board(left: float, top: float) -> None:
    grid = Grid(tuple(left + 20.0 * np.arange(9)), tuple(top + 20.0 * np.arange(9)))
    assert all(each.probability < 0.5 for each in fit(CellJudge(half_way(0, 24)), grid))
