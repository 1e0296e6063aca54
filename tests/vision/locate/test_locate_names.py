"""Row and column names are not cells, clip no board, and do not hide that a board is clipped."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from drawing import labelled
from numpy.typing import NDArray

from games.errors import BoardUnplayable
from vision.frame import Frame
from vision.locate.grid import Grid, to_grid
from vision.locate.locate import locate_lattice
from vision.locate.names import without_names

SIDE, LEFT, TOP = 30, 120, 100
NUMBERS = "1211012210011211001122100112"  # every line repeats a number


def page(columns: int, rows: int, name: int, sides: str, *, ruled: bool = True) -> NDArray[np.uint8]:
    """A board in play, with names `name` pixels wide and high at some of the sides l, t, r and b."""
    canvas = np.full((rows * SIDE + 240, columns * SIDE + 260, 3), (250, 246, 240), np.uint8)
    for row in range(rows):
        for column in range(columns):
            x, y = LEFT + column * SIDE, TOP + row * SIDE
            is_open = column + row > 8
            paint = (238, 238, 238) if is_open else (180, 150, 120)
            cell(canvas, x, y, SIDE, SIDE, paint, NUMBERS[(3 * row + column) % 28] if is_open else "")
    border = (225, 225, 225) if ruled else None
    for side, x in (("l", LEFT - name), ("r", LEFT + columns * SIDE)):
        for row in range(rows if side in sides else 0):
            cell(canvas, x, TOP + row * SIDE, name, SIDE, border, str(row + 1))
    for side, y in (("t", TOP - name), ("b", TOP + rows * SIDE)):
        for column in range(columns if side in sides else 0):
            cell(canvas, LEFT + column * SIDE, y, SIDE, name, border, chr(ord("A") + column))
    return canvas


def cell(
    canvas: NDArray[np.uint8], x: int, y: int, wide: int, high: int, paint: tuple[int, ...] | None, text: str
) -> None:
    """Draw a cell with a thin border, or only its text without `paint`."""
    if paint:
        cv2.rectangle(canvas, (x, y), (x + wide - 1, y + high - 1), (120, 120, 120), 1)
        cv2.rectangle(canvas, (x + 1, y + 1), (x + wide - 2, y + high - 2), paint, -1)
    if text and text != "0":
        at = x + wide // 2 - 5 * len(text), y + high // 2 + 5
        cv2.putText(canvas, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.45, (60, 30, 30), 1, cv2.LINE_AA)


@pytest.mark.parametrize(
    ("name", "sides", "ruled"),
    [(SIDE, "lt", True), (SIDE, "lt", False), (SIDE, "ltrb", True), (20, "lt", True), (34, "lb", True)],
)
def test_locate_names_are_no_cells(name: int, sides: str, ruled: bool) -> None:
    found = locate_lattice(Frame(page(12, 9, name, sides, ruled=ruled)))
    assert found.size == "12x9"
    assert max(abs(found.xs[0] - LEFT), abs(found.ys[0] - TOP)) <= 2


def test_locate_named_clipped_board_refused() -> None:
    canvas = page(12, 9, SIDE, "lt")
    with pytest.raises(BoardUnplayable, match="right"):
        locate_lattice(Frame(np.ascontiguousarray(canvas[:, : LEFT + 10 * SIDE + 15])))


def with_clues(canvas: NDArray[np.uint8]) -> None:
    """A number in every cell of the lowest row, but not as many different ones as names would be."""
    for column in range(12):
        x, y = LEFT + column * SIDE, TOP + 8 * SIDE
        cell(canvas, x, y, SIDE, SIDE, (238, 238, 238), "123451234512"[column])


def with_text(canvas: NDArray[np.uint8]) -> None:
    """Text in a window over the first row is evidence of a clipped board, and no row of names."""
    text = "the quick brown fox jumps over the lazy dog and goes on"
    cv2.putText(canvas, text, (LEFT - 20, TOP - 10), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)


@pytest.mark.parametrize("change", [with_clues, with_text])
def test_names_clues_and_running_text_kept(change: Callable[[NDArray[np.uint8]], None]) -> None:
    canvas = page(12, 9, SIDE, "")
    change(canvas)
    xs, ys = (tuple(float(at + SIDE * k) for k in range(n + 1)) for at, n in ((LEFT, 12), (TOP, 9)))
    assert without_names(canvas, Grid(xs, ys)) is None


@pytest.mark.parametrize("quality", [80, 90])
def test_names_compressed_covers_are_no_names(quality: int) -> None:
    """Compression changes the edges of the gradient in each cover a little."""
    shown = labelled("kmines/fresh")
    packed = cv2.imencode(".jpg", shown.frame.pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    pixels = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    assert without_names(pixels, to_grid(shown.lattice)) is None
