"""Lines that were detected a few pixels off return to even distances, if the picture shows even lines."""

from __future__ import annotations

import numpy as np
import pytest

from vision.frame import Pixels
from vision.locate.extension import even_grid
from vision.locate.grid import Grid

GREY, BLACK = 180, 0
START, COUNT = 30, 9  # pixels to the first line; cells per side


def ruled(pitch: float) -> tuple[Pixels, tuple[int, ...]]:
    """Grey cells between thin black lines, and the positions of the lines."""
    lines = tuple(round(START + pitch * k) for k in range(COUNT + 1))
    pixels = np.full((300, 300, 3), GREY, np.uint8)
    pixels[lines, START : lines[-1]] = BLACK
    pixels[START : lines[-1], lines] = BLACK
    return pixels, lines


@pytest.mark.parametrize("last", [1, 2, 4])
def test_even_grid_lines_gone_astray_return(last: int) -> None:
    pixels, lines = ruled(21)
    astray = (*lines[:-last], *(line - 2 for line in lines[-last:]))
    assert even_grid(pixels, Grid(astray, lines)) == Grid(lines, lines)


def test_even_grid_fractional_pitch_kept() -> None:
    pixels, lines = ruled(20.8)
    assert even_grid(pixels, Grid(lines, lines)) == Grid(lines, lines)


def test_even_grid_bevels_do_not_move_fractional_lines() -> None:
    """All pixels around a line are edges, and stronger ones."""
    pixels, lines = ruled(20.6)
    for line in lines:
        for apart in range(-3, 4):
            pixels[START : lines[-1], line + apart] = GREY if apart % 2 else GREY - 40
        pixels[START : lines[-1], line - 1] = GREY - 20
    assert even_grid(pixels, Grid(lines, lines)).xs == lines
