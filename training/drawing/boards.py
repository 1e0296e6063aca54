"""Whole drawn boards, with the lines between their cells known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from training.drawing.desktop import desktop
from training.drawing.surfaces import Colour, Floats
from training.drawing.themes import Theme
from vision.frame import Pixels


@dataclass(frozen=True, eq=False)
class Drawn:
    """`pixels` is (height, width, 3) uint8 blue green red; `xs`, `ys` the lines in it; `rows` the states."""

    pixels: Pixels
    xs: tuple[int, ...]
    ys: tuple[int, ...]
    rows: tuple[str, ...]


OPEN, CLOSED = "012345678", ".F?"


def _at(rows: Sequence[str], column: int, row: int) -> str:
    return rows[row][column] if 0 <= row < len(rows) and 0 <= column < len(rows[row]) else "~"


def _rim(cell: Floats, rim: tuple[Colour, int, float], sides: list[bool]) -> None:
    """Draws the rim on the sides (above, below, left, right) that touch a covered cell."""
    colour, width, part = rim
    views = (cell[:width], cell[-width:], cell[:, :width], cell[:, -width:])
    for view, is_closed in zip(views, sides, strict=True):
        if is_closed:
            view[:] = view + part * (np.array(colour, np.float32) - view)


def draw_cell(theme: Theme, rows: Sequence[str], place: tuple[int, int], rng: np.random.Generator) -> Pixels:
    """The cell in this (column, row) of a board of these states, (height, width, 3) uint8."""
    c, r = place
    state = rows[r][c]
    cell = theme.draw(state, place, rng)
    if theme.rim is not None and state in OPEN:
        sides = ((0, -1), (0, 1), (-1, 0), (1, 0))
        _rim(cell, theme.rim, [_at(rows, c + x, r + y) in CLOSED for x, y in sides])
    if theme.zoom > 1:
        cell = cell.repeat(theme.zoom, axis=0).repeat(theme.zoom, axis=1)
    return np.asarray(cell + 0.5 if cell.max() < 255 else cell).astype(np.uint8)


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
        for c in range(len(row)):
            canvas[ys[r] : ys[r + 1], xs[c] : xs[c + 1]] = draw_cell(theme, rows, (c, r), rng)
    return Drawn(canvas, xs, ys, tuple(rows))
