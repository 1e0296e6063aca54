"""Random pictures without a Minesweeper board.

Many of them contain a grid: puzzles, tables, calendars, palettes, tiles of other games. Empty grids are
excluded, because they look like fresh boards. `benchmarks/adversarial.py` reads the pictures.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.random_skins import random_skin

Picture = NDArray[np.uint8]
Fill = Callable[[Picture, int, int], None]
FACES = (
    cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_PLAIN, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
)  # fmt: skip


def noise(rng: random.Random) -> Picture:
    """Random pixels, coarse or fine."""
    grain = rng.choice((1, 2, 4, 8))
    high, wide = rng.randrange(1, 60), rng.randrange(1, 80)
    small = np.random.default_rng(rng.randrange(2**32)).integers(0, 256, (high, wide, 3), np.uint8)
    return cv2.resize(small, None, fx=grain, fy=grain, interpolation=cv2.INTER_NEAREST).astype(np.uint8)


def stripes(rng: random.Random) -> Picture:
    """Lines in one direction, or gradients."""
    high, wide, pitch = rng.randrange(20, 300), rng.randrange(20, 400), rng.randrange(3, 40)
    picture = np.full((high, wide, 3), rng.randrange(256), np.uint8)
    if rng.random() < 0.5:
        picture[:, ::pitch] = rng.randrange(256)
    else:
        picture[::pitch] = np.linspace(0, 255, wide).astype(np.uint8)[:, None]
    return picture


def grid(rng: random.Random, fill: Fill) -> Picture:
    """A ruled grid; `fill` draws each cell, given its row and column."""
    side, rows, columns = rng.randrange(12, 40), rng.randrange(4, 14), rng.randrange(4, 18)
    wide = side * rng.choice((1, 1, 2, 3))
    picture = np.full((rows * side + 1, columns * wide + 1, 3), 255, np.uint8)
    for row in range(rows):
        for column in range(columns):
            fill(picture[row * side : (row + 1) * side, column * wide : (column + 1) * wide], row, column)
    shade = rng.randrange(0, 210)
    picture[::side], picture[:, ::wide] = shade, shade
    return picture


def spreadsheet(rng: random.Random) -> Picture:
    """Numbers of several digits and words in cells."""

    def fill(cell: Picture, row: int, column: int) -> None:
        text = rng.choice(("", "total", "n/a", str(rng.randrange(100_000)), f"{rng.random():.2f}"))
        cv2.putText(cell, text, (2, cell.shape[0] - 4), cv2.FONT_HERSHEY_SIMPLEX, 0.35, (0, 0, 0), 1)

    return grid(rng, fill)


def crossword(rng: random.Random) -> Picture:
    """Black cells and letters."""

    def fill(cell: Picture, row: int, column: int) -> None:
        if rng.random() < 0.25:
            cell[:] = 0
        elif rng.random() < 0.6:
            letter = rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
            cv2.putText(cell, letter, (3, cell.shape[0] - 4), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 0), 1)

    return grid(rng, fill)


def chess(rng: random.Random) -> Picture:
    """Squares of two alternating colours, with pieces on some."""
    pieces = rng.random()

    def fill(cell: Picture, row: int, column: int) -> None:
        cell[:] = (90, 140, 180) if (row + column) % 2 else (200, 220, 240)
        if rng.random() < pieces / 2:
            middle = (cell.shape[1] // 2, cell.shape[0] // 2)
            cv2.circle(cell, middle, cell.shape[0] // 3, rng.choice(((0, 0, 0), (255, 255, 255))), -1)

    return grid(rng, fill)


def calendar(rng: random.Random) -> Picture:
    """The days of a month."""

    def fill(cell: Picture, row: int, column: int) -> None:
        day = row * 7 + column - 2
        if column < 7 and 0 < day < 32:
            cv2.putText(cell, str(day), (2, cell.shape[0] // 2), cv2.FONT_HERSHEY_SIMPLEX, 0.35, (0, 0, 0), 1)

    return grid(rng, fill)


def sudoku(rng: random.Random) -> Picture:
    """Digits from 1 to 9 in about half of the cells."""

    def fill(cell: Picture, row: int, column: int) -> None:
        if rng.random() < 0.5:
            digit = rng.choice("123456789")
            cv2.putText(cell, digit, (4, cell.shape[0] - 5), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1)

    return grid(rng, fill)


def terminal(rng: random.Random) -> Picture:
    """Lines of text on a dark background."""
    picture = np.full((rng.randrange(40, 300), rng.randrange(60, 500), 3), 20, np.uint8)
    for y in range(12, picture.shape[0], 14):
        text = "".join(rng.choice("abcdefgh 0123456789 ./-_") for _ in range(picture.shape[1] // 8))
        cv2.putText(picture, text, (2, y), cv2.FONT_HERSHEY_PLAIN, 0.8, (200, 200, 200), 1)
    return picture


def extreme_size(rng: random.Random) -> Picture:
    """One pixel, one line, or a plain rectangle."""
    high, wide = rng.choice(((1, 1), (1, 3000), (2000, 1), (3, 3), (5, 700), (64, 64)))
    return np.full((high, wide, 3), rng.randrange(256), np.uint8)


def colour(rng: random.Random) -> tuple[int, int, int]:
    """A random colour."""
    return rng.randrange(256), rng.randrange(256), rng.randrange(256)


def write(cell: Picture, text: str, face: int, ink: tuple[int, int, int]) -> None:
    """Write text in the middle of a cell, half as high as the cell."""
    scale = 0.5 * cell.shape[0] / 22
    (wide, high), _ = cv2.getTextSize(text, face, scale, 1)
    corner = max(0, (cell.shape[1] - wide) // 2), (cell.shape[0] + high) // 2
    cv2.putText(cell, text, corner, face, scale, ink, 1, cv2.LINE_AA)


def number_puzzle(rng: random.Random) -> Picture:
    """A digit, or a number up to 20, in most cells, as in a magic square."""
    share, most, face, ink = rng.uniform(0.5, 1.0), rng.choice((9, 9, 20)), rng.choice(FACES), colour(rng)

    def fill(cell: Picture, row: int, column: int) -> None:
        if rng.random() < share:
            write(cell, str(rng.randrange(0, most + 1)), face, ink)

    return grid(rng, fill)


def heat_map(rng: random.Random) -> Picture:
    """Cells in a few shades, as in an activity calendar."""
    shades = [colour(rng) for _ in range(rng.randrange(2, 7))]

    def fill(cell: Picture, row: int, column: int) -> None:
        cell[:] = rng.choice(shades)

    return grid(rng, fill)


def matching_game(rng: random.Random) -> Picture:
    """Discs, squares and crosses in several colours."""
    ground, inks = colour(rng), [colour(rng) for _ in range(rng.randrange(3, 7))]
    filled = rng.choice((1.0, 1.0, 0.6))

    def fill(cell: Picture, row: int, column: int) -> None:
        high, wide = cell.shape[:2]
        cell[:] = ground
        if rng.random() > filled:
            return
        k = rng.randrange(len(inks))
        if k % 3 == 0:
            cv2.circle(cell, (wide // 2, high // 2), high // 3, inks[k], -1, cv2.LINE_AA)
        elif k % 3 == 1:
            cell[high // 4 : -high // 4, wide // 4 : -wide // 4] = inks[k]
        else:
            cv2.line(cell, (wide // 4, high // 4), (3 * wide // 4, 3 * high // 4), inks[k], 3)

    return grid(rng, fill)


def letters(rng: random.Random) -> Picture:
    """A letter in every cell, as in a word search or on a keyboard."""
    face, ink = rng.choice(FACES), colour(rng)
    few = rng.choice(("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "BEIOSZ", "XO "))

    def fill(cell: Picture, row: int, column: int) -> None:
        write(cell, rng.choice(few), face, ink)

    return grid(rng, fill)


def black_and_white(rng: random.Random) -> Picture:
    """Squares of two colours, as in a QR code or a maze."""
    side, rows, columns = rng.randrange(4, 30), rng.randrange(8, 40), rng.randrange(8, 40)
    small = np.random.default_rng(rng.randrange(2**32)).integers(0, 2, (rows, columns), np.uint8)
    shades = np.array([colour(rng), colour(rng)], np.uint8)
    large = np.kron(small, np.ones((side, side), np.uint8))
    return np.asarray(shades[large]).astype(np.uint8)


def shuffled_cells(rng: random.Random) -> Picture:
    """Minesweeper cells in an impossible order."""
    tiles = {tile.state: tile.pixels for tile in random_skin(rng.randrange(10_000)).tiles}
    states = rng.choice((".12345678", "12345678", ".0123", ".012345678F*!"))
    rows, columns = rng.randrange(6, 14), rng.randrange(6, 20)
    cells = [np.hstack([tiles[rng.choice(states)] for _ in range(columns)]) for _ in range(rows)]
    return np.asarray(np.vstack(cells), np.uint8)


def photograph(rng: random.Random) -> Picture:
    """Soft areas of colour, as in a photograph."""
    random_pixels = np.random.default_rng(rng.randrange(2**32))
    small = random_pixels.integers(0, 256, (rng.randrange(3, 20), rng.randrange(3, 20), 3), np.uint8)
    size = rng.randrange(40, 500), rng.randrange(40, 400)
    soft = cv2.resize(small, size, interpolation=cv2.INTER_CUBIC).astype(np.int16)
    return np.asarray(np.clip(soft + random_pixels.integers(-6, 7, soft.shape), 0, 255), np.uint8)


def desktop(rng: random.Random) -> Picture:
    """Several other pictures side by side, some clipped by the border."""
    high, wide = rng.randrange(200, 600), rng.randrange(300, 900)
    picture = np.full((high, wide, 3), colour(rng), np.uint8)
    for _ in range(rng.randrange(1, 4)):
        part = KINDS[rng.choice([name for name in KINDS if name not in ("desktop", "huge")])](rng)
        top, left = rng.randrange(high), rng.randrange(wide)
        place = picture[top : top + part.shape[0], left : left + part.shape[1]]
        place[:] = part[: place.shape[0], : place.shape[1]]
    return picture


def damaged(rng: random.Random) -> Picture:
    """Another picture after strong compression, a rotation, or scratches."""
    picture = KINDS[rng.choice([name for name in KINDS if name not in ("damaged", "desktop", "huge")])](rng)
    high, wide = picture.shape[:2]
    damage = rng.randrange(3)
    if damage == 0:
        packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, rng.randrange(1, 40)])[1]
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    if damage == 1:
        turn = cv2.getRotationMatrix2D((wide / 2, high / 2), rng.uniform(-45, 45), rng.uniform(0.6, 1.6))
        return cv2.warpAffine(picture, turn, (wide, high)).astype(np.uint8)
    for _ in range(rng.randrange(1, 12)):
        ends = [(rng.randrange(wide), rng.randrange(high)) for _ in range(2)]
        cv2.line(picture, ends[0], ends[1], colour(rng), rng.randrange(1, 12))
    return picture


def huge(rng: random.Random) -> Picture:
    """A small picture, enlarged or tiled."""
    part = KINDS[rng.choice(("noise", "stripes", "chess", "crossword", "terminal", "photograph"))](rng)
    if rng.random() < 0.5:
        return cv2.resize(part, (rng.randrange(1500, 4000), rng.randrange(1000, 3000))).astype(np.uint8)
    return np.tile(part, (1 + 1500 // part.shape[0], 1 + 2000 // part.shape[1], 1))


COMMON = (
    noise, stripes, spreadsheet, crossword, chess, calendar, sudoku, terminal, extreme_size, number_puzzle,
    heat_map, matching_game, letters, black_and_white, shuffled_cells, photograph, desktop, damaged,
)  # fmt: skip
KINDS: Mapping[str, Callable[[random.Random], Picture]] = MappingProxyType(
    {kind.__name__: kind for kind in (*COMMON, huge)}
)


def draw_boardless(number: int) -> tuple[str, Picture]:
    """The kind and the pixels of a picture; one in two hundred is huge, and the other kinds alternate."""
    rng = random.Random(number)
    kind = "huge" if number % 200 == 199 else COMMON[number % len(COMMON)].__name__
    return kind, np.ascontiguousarray(KINDS[kind](rng))
