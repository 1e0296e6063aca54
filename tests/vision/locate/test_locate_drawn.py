"""Drawn boards are found exactly, whatever they look like, and none where there is none."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import pytest
from drawing import off
from numpy.typing import NDArray

from games.errors import BoardNotFound
from vision.frame import Frame
from vision.lattice import Lattice
from vision.locate.locate import BoardCandidate, locate_all, locate_lattice

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]


@dataclass(frozen=True)
class Drawn:
    """A picture with a board of a made-up look, and the box of every cell."""

    pixels: Picture
    lattice: Lattice
    looks: str


LOOKS = ("gaps", "bevels", "checkers", "grid", "texture", "gradient")
STATES = ("fresh", "mid", "done")


def colour(rng: np.random.Generator, low: int, high: int) -> Colour:
    grey = int(rng.integers(low, high))
    b, g, r = (int(np.clip(grey + rng.integers(-25, 26), 0, 255)) for _ in range(3))
    return b, g, r


def shade(base: Colour, by: int) -> Colour:
    b, g, r = (int(np.clip(part + by, 0, 255)) for part in base)
    return b, g, r


def draw(look: str, state: str, seed: int) -> Drawn:
    """A window with a board on a desktop; every colour, size and place is random."""
    rng = np.random.default_rng((LOOKS.index(look), STATES.index(state), seed))
    dark = bool(rng.integers(2))
    pitch = float(rng.uniform(14, 44))
    columns = int(rng.integers(8, min(31, int(1000 / pitch))))
    rows = int(rng.integers(8, min(25, max(9, int(620 / pitch)))))
    canvas = np.full((900, 1280, 3), colour(rng, 0, 255), np.uint8)
    left = int(rng.integers(40, 1240 - int(columns * pitch)))
    top = int(rng.integers(120, 860 - int(rows * pitch)))
    xs = [left + int(column * pitch) for column in range(columns + 1)]
    ys = [top + int(row * pitch) for row in range(rows + 1)]
    face = colour(rng, 30, 90) if dark else colour(rng, 170, 230)
    draw_window(canvas, (xs[0], ys[0], xs[-1], ys[-1]), face, rng)
    hidden = shade(face, 40 if dark else -45)
    opened = shade(face, 14 if dark else -14)
    gap = int(rng.integers(1, max(2, int(pitch / 8)) + 1))
    tile = rng.integers(-18, 19, (64, 64, 1))
    ink = [colour(rng, 150, 255) if dark else colour(rng, 0, 90) for _ in range(4)]
    blob = rng.random((4, 4))  # areas that are open, larger than a cell
    for row in range(rows):
        for column in range(columns):
            share = {"fresh": 0.0, "mid": 0.5, "done": 0.85}[state]
            is_open = bool(blob[row * 4 // rows, column * 4 // columns] < share) and rng.random() < 0.93
            box = (xs[column], ys[row], xs[column + 1], ys[row + 1])
            paint = opened if is_open else hidden
            draw_cell(canvas, box, look, paint, is_open, (row + column) % 2, gap, tile, face)
            if is_open and rng.random() < 0.6:
                digit = int(rng.integers(1, 5))
                draw_glyph(canvas, box, str(digit), ink[digit - 1])
            elif not is_open and state != "fresh" and rng.random() < 0.2:
                draw_glyph(canvas, box, "P", (40, 40, 220))
    return Drawn(canvas, Lattice(tuple(xs), tuple(ys)), look)


def draw_window(
    canvas: Picture, box: tuple[int, int, int, int], face: Colour, rng: np.random.Generator
) -> None:
    x0, y0, x1, y1 = box
    margin = int(rng.integers(4, 30))
    cv2.rectangle(canvas, (x0 - margin, y0 - 70), (x1 + margin, y1 + margin), face, -1)
    cv2.rectangle(canvas, (x0 - margin, y0 - 92), (x1 + margin, y0 - 70), shade(face, -60), -1)
    title, white = (x0, y0 - 76), (240, 240, 240)
    cv2.putText(canvas, "Mines - File Edit", title, cv2.FONT_HERSHEY_SIMPLEX, 0.5, white, 1, cv2.LINE_AA)
    for button in range(3):
        at = x0 + button * 44
        cv2.rectangle(canvas, (at, y0 - 56), (at + 36, y0 - 24), shade(face, 25), -1)
        cv2.rectangle(canvas, (at, y0 - 56), (at + 36, y0 - 24), shade(face, -40), 1)
    cv2.putText(canvas, "010  0:42", (x0 + 150, y0 - 34), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (40, 40, 230), 2)


def draw_cell(
    canvas: Picture,
    box: tuple[int, int, int, int],
    look: str,
    paint: Colour,
    is_open: bool,
    odd: int,
    gap: int,
    tile: NDArray[np.int64],
    face: Colour,
) -> None:
    x0, y0, x1, y1 = box
    if look == "gaps":
        canvas[y0 : y1 - gap, x0 : x1 - gap] = paint
        canvas[y0 : y1 - gap, x1 - gap : x1] = face
        canvas[y1 - gap : y1, x0:x1] = face
        return
    canvas[y0:y1, x0:x1] = paint
    if look == "checkers":
        canvas[y0:y1, x0:x1] = shade(paint, 9 if odd else 0)
    elif look == "grid" or (is_open and look in ("bevels", "texture", "gradient")):
        canvas[y0, x0:x1] = canvas[y0:y1, x0] = shade(face, -30)
    elif look == "bevels":
        width = max(1, (x1 - x0) // 10)
        canvas[y0 : y0 + width, x0:x1] = canvas[y0:y1, x0 : x0 + width] = shade(paint, 45)
        canvas[y1 - width : y1, x0:x1] = canvas[y0:y1, x1 - width : x1] = shade(paint, -55)
    else:
        if look == "texture":
            change = tile[: y1 - y0, : x1 - x0]
        else:
            change = np.linspace(12, -12, y1 - y0, dtype=np.int64)[:, None, None]
        canvas[y0:y1, x0:x1] = np.clip(np.array(paint) + change, 0, 255).astype(np.uint8)
        canvas[y0, x0:x1] = canvas[y0:y1, x0] = shade(paint, 50)
        canvas[y1 - 1, x0:x1] = canvas[y0:y1, x1 - 1] = shade(paint, -50)


def draw_glyph(canvas: Picture, box: tuple[int, int, int, int], glyph: str, ink: Colour) -> None:
    x0, y0, x1, y1 = box
    size = (x1 - x0) / 40
    (wide, high), _ = cv2.getTextSize(glyph, cv2.FONT_HERSHEY_SIMPLEX, size, 2)
    at = ((x0 + x1 - wide) // 2, (y0 + y1 + high) // 2)
    cv2.putText(canvas, glyph, at, cv2.FONT_HERSHEY_SIMPLEX, size, ink, 1 + (x1 - x0) // 24, cv2.LINE_AA)


def as_tuple(seen: tuple[BoardCandidate, ...]) -> list[tuple[str, tuple[str, ...]]]:
    return [(sighting.lattice.size, sighting.clipped) for sighting in seen]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("look", LOOKS)
def test_locate_drawn_theme_exact(look: str, state: str, seed: int) -> None:
    drawn = draw(look, state, seed)
    seen = locate_all(Frame(drawn.pixels))
    assert as_tuple(seen) == [(drawn.lattice.size, ())]
    assert off(seen[0].lattice, drawn.lattice) <= 2


def blank(grey: int) -> Picture:
    return np.full((900, 1280, 3), grey, np.uint8)


def written_page() -> Picture:
    page = blank(250)
    for line in range(38):
        words, place = "the quick brown fox oooo 0000 jumps over the lazy dog again", (20, 30 + 23 * line)
        cv2.putText(page, words, place, cv2.FONT_HERSHEY_SIMPLEX, 0.6, (10, 10, 10), 1, cv2.LINE_AA)
    return page


def icons() -> Picture:
    desk = blank(90)
    for row in range(6):
        for column in range(8):
            x, y = 60 + 96 * column, 50 + 96 * row
            cv2.rectangle(desk, (x, y), (x + 47, y + 47), (30 * row, 200 - 20 * column, 180), -1)
    return desk


NOTHING = {
    "blank": blank(0),
    "noise": np.random.default_rng(3).integers(0, 256, (900, 1280, 3), dtype=np.uint8),
    "stripes": np.where(np.arange(900)[:, None, None] % 20 < 2, blank(200), blank(30)),
    "page": written_page(),
    "icons": icons(),
    "tiny": blank(7)[:4, :4],
}


@pytest.mark.parametrize("kind", sorted(NOTHING))
def test_locate_other_picture_none(kind: str) -> None:
    with pytest.raises(BoardNotFound, match="no board"):
        locate_lattice(Frame(np.ascontiguousarray(NOTHING[kind])))


def test_locate_squares_among_letters_no_error() -> None:
    """A board of text in a terminal: nothing at all is drawn between its squares."""
    pixels = np.zeros((420, 420, 3), np.uint8)
    for row, column in np.ndindex(20, 20):
        x, y = 20 + 18 * column, 20 + 18 * row
        if 6 <= row < 14 and 6 <= column < 14:
            pixels[y : y + 8, x : x + 8] = 255
        else:
            cv2.putText(pixels, "?", (x, y + 10), cv2.FONT_HERSHEY_PLAIN, 0.8, (255, 255, 255))
    seen = locate_all(Frame(pixels))
    assert all(each.lattice.columns >= 4 and each.lattice.rows >= 4 for each in seen)
