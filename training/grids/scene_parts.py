"""Parts of a scene other than the board: windows, messages, and grids that are no boards."""

from __future__ import annotations

import string
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from training.drawings.distractors import draw_icon
from training.drawings.surfaces import Colour, Floats, Rng, draw_layers
from training.drawings.themes import ThemeResources
from vision.frame import Pixels

Lines = NDArray[np.float32]
MARGIN = 40  # pixels; largest margin between a board and its window
FACES = (
    cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_PLAIN, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
)  # fmt: skip
CONTENTS = (
    tuple(string.ascii_uppercase), tuple(str(n) for n in range(1, 32)),
    ("total", "n/a", "12.50", "3,100", ""), tuple("BEIOSZ"), ("10", "25", "37", "100", ""),
    tuple("123456789"), (), (),
)  # fmt: skip
SHAPES = ("disc", "ring", "square", "stroke", "cross", "triangle")
BLOCKS = 0.15  # share of grids with thicker lines around blocks
TEXT_PLACES = (0.5, 0.5), (0.5, 0.5), (0.1, 0.1), (0.9, 0.1), (0.5, 0.1)  # parts of the space beside a text
ICON_KINDS = 3  # kinds of grids with icons, besides CONTENTS and one of captioned pictures


@dataclass(frozen=True, eq=False)
class DistractorGrid:
    """The lines of a grid that is no board: a table, a keyboard, icons, a chess board."""

    xs: Lines
    ys: Lines


def colour(rng: Rng) -> Floats:
    """A random colour; greys and pale colours are more frequent."""
    spread = rng.choice((0.0, 10.0, 40.0, 120.0))
    return np.clip(rng.uniform(0, 255) + rng.uniform(-spread, spread, 3), 0, 255).astype(np.float32)


def different_colour(rng: Rng, other: Floats, least: float) -> Floats:
    """A colour that differs by at least `least` grey levels in one channel."""
    while True:
        found = colour(rng)
        if float(np.abs(found - other).max()) >= least:
            return found


def write_text(canvas: Pixels, text: str, at: tuple[int, int], rng: Rng, ink: Floats, size: float) -> None:
    """Write text at this position."""
    face, thick = int(rng.choice(FACES)), int(rng.integers(1, 3))
    cv2.putText(canvas, text, at, face, size, ink.tolist(), thick, cv2.LINE_AA)


def draw_window(
    rng: Rng, canvas: Pixels, box: tuple[int, int, int, int], pitches: tuple[float, float], cover: Colour
) -> Floats:
    """Draw a window with title, buttons, counters and frame around a board; return its colour."""
    x0, y0, x1, y1 = box
    face = colour(rng)
    if rng.random() < 0.12:  # close to the colour of the cells: the outer lines are faint
        face = np.clip(np.array(cover) + rng.uniform(-12, 12), 0, 255).astype(np.float32)
    margin = 0 if rng.random() < 0.25 else int(rng.integers(0, MARGIN))
    bar = int(rng.integers(0, 90))
    left, top, right, bottom = x0 - margin, y0 - bar, x1 + margin, y1 + margin
    cv2.rectangle(canvas, (left, top), (right - 1, bottom - 1), face.tolist(), -1)
    if rng.random() < 0.15:  # a picture surrounds the board
        part = canvas[max(0, top) : bottom, max(0, left) : right]
        field = rng.integers(0, 256, (*rng.integers(2, 12, 2), 3)).astype(np.uint8)
        part[:] = cv2.resize(field, (part.shape[1], part.shape[0]), interpolation=cv2.INTER_CUBIC)
        for _ in range(int(rng.integers(0, 30))):
            at = int(rng.integers(left, right)), int(rng.integers(top, bottom))
            axes = int(rng.integers(2, 60)), int(rng.integers(2, 60))
            cv2.ellipse(canvas, at, axes, 0, 0, 360, colour(rng).tolist(), -1, cv2.LINE_AA)
    ink = different_colour(rng, face, 60)
    cv2.rectangle(canvas, (left, top - 24), (right - 1, top), different_colour(rng, face, 20).tolist(), -1)
    write_text(canvas, "Mines   File Edit Help", (left + 6, top - 7), rng, ink, 0.5)
    if bar > 40:
        for nth in range(int(rng.integers(0, 5))):
            x, way = x0 + nth * int(rng.integers(38, 60)), int(rng.choice((-1, 1)))
            cv2.rectangle(canvas, (x, y0 - bar + 6), (x + 30, y0 - bar + 34), ink.tolist(), way)
        text = str(rng.choice(("010  0:42", "Mines: 40", "099", "Time 12")))
        write_text(canvas, text, (x0 + 40, y0 - bar + 32), rng, ink, 0.6)
    lot = rng.random()
    if lot < 0.35:  # a sunken or plain frame
        for step in range(int(rng.integers(1, 6))):
            shade = np.clip(face + float(rng.choice((-60.0, -30.0, 30.0, 60.0))), 0, 255)
            cv2.rectangle(canvas, (x0 - 1 - step, y0 - 1 - step), (x1 + step, y1 + step), shade.tolist(), 1)
    elif lot < 0.43:
        _draw_fence(rng, canvas, box, pitches if rng.random() < 0.5 else tuple(rng.uniform(15, 60, 2)), ink)
    elif lot < 0.49:  # numbers next to rows
        for y in range(y0, y1, max(12, (y1 - y0) // 10)):
            write_text(canvas, str(rng.integers(1, 20)), (max(0, x0 - 20), y + 12), rng, ink, 0.4)
    return face


def _draw_fence(
    rng: Rng, canvas: Pixels, box: tuple[int, int, int, int], pitches: tuple[float, float], ink: Floats
) -> None:
    """Draw a fence on two or four sides of a board, with posts at about every cell."""
    x0, y0, x1, y1 = box
    size = int(rng.integers(1, 5))
    for k in range(int((x1 - x0) / pitches[0]) + 1):
        for y in (y0 - 2 * size, y1 + 2 * size):
            cv2.circle(canvas, (int(x0 + pitches[0] * k), y), size, ink.tolist(), -1)
    if rng.random() < 0.6:
        for k in range(int((y1 - y0) / pitches[1]) + 1):
            for x in (x0 - 2 * size, x1 + 2 * size):
                cv2.circle(canvas, (x, int(y0 + pitches[1] * k)), size, ink.tolist(), -1)


def draw_message(rng: Rng, canvas: Pixels, xs: Lines, ys: Lines) -> None:
    """Draw a message over the middle of a board."""
    wide, high = float(xs[-1] - xs[0]), float(ys[-1] - ys[0])
    left, top = int(xs[0] + wide * rng.uniform(0.2, 0.4)), int(ys[0] + high * rng.uniform(0.25, 0.45))
    right, bottom = int(xs[0] + wide * rng.uniform(0.6, 0.85)), int(ys[0] + high * rng.uniform(0.55, 0.75))
    ground = colour(rng)
    cv2.rectangle(canvas, (left, top), (right, bottom), ground.tolist(), -1)
    ink = different_colour(rng, ground, 80)
    write_text(canvas, "Game over", (left + 8, (top + bottom) // 2), rng, ink, 0.5)


def draw_grid(rng: Rng, resources: ThemeResources, canvas: Pixels, left: int, top: int) -> DistractorGrid:
    """Draw a grid with letters, numbers, shapes, icons or captioned pictures; (left, top) is its corner."""
    rows, columns, side = int(rng.integers(3, 16)), int(rng.integers(3, 20)), int(rng.integers(10, 60))
    wide = int(side * rng.choice((0.7, 1, 1, 1, 1.5, 2, 3)))
    xs, ys = left + np.cumsum([0, *_widths(rng, columns, wide)]), top + side * np.arange(rows + 1)
    fill = _GridFill(rng, resources)
    line = fill.ground if rng.random() < 0.35 else colour(rng)  # icons or letters without lines
    gap = int(rng.choice((0, 1, 1, 2, 4, side // 5)))
    first = int(gap * rng.choice((0.0, 0.5, 1.0)))  # part of the gap before a cell
    for row in range(rows):
        for column in range(columns):
            x, y, wide = int(xs[column]), int(ys[row]), int(xs[column + 1] - xs[column])
            if x < 0 or y < 0 or x + wide > canvas.shape[1] or y + side > canvas.shape[0]:
                continue
            cell = canvas[y : y + side, x : x + wide]
            cell[:] = line
            inner = fill.cell(rng, (side - gap, wide - gap), (row, column))
            cell[first : side - gap + first, first : wide - gap + first] = inner
    if rng.random() < BLOCKS:  # thicker lines around blocks, as in a sudoku
        _draw_blocks(rng, canvas, xs, ys, different_colour(rng, fill.ground, 60))
    return DistractorGrid(xs.astype(np.float32), ys.astype(np.float32))


def _draw_blocks(rng: Rng, canvas: Pixels, xs: NDArray[np.int64], ys: NDArray[np.int64], ink: Floats) -> None:
    """Draw a line of two to four pixels at every third, fourth or fifth line of a grid."""
    every, thick = int(rng.integers(3, 6)), int(rng.integers(2, 5))
    for x in xs[::every].tolist():
        cv2.line(canvas, (x, int(ys[0])), (x, int(ys[-1])), ink.tolist(), thick)
    for y in ys[::every].tolist():
        cv2.line(canvas, (int(xs[0]), y), (int(xs[-1]), y), ink.tolist(), thick)


def _widths(rng: Rng, columns: int, wide: int) -> list[int]:
    """The widths of the columns of a table in pixels; a quarter of the tables have two."""
    if rng.random() >= 0.25:
        return [wide] * columns
    other = max(8, int(wide * rng.uniform(0.5, 2)))
    first = int(rng.integers(columns + 1))
    is_other = rng.random(columns) < 0.3 if rng.random() < 0.3 else np.arange(columns) < first
    return [other if each else wide for each in is_other]


class _GridFill:
    """Random contents of grid cells: colours, and in a share of cells texts, icons, pictures or shapes."""

    def __init__(self, rng: Rng, resources: ThemeResources) -> None:
        self.ground = colour(rng)
        kind = int(rng.integers(len(CONTENTS) + ICON_KINDS + 1))
        self._texts = CONTENTS[kind] if kind < len(CONTENTS) else ()
        self._has_pictures = kind == len(CONTENTS) + ICON_KINDS
        found = [resources.icon(rng, "other") for _ in range(int(rng.integers(3, 30)))]
        self._icons = [icon for icon in found if icon is not None] if kind >= len(CONTENTS) else []
        count = int(rng.integers(1 if self._texts or self._icons else 3, 7))
        self._inks = [different_colour(rng, self.ground, 60) for _ in range(count)]
        self._shapes = rng.choice(SHAPES, int(rng.integers(1, len(SHAPES))), replace=False).tolist()
        self._shaded = int(rng.integers(5))
        self._face = int(rng.choice(FACES))
        self._place = TEXT_PLACES[int(rng.integers(len(TEXT_PLACES)))]
        least = 0.1 if self._shaded == 0 else 0.3  # a nearly empty grid in one colour would be a fresh board
        self._share = float(rng.choice((1.0, rng.uniform(least, 1.0))))
        self._is_ordered, self._has_bevel = bool(rng.random() < 0.3), bool(rng.random() < 0.2)

    def cell(self, rng: Rng, size: tuple[int, int], at: tuple[int, int]) -> Pixels:
        """One cell of (height, width) pixels at this row and column."""
        is_odd = sum(at) % 2 == 1
        inner = np.full((*size, 3), self.ground, np.uint8)
        if self._shaded == 0 and is_odd:
            inner[:] = self._inks[0]
        elif self._shaded == 1 and rng.random() < 0.7:
            inner[:] = self._inks[int(rng.integers(len(self._inks)))]
        if self._has_bevel:
            light, dark = (np.clip(inner[0, 0] * 1.0 + by, 0, 255) for by in (50, -60))
            inner[:2], inner[:, :2], inner[-2:], inner[:, -2:] = light, light, dark, dark
        if rng.random() < self._share:
            self._draw_content(rng, inner, at)
        return inner

    def _draw_content(self, rng: Rng, cell: Pixels, at: tuple[int, int]) -> None:
        high, wide = cell.shape[:2]
        ink = self._inks[int(rng.integers(len(self._inks)))]
        if self._texts:
            size = high / 44 * float(rng.uniform(0.8, 1.1))
            nth = 7 * at[0] + at[1] if self._is_ordered else int(rng.integers(len(self._texts)))
            text = self._texts[nth % len(self._texts)]
            (across, down), _ = cv2.getTextSize(text, self._face, size, 1)
            x, y = self._place
            corner = max(0, int((wide - across) * x)), down + int((high - down) * y)
            cv2.putText(cell, text, corner, self._face, size, ink.tolist(), 1, cv2.LINE_AA)
        elif self._has_pictures:
            _draw_captioned_picture(rng, cell, ink, self._face)
        elif self._icons:
            icon = self._icons[int(rng.integers(len(self._icons)))]
            painted = cell.astype(np.float32)
            draw_layers(painted, draw_icon(icon, (wide, high), 0.8, tuple(ink.tolist()), smooth=True))
            cell[:] = np.clip(painted, 0, 255)
        else:
            _draw_shape(rng, cell, self._shapes[int(rng.integers(len(self._shapes)))], ink)


def _draw_captioned_picture(rng: Rng, cell: Pixels, ink: Floats, face: int) -> None:
    """Draw a picture in many colours in the upper part of a cell, and a word below it."""
    high, wide = cell.shape[:2]
    foot = int(high * rng.uniform(0.6, 0.75))
    top, left = max(1, high // 12), max(1, wide // 12)
    field = rng.integers(0, 256, (*rng.integers(1, 6, 2), 3)).astype(np.uint8)
    inner = cell[top:foot, left : wide - left]
    if inner.size:
        inner[:] = cv2.resize(field, (inner.shape[1], inner.shape[0]), interpolation=cv2.INTER_CUBIC)
    text = str(rng.choice(("file", "photo", "img 2", "notes", "a.txt")))
    (across, _), _ = cv2.getTextSize(text, face, 1.0, 1)
    size = min(0.8 * wide / across, (high - foot) / 30)
    cv2.putText(cell, text, (left, high - top), face, size, ink.tolist(), 1, cv2.LINE_AA)


def _draw_shape(rng: Rng, cell: Pixels, shape: str, ink: Floats) -> None:
    """Draw a simple shape in the middle of a cell."""
    high, wide = cell.shape[:2]
    middle, radius = (wide // 2, high // 2), max(2, min(high, wide) // 3)
    (left, right), (top, bottom) = ((size // 4, size - size // 4) for size in (wide, high))
    thick = int(rng.integers(1, 4))
    if shape == "disc":
        cv2.circle(cell, middle, radius, ink.tolist(), -1, cv2.LINE_AA)
    elif shape == "ring":
        cv2.circle(cell, middle, radius, ink.tolist(), thick, cv2.LINE_AA)
    elif shape == "square":
        cell[top:bottom, left:right] = ink
    elif shape in ("stroke", "cross"):
        cv2.line(cell, (left, top), (right, bottom), ink.tolist(), thick, cv2.LINE_AA)
        if shape == "cross":
            cv2.line(cell, (left, bottom), (right, top), ink.tolist(), thick, cv2.LINE_AA)
    else:
        corners = np.array([(wide // 2, top), (right, bottom), (left, bottom)], np.int32)
        cv2.fillPoly(cell, [corners], ink.tolist(), cv2.LINE_AA)
