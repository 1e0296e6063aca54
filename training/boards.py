"""Whole drawn boards, with the lines between their cells known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from training.desktop import desktop
from training.themes import Theme
from vision.frame import Pixels


@dataclass(frozen=True, eq=False)
class Drawn:
    """`pixels` (height, width, 3) uint8 blue green red; `xs`, `ys` the lines of the board in it; `rows` its states."""

    pixels: Pixels
    xs: tuple[int, ...]
    ys: tuple[int, ...]
    rows: tuple[str, ...]


def draw_board(
    theme: Theme, rows: Sequence[str], rng: np.random.Generator, margin: int | None = None, busy: bool = True
) -> Drawn:
    """A board of these states (one letter a cell) on a desktop that leaves `margin` pixels on each side.

    Without a margin, one is drawn by chance. Not `busy`: around the board is one colour only.
    """
    width, height = theme.size[0] * theme.zoom, theme.size[1] * theme.zoom
    columns = len(rows[0])
    sides = [margin if margin is not None else int(rng.integers(4, 3 * height + 5)) for _ in range(4)]
    left, top, right, bottom = sides
    shape = (top + height * len(rows) + bottom, left + width * columns + right)
    if busy:
        canvas = desktop(rng, theme.supply, (shape[1], shape[0]))
    else:
        canvas = np.empty((*shape, 3), np.uint8)
        canvas[:] = [int(value) for value in theme.cover.behind]
    frame = int(rng.integers(0, 5))
    if frame:
        canvas[
            top - min(frame, top) : shape[0] - bottom + frame,
            left - min(frame, left) : shape[1] - right + frame,
        ] = [int(value) for value in theme.cover.behind]
    xs = tuple(left + width * k for k in range(columns + 1))
    ys = tuple(top + height * k for k in range(len(rows) + 1))
    for r, row in enumerate(rows):
        for c, state in enumerate(row):
            cell = theme.draw(state, (c, r), rng)
            if theme.zoom > 1:
                cell = cell.repeat(theme.zoom, axis=0).repeat(theme.zoom, axis=1)
            canvas[ys[r] : ys[r + 1], xs[c] : xs[c + 1]] = cell + 0.5 if cell.max() < 255 else cell
    return Drawn(canvas, xs, ys, tuple(rows))
