"""The votes of the network that sees the whole picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.locate.overview import PLANES, STEP, TYPICAL, network_input, propose_from_overview, vote

Boards = list[
    tuple[float, float, int, int, float, float]
]  # left, top, columns, rows, pitches across and down


def planes(size: tuple[int, int], boards: Boards, noise: float) -> NDArray[np.float32]:
    """What a network with errors of this size says of the boards; everything else is noise."""
    rng = np.random.default_rng(1)
    high, wide = size
    found = rng.normal(0, 1, (len(PLANES), high, wide)).astype(np.float32)
    found[0] = -4
    xs, ys = (STEP * np.arange(count) + (STEP - 1) / 2 for count in (wide, high))
    for left, top, columns, rows, across, down in boards:
        inside = (
            ((ys >= top) & (ys < top + rows * down))[:, None] & (xs >= left) & (xs < left + columns * across)
        )
        right = [np.full(size, 4.0)]
        for phase in ((xs - left)[None] / across, (ys - top)[:, None] / down):
            right += [np.broadcast_to(turn(2 * np.pi * phase), size) for turn in (np.sin, np.cos)]
        right += [np.full(size, np.log(pitch / TYPICAL)) for pitch in (across, down)]
        found[:, inside] = (np.array(right) + rng.normal(0, noise, found.shape))[:, inside]
        found[0][inside] = 4
    return found


@pytest.mark.parametrize(
    "board",
    [
        (40.0, 16.0, 9, 9, 32.0, 32.0),
        (101.3, 57.8, 30, 16, 17.37, 17.37),
        (64.4, 30.2, 8, 24, 61.5, 19.2),
        (-20.0, 30.2, 12, 10, 24.6, 24.6),  # clipped by the picture
    ],
)
def test_vote_noisy_squares_exact_lines(board: tuple[float, float, int, int, float, float]) -> None:
    """Single squares are off by a tenth of a cell or more, the lines by less than a pixel."""
    left, top, columns, rows, across, down = board
    (grid,) = vote(planes((80, 100), [board], 0.4))
    xs, ys = (np.array(each) for each in (grid.xs, grid.ys))
    assert len(ys) == rows + 1
    assert np.abs(ys - (top + down * np.arange(rows + 1))).max() < 1
    cells = (xs - left) / across
    assert np.abs(cells - np.round(cells)).max() * across < 1
    assert round(cells[-1]) == columns
    assert cells[0] < 1.5


def test_vote_two_boards_two_grids_largest_first() -> None:
    found = vote(planes((60, 100), [(10, 10, 8, 8, 20, 20), (300, 40, 12, 14, 30, 24)], 0.2))
    assert [(len(grid.xs), len(grid.ys)) for grid in found] == [(13, 15), (9, 9)]


def test_vote_few_squares_none() -> None:
    assert not vote(planes((60, 100), [(10, 10, 3, 2, 12, 12)], 0.0))
    assert not vote(planes((60, 100), [], 0.0))


def test_propose_huge_picture_halved() -> None:
    """A board in a huge picture is proposed at its place, in pixels of the whole picture."""
    pixels = np.full((2000, 2400, 3), 255, np.uint8)
    for y in range(400, 1360, 60):
        for x in range(600, 1800, 60):
            cv2.rectangle(pixels, (x + 1, y + 1), (x + 58, y + 58), (160, 130, 110), -1)
    (grid,) = propose_from_overview(pixels)
    assert (len(grid.xs), len(grid.ys)) == (21, 17)
    assert abs(grid.xs[0] - 600) < 6
    assert abs(grid.ys[0] - 400) < 6


def test_network_input_multiple_of_sixteen() -> None:
    pixels = np.zeros((33, 47, 3), np.uint8)
    assert network_input(pixels).shape == (1, 3, 48, 48)
