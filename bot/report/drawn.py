"""A board drawn as a picture, for games that nobody saw on a screen: replay files, simulated ones."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from games.minesweeper import DIGITS, EXPLODED, FLAG, MINE, MINES_SHOWN, QUESTION, WRONG_FLAG, Board
from vision.frame import Frame, Pixels
from vision.lattice import Lattice

CELL = 24  # pixels
SCALE = 0.6  # of a letter
# blue, green, red; the colours of the numbers are those of Windows Minesweeper
NUMBERS = (
    (0, 0, 0), (255, 0, 0), (0, 128, 0), (0, 0, 255), (128, 0, 0), (0, 0, 128), (128, 128, 0), (0, 0, 0),
    (96, 96, 96),
)  # fmt: skip
COVER, LIGHT, DARK, FLOOR, LINE = (
    (200, 200, 200),
    (245, 245, 245),
    (140, 140, 140),
    (225, 225, 225),
    (170, 170, 170),
)
RED, BLACK = (30, 30, 210), (20, 20, 20)


def lattice_of(rows: int, columns: int) -> Lattice:
    """Where the cells of such a board lie in its picture, from the corner on."""
    return Lattice(tuple(range(0, CELL * columns + 1, CELL)), tuple(range(0, CELL * rows + 1, CELL)))


def picture_of_board(board: Board) -> Frame:
    """The board, its cells `CELL` pixels wide and high."""
    pixels = np.zeros((CELL * board.rows, CELL * board.columns, 3), np.uint8)
    for k, state in enumerate(board.cells):
        row, column = divmod(k, board.columns)
        pixels[CELL * row : CELL * (row + 1), CELL * column : CELL * (column + 1)] = _cell(state)
    return Frame(pixels)


@lru_cache(maxsize=32)
def _cell(state: str) -> Pixels:
    if state in DIGITS or state in MINES_SHOWN:
        cell = np.full((CELL, CELL, 3), RED if state == EXPLODED else FLOOR, np.uint8)
        cv2.rectangle(cell, (0, 0), (CELL - 1, CELL - 1), LINE, 1)
    else:
        cell = np.full((CELL, CELL, 3), COVER, np.uint8)
        cell[:2], cell[:, :2] = LIGHT, LIGHT
        cell[-2:], cell[:, -2:] = DARK, DARK
    middle = CELL // 2
    if state in DIGITS[1:]:
        _letter(cell, state, NUMBERS[int(state)])
    elif state in (MINE, EXPLODED):
        cv2.circle(cell, (middle, middle), CELL // 4, BLACK, cv2.FILLED, cv2.LINE_AA)
    elif state in (FLAG, WRONG_FLAG):
        pole = np.array([[middle - 3, 5], [middle + 6, 9], [middle - 3, 13]])
        cv2.fillPoly(cell, [pole], RED, cv2.LINE_AA)
        cv2.line(cell, (middle - 3, 5), (middle - 3, CELL - 6), BLACK, 2)
    elif state == QUESTION:
        _letter(cell, state, BLACK)
    if state == WRONG_FLAG:
        cv2.line(cell, (4, 4), (CELL - 5, CELL - 5), BLACK, 2, cv2.LINE_AA)
    return cell


def _letter(cell: Pixels, letter: str, colour: tuple[int, int, int]) -> None:
    (width, height), _ = cv2.getTextSize(letter, cv2.FONT_HERSHEY_SIMPLEX, SCALE, 2)
    at = ((CELL - width) // 2, (CELL + height) // 2)
    cv2.putText(cell, letter, at, cv2.FONT_HERSHEY_SIMPLEX, SCALE, colour, 2, cv2.LINE_AA)
