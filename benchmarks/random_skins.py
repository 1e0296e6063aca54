"""Random skins that belong to no program, for tests and benchmarks.

Digits consist of strokes with a random slant and thickness, in one or several colours. Cells are flat,
bevelled, gapped or shaded. Flags and mines have many shapes.
"""

from __future__ import annotations

import random

import cv2
import numpy as np

from vision.frame import Pixels
from vision.skins import Skin, Tile

FINE = 4  # cells are drawn this many times larger, then averaged
Colour = tuple[int, int, int]

# digit -> strokes, separated by commas; each stroke is a line of points x;y in a box of width 1 and height 2
STROKES = {
    "1": "0.2;0.4 0.6;0 0.6;2",
    "2": "0;0.4 0.2;0.1 0.5;0 0.9;0.2 0.95;0.6 0;2 1;2",
    "3": "0;0.2 0.5;0 0.9;0.25 0.9;0.7 0.4;0.95, 0.4;0.95 0.95;1.25 0.95;1.7 0.5;2 0;1.8",
    "4": "0.7;2 0.7;0 0;1.35 1;1.35",
    "5": "0.95;0 0.1;0 0.05;0.9 0.5;0.75 0.95;1.1 0.95;1.6 0.5;2 0;1.8",
    "6": "0.9;0.15 0.5;0 0.1;0.5 0;1.3 0.15;1.8 0.5;2 0.9;1.8 1;1.4, 1;1.4 0.85;1 0.5;0.85 0.15;1 0;1.35",
    "7": "0;0 1;0 0.35;2",
    "8": "0.5;0 0.9;0.2 0.9;0.7 0.5;0.92 0.1;0.7 0.1;0.2 0.5;0, "
    "0.5;0.92 0.98;1.2 0.98;1.75 0.5;2 0.02;1.75 0.02;1.2 0.5;0.92",
}


def random_skin(seed: int) -> Skin:
    """A random skin with the states `.012345678F*!`."""
    rng = random.Random(seed)
    side = rng.choice((14, 16, 18, 20, 24, 28, 32, 40))
    hidden = _colour(rng)
    ground = _colour(rng, hidden, 40)
    style = rng.choice(("flat", "bevel", "gap", "shade"))
    cover, plain = _cell(side, hidden, style, raised=True), _cell(side, ground, style, raised=False)
    one = _colour(rng, ground, 110) if rng.random() < 0.4 else None
    style_of_digits = _digit_style(rng)
    tiles = {".": cover, "0": plain}
    for digit in "12345678":
        tiles[digit] = _with_digit(plain, digit, one or _colour(rng, ground, 110), style_of_digits)
    tiles["F"] = _with_flag(cover, rng, hidden)
    tiles["*"] = _with_mine(plain, rng, ground)
    burning = _cell(side, _colour(rng, ground, 60), style, raised=False)
    tiles["!"] = _with_mine(burning, rng, ground)
    return Skin(f"random-{seed}", tuple(Tile(state, pixels) for state, pixels in tiles.items()))


def _colour(rng: random.Random, other: Colour | None = None, least: int = 0) -> Colour:
    """A random colour; at least one channel differs from `other` by `least` grey levels."""
    while True:
        found = rng.randrange(256), rng.randrange(256), rng.randrange(256)
        if other is None or max(abs(a - b) for a, b in zip(found, other, strict=True)) >= least:
            return found


def _cell(side: int, colour: Colour, style: str, raised: bool) -> Pixels:
    cell = np.empty((side, side, 3), np.float32)
    cell[:] = colour
    rim = max(1, side // 10)
    if style == "bevel" and raised:
        cell[:rim], cell[:, :rim] = cell[:rim] * 0.5 + 127, cell[:, :rim] * 0.5 + 127
        cell[-rim:], cell[:, -rim:] = cell[-rim:] * 0.5, cell[:, -rim:] * 0.5
    elif style == "gap":
        cell[:1], cell[:, :1] = 20, 20
    elif style == "shade" and raised:
        cell += np.linspace(15, -15, side, dtype=np.float32)[:, None, None]
    if style != "gap":
        cell[-1:], cell[:, -1:] = cell[-1:] * 0.8, cell[:, -1:] * 0.8
    return np.clip(cell, 0, 255).astype(np.uint8)


def _digit_style(rng: random.Random) -> tuple[float, float, float, float]:
    """Height and width of digits (parts of a cell), thickness (parts of the height), slant."""
    return rng.uniform(0.5, 0.72), rng.uniform(0.3, 0.42), rng.uniform(0.1, 0.2), rng.choice((0, 0, 0.15))


def _with_digit(
    plain: Pixels, digit: str, colour: Colour, style: tuple[float, float, float, float]
) -> Pixels:
    high, wide, thick, slant = style
    side = plain.shape[0] * FINE
    drawn = _large(plain)
    left, top = (1 - wide) / 2, (1 - high) / 2
    for stroke in STROKES[digit].split(", "):
        line = [tuple(map(float, point.split(";"))) for point in stroke.split()]
        points = [
            ((left + wide * (x + slant * (1 - y))) * side, (top + high * y / 2) * side) for x, y in line
        ]
        corners = np.array(points).round().astype(np.int32)
        cv2.polylines(drawn, [corners], False, colour, max(1, round(thick * high * side)), cv2.LINE_AA)
    return _small(drawn)


def _with_flag(cover: Pixels, rng: random.Random, ground: Colour) -> Pixels:
    drawn, side = _large(cover), cover.shape[0] * FINE
    colour = _colour(rng, ground, 90)
    shape = rng.choice(("pennant", "square", "cross", "disc"))
    if shape == "pennant":
        corners = np.array(((0.3, 0.2), (0.75, 0.38), (0.3, 0.55))) * side
        cv2.fillPoly(drawn, [corners.round().astype(np.int32)], colour)
        _bar(drawn, (0.3, 0.2), (0.3, 0.8), _colour(rng, ground, 90))
    elif shape == "square":
        _bar(drawn, (0.4, 0.45), (0.6, 0.45), colour, 0.3)
    elif shape == "cross":
        _bar(drawn, (0.28, 0.28), (0.72, 0.72), colour)
        _bar(drawn, (0.72, 0.28), (0.28, 0.72), colour)
    else:
        cv2.circle(drawn, (side // 2, side // 2), side // 4, colour, -1, cv2.LINE_AA)
    return _small(drawn)


def _with_mine(plain: Pixels, rng: random.Random, ground: Colour) -> Pixels:
    drawn, side = _large(plain), plain.shape[0] * FINE
    colour = _colour(rng, ground, 90)
    for x, y in ((0.2, 0.2), (0.2, 0.8), (0.5, 0.15), (0.15, 0.5)):
        _bar(drawn, (x, y), (1 - x, 1 - y), colour, 0.05)
    cv2.circle(drawn, (side // 2, side // 2), side // 4, colour, -1, cv2.LINE_AA)
    return _small(drawn)


def _bar(
    drawn: Pixels, start: tuple[float, float], stop: tuple[float, float], colour: Colour, width: float = 0.1
) -> None:
    side = drawn.shape[0]
    first, last = ((round(x * side), round(y * side)) for x, y in (start, stop))
    cv2.line(drawn, first, last, colour, max(1, round(width * side)), cv2.LINE_AA)


def _large(cell: Pixels) -> Pixels:
    return cv2.resize(cell, None, fx=FINE, fy=FINE, interpolation=cv2.INTER_NEAREST).astype(np.uint8)


def _small(cell: Pixels) -> Pixels:
    factor = 1 / FINE
    return cv2.resize(cell, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA).astype(np.uint8)
