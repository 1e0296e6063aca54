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
