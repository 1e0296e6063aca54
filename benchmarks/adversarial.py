"""Pictures that show no board, or hardly one: `python benchmarks/adversarial.py [PICTURES]`.

Noise, stripes, filled spreadsheets, crosswords, chess boards, calendars, text, damaged and tiny and very long
pictures, each drawn from its number. Counts what is located, and what is then read with confidence although
there is no board; nothing may crash. An empty grid is not among them: it cannot be told from a fresh board.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.judging import Solver
from games.errors import SapperError
from vision.apprentice import read_unknown
from vision.frame import Frame
from vision.locate import locate_all

Picture = NDArray[np.uint8]
BOLD = 0.5  # of the cells; a board that is read so far is claimed


def noise(rng: random.Random) -> Picture:
    """Pixels at random, coarse or fine."""
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


def grid(rng: random.Random, fill: Callable[[Picture, int, int], None]) -> Picture:
    """A ruled grid; `fill` is handed each cell with its row and column."""
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
    """Two colours in turn, with men on some squares."""
    men = rng.random()

    def fill(cell: Picture, row: int, column: int) -> None:
        cell[:] = (90, 140, 180) if (row + column) % 2 else (200, 220, 240)
        if rng.random() < men / 2:
            middle = (cell.shape[1] // 2, cell.shape[0] // 2)
            cv2.circle(cell, middle, cell.shape[0] // 3, rng.choice(((0, 0, 0), (255, 255, 255))), -1)

    return grid(rng, fill)


def calendar(rng: random.Random) -> Picture:
    """The days of a month, one after the other."""

    def fill(cell: Picture, row: int, column: int) -> None:
        day = row * 7 + column - 2
        if column < 7 and 0 < day < 32:
            cv2.putText(cell, str(day), (2, cell.shape[0] // 2), cv2.FONT_HERSHEY_SIMPLEX, 0.35, (0, 0, 0), 1)

    return grid(rng, fill)


def sudoku(rng: random.Random) -> Picture:
    """Digits from 1 to 9 in many cells."""

    def fill(cell: Picture, row: int, column: int) -> None:
        if rng.random() < 0.5:
            digit = rng.choice("123456789")
            cv2.putText(cell, digit, (4, cell.shape[0] - 5), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1)

    return grid(rng, fill)


def terminal(rng: random.Random) -> Picture:
    """Lines of text on a dark ground."""
    picture = np.full((rng.randrange(40, 300), rng.randrange(60, 500), 3), 20, np.uint8)
    for y in range(12, picture.shape[0], 14):
        text = "".join(rng.choice("abcdefgh 0123456789 ./-_") for _ in range(picture.shape[1] // 8))
        cv2.putText(picture, text, (2, y), cv2.FONT_HERSHEY_PLAIN, 0.8, (200, 200, 200), 1)
    return picture


def odd_shape(rng: random.Random) -> Picture:
    """One pixel, one line, very long, very plain."""
    high, wide = rng.choice(((1, 1), (1, 3000), (2000, 1), (3, 3), (5, 700), (64, 64)))
    return np.full((high, wide, 3), rng.randrange(256), np.uint8)


KINDS: Mapping[str, Callable[[random.Random], Picture]] = MappingProxyType(
    {
        each.__name__: each
        for each in (
            noise,
            stripes,
            spreadsheet,
            crossword,
            chess,
            calendar,
            sudoku,
            terminal,
            odd_shape,
        )
    }
)


def claimed(number: int) -> tuple[str, bool, str]:
    """The kind of one picture, whether a board was located in it, and what was claimed to be on it."""
    rng = random.Random(number)
    kind = list(KINDS)[number % len(KINDS)]
    frame = Frame(np.ascontiguousarray(KINDS[kind](rng)))
    sightings = locate_all(frame)
    if len(sightings) != 1 or sightings[0].clipped:
        return kind, bool(sightings), ""
    try:
        reading = read_unknown(frame, sightings[0].lattice, Solver())
    except SapperError:
        return kind, True, ""
    board = reading.board
    is_claimed = board.unread.bit_count() < BOLD * len(board) and bool(board.open)
    return kind, True, str(board) if is_claimed else ""


def main() -> int:
    """Look at so many pictures."""
    pictures = int(sys.argv[1]) if len(sys.argv) > 1 else 90
    seen: Counter[str] = Counter()
    found: Counter[str] = Counter()
    bold: Counter[str] = Counter()
    for number in range(pictures):
        kind, is_located, board = claimed(number)
        seen[kind] += 1
        found[kind] += is_located
        bold[kind] += bool(board)
        if board and sum(bold.values()) <= 5:
            print(f"picture {number}, {kind}:\n{board}")
    for kind in KINDS:
        print(f"{kind:12} {seen[kind]:6} pictures, {found[kind]:6} located, {bold[kind]:4} claimed as boards")
    share = sum(bold.values()) / pictures
    print(f"claimed: {sum(bold.values())} of {pictures}")
    return 1 if share > 0.001 else 0


if __name__ == "__main__":
    sys.exit(main())
