"""Half-drawn cascades are never misread."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from drawing import readers

from games.minesweeper import DIGITS, Board, Move
from vision.annotations import load_annotated
from vision.frame import Frame
from vision.track.tracker import Tracker

HALFWAY = Path(__file__).resolve().parents[3] / "fixtures" / "halfway"
GREEN = HALFWAY / "kmines-green"
AFTER = load_annotated(GREEN / "after.png")
BEFORE = load_annotated(GREEN / "before.png", GREEN / "after.txt").frame
ZEROS, ONES = AFTER.board.cells_showing("0"), AFTER.board.cells_showing("1")
FIRST = Move("open", AFTER.board.cell("r3c3"))
STAYS = 4  # looks after which a picture is no passing one


def opened() -> Tracker:
    """A reader that has seen the board before its first move."""
    reader = readers().reader(AFTER.lattice, None, 99)
    reader.observe(BEFORE)
    reader.notify_moves([FIRST], certain=True)
    return reader


def drawn_but_for(cells: set[int]) -> Frame:
    """The board after that move, with some opened cells not drawn yet."""
    pixels = AFTER.frame.pixels.copy()
    for cell in cells:
        left, top, right, bottom = AFTER.lattice.rectangle(cell)
        pixels[top:bottom, left:right] = BEFORE.pixels[top:bottom, left:right]
    return replace(AFTER.frame, pixels=pixels)


def misread(board: Board) -> list[str]:
    return [
        board.name(k) for k, state in enumerate(board.cells) if state in DIGITS and state != AFTER.board[k]
    ]


@pytest.mark.parametrize("late", ["r5c0", "r6c1", "r5c0 r5c1 r8c2", "r2c2 r3c0 r4c4 r9c1 r9c2 r10c3"])
def test_tracker_cascade_in_progress_no_wrong_number(late: str) -> None:
    reader = opened()
    halfway = drawn_but_for({AFTER.board.cell(name) for name in late.split()})
    assert misread(reader.observe(halfway).board) == []
    for _ in range(STAYS):
        whole = reader.observe(AFTER.frame).board
        assert misread(whole) == []
    assert not whole.unread & ZEROS


def test_tracker_unknown_signs_read_once_stable() -> None:
    reader = opened()
    looks = [reader.observe(AFTER.frame).board for _ in range(STAYS)]
    assert looks[0].unread & ONES
    assert not looks[-1].unread & (ZEROS | ONES)


def test_tracker_earlier_unknown_signs_read_at_once() -> None:
    reader = opened()
    assert reader.observe(AFTER.frame).board.unread & ONES
    reader.notify_moves([Move("open", AFTER.board.cell("r15c29"))], certain=False)
    assert not reader.observe(AFTER.frame).board.unread & ONES


def test_tracker_similar_covers_mine_total_decides() -> None:
    """The only other consistent board is open except for a mine and its neighbour."""
    corner = load_annotated(HALFWAY / "sgt-mines-corner" / "after.png")
    seen = readers().reader(corner.lattice, None).observe(corner.frame).board
    assert (seen.closed, seen.cells_showing("1")) == (corner.board.closed, corner.board.cells_showing("1"))
