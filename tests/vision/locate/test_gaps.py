"""Gaps between cells are found, and narrowed for the judge."""

from __future__ import annotations

import numpy as np
import pytest

from vision.frame import Pixels
from vision.locate.gaps import center_lines_in_gaps, narrow_gaps
from vision.locate.grid import Grid, have_same_cells

LEFT, TOP, COLUMNS, ROWS, PITCH = 40, 60, 9, 7, 30


def buttons(gap: tuple[int, int]) -> Pixels:
    """Buttons with dark edges, and with these gaps across and down, in pixels."""
    page = np.full((TOP + ROWS * PITCH + 50, LEFT + COLUMNS * PITCH + 50, 3), 240, np.uint8)
    for row, column in np.ndindex(ROWS, COLUMNS):
        button = page[TOP + row * PITCH :, LEFT + column * PITCH :][: PITCH - gap[1], : PITCH - gap[0]]
        button[:] = 90
        button[1:-1, 1:-1] = 150 + 5 * column
    return page


def grid_at(shift: tuple[int, int]) -> Grid:
    """The grid with its first lines at this distance from the first button."""
    return Grid(
        tuple(LEFT + shift[0] + PITCH * np.arange(COLUMNS + 1.0)),
        tuple(TOP + shift[1] + PITCH * np.arange(ROWS + 1.0)),
    )


@pytest.mark.parametrize("gap", [(4, 4), (6, 12), (12, 2)])
def test_center_lines_in_gaps_from_left_edges(gap: tuple[int, int]) -> None:
    assert center_lines_in_gaps(buttons(gap), grid_at((0, 0))) == grid_at((-gap[0] // 2, -gap[1] // 2))


@pytest.mark.parametrize("gap", [(6, 12), (12, 6), (8, 8)])
def test_narrow_gaps_buttons_unchanged(gap: tuple[int, int]) -> None:
    page = buttons(gap)
    less = narrow_gaps(page, grid_at((-gap[0] // 2, -gap[1] // 2)))
    assert less is not None
    wide, high = PITCH - gap[0], PITCH - gap[1]
    assert (less.grid.pitch(1), less.grid.pitch(0)) == (wide + 2, high + 2)
    for row, column in np.ndindex(ROWS, COLUMNS):
        x, y = int(less.grid.xs[column]) + 1, int(less.grid.ys[row]) + 1
        button = page[TOP + row * PITCH :, LEFT + column * PITCH :][:high, :wide]
        assert np.array_equal(less.pixels[y : y + high, x : x + wide], button)


def test_narrow_gaps_from_edges_centred() -> None:
    less, same = (narrow_gaps(buttons((12, 12)), grid_at((by, by))) for by in (0, -6))
    assert less is not None
    assert same is not None
    assert less.centred == same.centred == grid_at((-6, -6))
    assert less.grid == same.grid


def test_narrow_gaps_board_beyond_left_border_cut_cell_narrower() -> None:
    page = np.ascontiguousarray(buttons((12, 12))[:, LEFT + 5 :])
    left = -5.0 - 6
    xs = tuple((left + PITCH * np.arange(COLUMNS + 1)).tolist())
    less = narrow_gaps(page, Grid(xs, grid_at((0, -6)).ys))
    assert less is not None
    assert set(np.diff(less.grid.xs)[1:]) == {PITCH - 12 + 2}
    assert less.grid.xs[0] == left


def test_have_same_cells_up_to_a_quarter() -> None:
    grid = grid_at((0, 0))
    assert have_same_cells(grid, grid_at((7, -7)))
    assert not have_same_cells(grid, grid_at((8, 0)))
    assert not have_same_cells(grid, grid.without(0, 1))


def test_narrow_gaps_narrow_or_none_unchanged() -> None:
    assert narrow_gaps(buttons((4, 4)), grid_at((-2, -2))) is None
    assert narrow_gaps(buttons((0, 0)), grid_at((0, 0))) is None
    assert narrow_gaps(np.full((300, 400, 3), 9, np.uint8), grid_at((0, 0))) is None


def test_narrow_gaps_one_axis_other_unchanged() -> None:
    less = narrow_gaps(buttons((2, 12)), grid_at((-1, -6)))
    assert less is not None
    assert (less.grid.pitch(1), less.grid.pitch(0)) == (PITCH, PITCH - 12 + 2)
    assert less.pixels.shape[1] == buttons((2, 12)).shape[1]
