"""Boards of text without lines are found; prose and tables of characters are not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from drawing import off, readers

from games.minesweeper import Board
from vision.frame import Frame, Pixels
from vision.lattice import Lattice
from vision.locate.locate import locate, locate_all

LEFT, TOP = 70, 90  # pixels of the first cell
RUNNING = """
..........
....222...
...3000211
..31000000
..20011100
..31110110
"""
FRESH = "\n".join(["." * 10] * 6)
PROSE = (
    "the cell next to a one",
    "is safe if the mine of",
    "that one is known. All",
    "cells around a zero are",
)


def page(lines: list[str], across: float, down: float, size: float, dark: bool = False) -> Pixels:
    """A page with one character in the middle of each cell, below a line of text."""
    ground, ink = ((30, 26, 22), (225, 225, 215)) if dark else ((244, 250, 250), (20, 20, 40))
    wide, high = LEFT + int(across * max(map(len, lines))) + 80, TOP + int(down * len(lines)) + 70
    canvas = np.full((max(300, high), max(420, wide), 3), ground, np.uint8)
    cv2.putText(canvas, "Mines: 12  Time: 4", (LEFT, 40), cv2.FONT_HERSHEY_SIMPLEX, 0.7, ink, 2, cv2.LINE_AA)
    for row, line in enumerate(lines):
        for column, letter in enumerate(line):
            (long, tall), _ = cv2.getTextSize(letter, cv2.FONT_HERSHEY_SIMPLEX, size, 2)
            corner = (
                round(LEFT + across * (column + 0.5) - long / 2), round(TOP + down * (row + 0.5) + tall / 2)
            )  # fmt: skip
            cv2.putText(canvas, letter, corner, cv2.FONT_HERSHEY_SIMPLEX, size, ink, 2, cv2.LINE_AA)
    return canvas


def board_page(board: str, sign: str, across: float, down: float, dark: bool) -> Pixels:
    """A board whose covers show `sign` and whose empty cells show nothing."""
    text = board.strip().replace("0", " ").replace(".", sign)
    return page(text.split("\n"), across, down, min(across, down) / 32, dark)


def check(canvas: Pixels, board: Board, across: float, down: float) -> None:
    """The board is found; no line is off by more than a fifth of a cell."""
    (found,) = locate_all(Frame(canvas))
    wanted = Lattice(
        tuple(round(LEFT + across * k) for k in range(board.columns + 1)),
        tuple(round(TOP + down * k) for k in range(board.rows + 1)),
    )
    assert found.lattice.size == wanted.size
    assert not found.clipped
    assert off(found.lattice, wanted) <= max(across, down) / 5


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(("across", "down"), [(24, 24), (17, 29), (25.4, 25.4), (40, 34)])
@pytest.mark.parametrize("sign", list("#?X"))
@pytest.mark.parametrize("shown", [FRESH, RUNNING], ids=["fresh", "running"])
def test_letters_board_found(shown: str, sign: str, across: float, down: float, dark: bool) -> None:
    board = Board.parse(shown.strip())
    check(board_page(shown, sign, across, down, dark), board, across, down)


def test_letters_fresh_board_is_read() -> None:
    frame = Frame(board_page(FRESH, "#", 24, 24, dark=True))
    found = locate(frame)
    assert readers().reader(found.lattice).observe(frame).board == Board.parse(FRESH)


def test_letters_numbers_place_the_lines() -> None:
    """Small signs may be as low as a full stop or as high as a dash."""
    tops = []
    for sign in (8, 4):  # pixels below the middle of the cells
        canvas = page(RUNNING.strip().replace("0", " ").replace(".", " ").split("\n"), 30, 30, 0.9)
        for row, line in enumerate(RUNNING.strip().split("\n")):
            for column in (column for column, letter in enumerate(line) if letter == "."):
                middle = LEFT + 30 * column + 15, TOP + 30 * row + 15 + sign
                cv2.circle(canvas, middle, 2, (20, 20, 40), -1)
        tops.append(locate(Frame(canvas)).lattice.ys[0])
    assert abs(tops[0] - tops[1]) <= 1


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_letters_in_brackets_found(dark: bool) -> None:
    """The lines are between the brackets of neighbours, the panel ends next to the outer ones."""
    rows = RUNNING.strip().replace("0", " ").replace(".", "#").split("\n")
    canvas = page(["".join(f"[ {sign}  ]" for sign in row) for row in rows], 8, 20, 0.4, dark)
    panel = np.full_like(canvas, 128)
    inside = np.s_[TOP + 1 : TOP + 120, LEFT : LEFT + 480]
    panel[inside] = canvas[inside]
    (found,) = locate_all(Frame(panel))
    assert (
        off(found.lattice, Lattice(tuple(range(LEFT, LEFT + 481, 48)), tuple(range(TOP, TOP + 121, 20)))) <= 3
    )


def test_letters_outer_column_with_a_single_character_found() -> None:
    """No other cell shows a 4."""
    rows = "........1", ".12.....2", ".3......4", ".21.....2", "........1", "........1"
    board = Board.parse("\n".join(rows))
    check(board_page(str(board), "#", 24, 24, dark=False), board, 24, 24)


def test_letters_specks_beside_ignored() -> None:
    """A photo next to the text has specks like the signs of the covers."""
    rng = np.random.default_rng(0)
    canvas = board_page(RUNNING, ".", 24, 24, dark=False)
    photo = cv2.blur(rng.normal(205, 20, (*canvas.shape[:2], 3)), (3, 3)).clip(0, 255).astype(np.uint8)
    for x, y in rng.integers(0, 300, (150, 2)).tolist():
        cv2.circle(photo, (x, y), 1, (20, 20, 40), -1)
    check(np.hstack((canvas, photo)), Board.parse(RUNNING.strip()), 24, 24)


@pytest.mark.parametrize(
    "lines",
    [
        list(PROSE) * 4,
        [f"{number:022b}" for number in range(0x155555, 0x155565)],
        ["#" * 3] * 12,
        ["".join(chr(65 + (7 * row + column) % 26) for column in range(14)) for row in range(9)],
    ],
    ids=["prose", "binary numbers", "three columns", "letters"],
)
def test_letters_other_text_is_no_board(lines: list[str]) -> None:
    found = locate_all(Frame(page(lines, 20, 30, 0.7)))
    assert not any(each.probability >= 0.5 for each in found)
