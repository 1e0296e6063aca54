"""Boards with wider gaps between rows than between columns, or the reverse."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.frame import Frame
from vision.locate.locate import locate_all

Picture = NDArray[np.uint8]
LEFT, TOP = 70, 90  # pixels of the first cell
ROWS, COLUMNS = 8, 10
COLOURS = {"light": ((255, 255, 255), (240, 232, 225)), "dark": ((40, 30, 30), (120, 90, 70))}


def draw(side: int, pitch: tuple[int, int], colours: str, words: str = "") -> Picture:
    """A page with 8 rows of 10 covers at a pitch (across, down), and words under each."""
    ground, cover = COLOURS[colours]
    page = np.full((TOP + ROWS * pitch[1] + 60, LEFT + COLUMNS * pitch[0] + 80, 3), ground, np.uint8)
    cv2.putText(page, "Mines: 10", (LEFT, 40), cv2.FONT_HERSHEY_SIMPLEX, 0.7, cover, 2, cv2.LINE_AA)
    for row in range(ROWS):
        for column in range(COLUMNS):
            x, y = LEFT + column * pitch[0], TOP + row * pitch[1]
            cv2.rectangle(page, (x, y), (x + side - 1, y + side - 1), cover, -1)
            below = (x, y + side + 12)
            cv2.putText(page, words, below, cv2.FONT_HERSHEY_SIMPLEX, 0.4, (128, 128, 128), 1, cv2.LINE_AA)
    return page


@pytest.mark.parametrize(
    ("side", "near", "far", "colours"),
    [(40, 42, 61, "light"), (30, 33, 48, "dark"), (24, 26, 38, "light"), (50, 52, 70, "dark")],
)
@pytest.mark.parametrize("is_across", [False, True])
def test_locate_separate_covers_centred_in_cells(
    side: int, near: int, far: int, colours: str, is_across: bool
) -> None:
    pitch = (far, near) if is_across else (near, far)
    (found,) = locate_all(Frame(draw(side, pitch, colours)))
    assert not found.clipped
    assert (found.lattice.columns, found.lattice.rows) == (COLUMNS, ROWS)
    for lines, start, step in ((found.lattice.xs, LEFT, pitch[0]), (found.lattice.ys, TOP, pitch[1])):
        before = np.array([start + step * k for k in range(len(lines) - 1)]) - lines[:-1]
        behind = np.array(lines[1:]) - [start + step * k + side for k in range(len(lines) - 1)]
        assert min(before.min(), behind.min()) >= -1
        assert np.abs(before - behind).max() <= 4


def test_locate_captioned_pictures_no_board() -> None:
    assert not locate_all(Frame(draw(40, (46, 66), "light", "file")))
