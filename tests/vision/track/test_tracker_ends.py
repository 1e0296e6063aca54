"""Tracker at the end of a game."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from drawing import readers, skin_of, tiles_of
from tracked import HIDDEN, LOST, OPENED, lit, opened_one, picture, sized, with_cell, wrong

from games.minesweeper import UNKNOWN, Board, Move
from vision.frame import Frame
from vision.lattice import Lattice
from vision.reading import Reading
from vision.skins import Skin
from vision.track.tracker import Tracker

ENDS = {
    "all mines": LOST,
    "exploded mine only": "001...\n112...\n......\n....!.\n......\n......",
    "a wrong flag": "001.x*\n112*..\n.*....\n....!.\n......\n.*...*",
    "everything opened": "00112*\n112*21\n1*2221\n1111!1\n111122\n1*101*",
}


def at_the_end(reader: Tracker, shown: Frame) -> Reading:
    """The reading of a lost board; if the picture is unclear, the program ignores further moves."""
    reader.notify_moves([Move("open", 22)], certain=False)
    reading = reader.observe(shown)
    if not reading.has_ended and reader.notify_no_response():
        reading = reader.observe(shown)
    return reading


@pytest.mark.parametrize("how", ENDS)
def test_tracker_lost_game_known_nothing_wrong(look: Skin, how: str) -> None:
    true = ENDS[how]
    states = set(true) - {"\n"}
    if not states <= set(tiles_of(look)):
        pytest.skip("this program draws no such end")
    reader = opened_one(look)
    if "x" in true:
        reader.notify_moves([Move("flag", 4)], certain=True)
        reader.observe(picture(OPENED.replace("001..", "001.F"), look))
    reading = at_the_end(reader, picture(true, look))
    assert wrong(reading.board, true) == []
    assert reading.has_ended


def dimmed(frame: Frame, lattice: Lattice) -> Frame:
    return Frame((frame.pixels // 2).astype(np.uint8))


def with_message(frame: Frame, lattice: Lattice) -> Frame:
    """The picture with a message over five cells of its fifth row; cells are 24 pixels."""
    x, y, _, _ = lattice.rectangle(24)
    pixels = frame.pixels.copy()
    pixels[y + 2 : y + 22, x : x + 120] = 250
    cv2.putText(pixels, "You lost", (x + 4, y + 18), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (0, 0, 0), 2)
    return Frame(pixels)


@pytest.mark.parametrize("change", [dimmed, with_message])
def test_tracker_changed_lost_board_mines_read(change: Callable[[Frame, Lattice], Frame], look: Skin) -> None:
    look = sized(look, 24)
    reader = opened_one(look)
    reading = at_the_end(reader, change(picture(LOST, look), reader.lattice))
    assert wrong(reading.board, LOST, mines_alike=True) == []
    assert reading.has_ended


def test_tracker_picture_without_board_shows_none(look: Skin) -> None:
    look = sized(look, 24)
    reader = opened_one(look)
    reader.notify_moves([Move("open", 22)], certain=False)
    ended = picture(LOST, look)
    left, top, width, height = reader.lattice.box
    ended.pixels[top : top + height, left : left + width] = 245
    cv2.putText(
        ended.pixels, "GAME OVER", (left + 4, top + 80), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (0, 0, 200), 2
    )
    board = reader.observe(ended).board
    assert set(board.cells) == {UNKNOWN}


def test_tracker_hit_mine_known_after_refused_acts(look: Skin, reader: Tracker) -> None:
    assert not reader.notify_no_response()
    reader.notify_moves([Move("open", 22)], certain=False)
    odd = np.random.default_rng(4).integers(0, 256, tiles_of(look)["0"].shape, np.uint8)
    lost = with_cell(picture(OPENED, look), reader.lattice, 22, odd)
    assert reader.observe(lost).board[22] == UNKNOWN
    assert reader.notify_no_response()
    reading = reader.observe(lost)
    assert reading.board[22] == "!"
    assert reading.has_ended


def test_tracker_invisible_act_explains_nothing(look: Skin, reader: Tracker) -> None:
    reader.notify_moves([Move("open", 9)], certain=True)
    reader.observe(lit(OPENED, look, 9))
    assert not reader.notify_no_response()


GAPPED = 6  # pixels between cells


def gapped(board: str, gap: tuple[int, int, int]) -> Frame:
    """A picture of a board with wide gaps of this colour (blue, green, red)."""
    parsed, tiles = Board.parse(board), tiles_of(sized(skin_of("xdemineur"), 16))
    side = 16 + GAPPED
    pixels = np.full((side * parsed.rows, side * parsed.columns, 3), gap, np.uint8)
    for k, state in enumerate(parsed.cells):
        row, column = divmod(k, parsed.columns)
        pixels[row * side : row * side + 16, column * side : column * side + 16] = tiles[state]
    return Frame(pixels)


@pytest.mark.parametrize(
    ("before", "act", "lost"),
    [
        (HIDDEN, 0, HIDDEN.replace(".", "!", 1)),
        (OPENED, 30, "001...\n112...\n......\n......\n......\n!....."),
    ],
)
def test_tracker_red_gaps_of_hidden_cells_no_flags(before: str, act: int, lost: str) -> None:
    lines = tuple(range(0, 6 * (16 + GAPPED) + 1, 16 + GAPPED))
    reader = readers().reader(Lattice(lines, lines))
    green, red = (120, 200, 120), (0, 0, 255)
    reader.observe(gapped(HIDDEN, green))
    if before != HIDDEN:
        reader.notify_moves([Move("open", 0)], certain=True)
        reader.observe(gapped(before, green))
    reader.notify_moves([Move("open", act)], certain=False)
    seen = reader.observe(gapped(lost, red)).board
    assert wrong(seen, lost) == []
