"""Boards whose columns or rows have grown by some pixels: their lines are found where they are now."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import cv2
import numpy as np
import pytest
from drawing import SCREENS, off

from vision.annotations import load_annotated
from vision.frame import Frame
from vision.lattice import Lattice
from vision.locate.relocate import is_unmoved, relocate_lines

COLUMNS, ROWS, CELL = 9, 8, 24
LEFT, TOP = 60, 50
OPEN = {(r, c): (r + c) % 4 for r in range(3, 8) for c in range(1, 6)}  # what is in the open cells


def lattice_of(wide: Sequence[int], high: Sequence[int], left: int = LEFT) -> Lattice:
    return Lattice(tuple(accumulate(wide, initial=left)), tuple(accumulate(high, initial=TOP)))


def drawn(lattice: Lattice, opened: dict[tuple[int, int], int], bevel: bool) -> Frame:
    """A board of raised or of flat cells, its open ones flat."""
    pixels = np.full((400, 400, 3), 250, np.uint8)
    for row in range(ROWS):
        for column in range(COLUMNS):
            left, top, right, bottom = lattice.rectangle(row * COLUMNS + column)
            is_open = (row, column) in opened
            pixels[top:bottom, left:right] = 225 if is_open else 170
            if bevel and not is_open:
                pixels[top : top + 2, left:right] = pixels[top:bottom, left : left + 2] = 255
                pixels[bottom - 2 : bottom, left:right] = pixels[top:bottom, right - 2 : right] = 110
            else:
                pixels[top, left:right] = pixels[top:bottom, left] = 90
            if opened.get((row, column)):
                place = (left + 7, bottom - 6)
                number = str(opened[row, column])
                cv2.putText(pixels, number, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (160, 0, 0), 1)
    return Frame(pixels)


EVEN = lattice_of([CELL] * COLUMNS, [CELL] * ROWS)
GROWN = {
    "by one pixel": lattice_of([24, 25, 25, 24, 25, 25, 24, 24, 24], [CELL] * ROWS),
    "by six": lattice_of([24, 30, 30, 30, 30, 30, 24, 24, 24], [CELL] * ROWS),
    "all of them": lattice_of([27] * COLUMNS, [CELL] * ROWS),
    "to both sides": lattice_of([24, 27, 27, 27, 27, 27, 24, 24, 24], [CELL] * ROWS, LEFT - 8),
    "rows, too": lattice_of([24, 27, 27, 27, 27, 27, 24, 24, 24], [24, 24, 24, 26, 26, 26, 26, 26]),
}


@pytest.mark.parametrize("bevel", [False, True])
@pytest.mark.parametrize("kind", GROWN)
def test_refit_grown_cells(kind: str, bevel: bool) -> None:
    fresh, now = drawn(EVEN, {}, bevel), drawn(GROWN[kind], OPEN, bevel)
    assert relocate_lines(fresh, EVEN, fresh, EVEN, now) == GROWN[kind]


@pytest.mark.parametrize("bevel", [False, True])
def test_refit_uses_known_open_cells(bevel: bool) -> None:
    most = {(r, c): (r + c) % 3 for r in range(ROWS) for c in range(COLUMNS) if c < 7 or r > 5}
    before = GROWN["by one pixel"]
    after = lattice_of([25] * 7 + [24, 24], [CELL] * ROWS)
    fresh, seen = drawn(EVEN, {}, bevel), drawn(before, OPEN, bevel)
    found = relocate_lines(fresh, EVEN, seen, before, drawn(after, most, bevel))
    assert found is not None
    assert off(found, after) <= 1  # an open cell may draw its line beside that of a shut one


@pytest.mark.parametrize("bevel", [False, True])
@pytest.mark.parametrize("opened", [{}, OPEN])
def test_refit_unmoved_lines_kept(opened: dict[tuple[int, int], int], bevel: bool) -> None:
    fresh = drawn(EVEN, {}, bevel)
    assert relocate_lines(fresh, EVEN, fresh, EVEN, drawn(EVEN, opened, bevel)) is None


@pytest.mark.parametrize("shows", ["mid_game", "lost"])
@pytest.mark.parametrize("program", ["ace-minesweeper", "gnome-mines", "kmines", "sgt-mines", "xdemineur"])
def test_refit_unmoved_lines_of_programs_kept(program: str, shows: str) -> None:
    fresh, now = (load_annotated(SCREENS / program / f"{name}.png") for name in ("fresh", shows))
    for one, other in ((fresh, now), (now, fresh), (now, now)):
        assert relocate_lines(one.frame, one.lattice, one.frame, one.lattice, other.frame) is None


@pytest.mark.parametrize("bevel", [False, True])
def test_refit_mostly_unchanged_board_stays(bevel: bool) -> None:
    fresh = drawn(EVEN, {}, bevel)
    assert is_unmoved(fresh, EVEN, drawn(EVEN, OPEN, bevel))
    if bevel:  # flat cells look the same a few pixels further on
        assert not is_unmoved(fresh, EVEN, drawn(GROWN["to both sides"], {}, bevel))
    assert not is_unmoved(fresh, EVEN, Frame(np.full((400, 400, 3), 250, np.uint8)))


def test_refit_without_board_none() -> None:
    fresh = drawn(EVEN, {}, bevel=True)
    noise = np.random.default_rng(1).integers(0, 255, (400, 400, 3), np.uint8)
    for pixels in (np.full((400, 400, 3), 250, np.uint8), noise):
        assert relocate_lines(fresh, EVEN, fresh, EVEN, Frame(pixels)) is None
    covered = drawn(GROWN["by six"], OPEN, bevel=True).pixels.copy()
    covered[60:230, 70:260] = 255  # a message lies over most of it
    assert relocate_lines(fresh, EVEN, fresh, EVEN, Frame(covered)) is None
