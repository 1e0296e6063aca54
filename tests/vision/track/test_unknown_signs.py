"""Covers, numbers and mines unknown to the model are read from their previous states."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from drawing import readers
from places import FIXTURES
from tracked import wrong

from games.logic import bits
from games.minesweeper import DIGITS, HIDDEN, QUESTION, UNKNOWN, Move
from vision.annotations import AnnotatedImage, load_annotated
from vision.frame import Frame
from vision.lattice import Lattice
from vision.track.tracker import Tracker

GRAVES = FIXTURES / "covered" / "kmines-graveyard-mayhem"
GREEN = FIXTURES / "lost" / "kmines-green"
FLAT = FIXTURES / "lost" / "gnome-mines-flat"
GUESSED = FIXTURES / "halfway" / "kmines-green-guess"
CHECKED = FIXTURES / "halfway" / "drawn-checkerboard"
WRITTEN = FIXTURES / "lost" / "page-written-zeros"
STAYS = 5  # looks after which a picture is no passing one
RARE = 6  # cells that may stay unread: the rarest number occurs on five
RADIUS = 0.9  # cells; of a moon


def pictures(folder: Path, last: str) -> tuple[Frame, Frame, AnnotatedImage]:
    """A board before the first move and after it, and the `last` picture with its board."""
    before, opened = (
        load_annotated(folder / name, folder / f"{last}.txt").frame for name in ("before.png", "opened.png")
    )
    return before, opened, load_annotated(folder / f"{last}.png")


@pytest.mark.parametrize("moon", [False, True], ids=["one drawing", "a moon behind some"])
def test_tracker_unknown_covers_are_no_numbers(moon: bool) -> None:
    after = load_annotated(GRAVES / "after.png")
    before = load_annotated(GRAVES / "before.png", GRAVES / "after.txt").frame
    if moon:
        before, after = (
            moonlit(before, after.lattice),
            after._replace(frame=moonlit(after.frame, after.lattice)),
        )
    reader = readers().reader(after.lattice, None)
    assert (UNKNOWN in reader.observe(before).board.cells) == moon
    reader.notify_moves(
        [Move("open", k) for k, state in enumerate(after.board.cells) if state in DIGITS], certain=True
    )
    board = [reader.observe(after.frame).board for _ in range(STAYS)][-1]
    covers = [k for k, state in enumerate(after.board.cells) if state == HIDDEN]
    assert {board[k] for k in covers} <= {HIDDEN, UNKNOWN}
    assert sum(board[k] == after.board[k] for k in range(len(board))) > (0.4 if moon else 0.7) * len(board)
    no_moves = dict.fromkeys(bits(after.board.cells_showing(QUESTION)), UNKNOWN)
    assert wrong(board.with_states(no_moves), str(after.board)) == []


def moonlit(frame: Frame, lattice: Lattice) -> Frame:
    """The same with a bright disc behind what is drawn at the right end, as if that let light through."""
    y, x = np.mgrid[: frame.pixels.shape[0], : frame.pixels.shape[1]]
    off = np.hypot(y - lattice.ys[3], x - lattice.xs[12]) / (lattice.xs[1] - lattice.xs[0])
    lighter = np.where(off < RADIUS, 120, 0)[..., None]
    return Frame(np.clip(frame.pixels.astype(int) + lighter, 0, 255).astype(np.uint8))


def test_tracker_lost_board_unknown_mines_read() -> None:
    before, opened, lost = pictures(GREEN, "lost")
    reader = readers().reader(lost.lattice, None)
    reader.observe(before)
    reader.notify_moves([Move("open", lost.board.cell("r3c3"))], certain=True)
    assert UNKNOWN in reader.observe(opened).board.cells
    reader.notify_moves([Move("open", lost.board.cell("r0c0"))], certain=False)
    seen = [reader.observe(lost.frame).board for _ in range(4)][-1]
    assert seen.shown_mines == lost.board.shown_mines
    assert wrong(seen, str(lost.board)) == []


def test_tracker_covers_changed_everywhere_are_mines() -> None:
    """All cells darken at the end of this game, and the model doubts its mines."""
    before, opened, lost = pictures(FLAT, "lost")
    reader = readers().reader(lost.lattice, None, 99)
    board = reader.observe(before).board
    marks = [Move("flag", k) for k in bits(lost.board.flagged)]
    reader.notify_moves([Move("open", board.cell("r3c3")), *marks], certain=True)
    assert not reader.observe(opened).board.unread
    reader.notify_moves([Move("open", board.cell("r11c0"))], certain=False)
    seen = reader.observe(lost.frame).board
    assert seen.shown_mines == lost.board.shown_mines
    assert wrong(seen, str(lost.board)) == []


def test_tracker_signs_of_cascade_no_wrong_flags() -> None:
    before, opened, after = pictures(GUESSED, "after")
    reader = readers().reader(after.lattice, None, 99)
    reader.observe(before)
    reader.notify_moves([Move("open", after.board.cell("r3c3"))], certain=True)
    assert reader.observe(opened).board.unread
    for cell in ("r8c7", "r15c29"):
        reader.notify_moves([Move("open", after.board.cell(cell))], certain=False)
        for _ in range(STAYS):
            reading = reader.observe(after.frame)
            assert not reading.has_ended
            assert wrong(reading.board, str(after.board)) == []
    assert reading.board.unread.bit_count() <= RARE


def test_tracker_opened_cells_of_checkerboard_read() -> None:
    """The model takes most empty cells for covers; only all states together fit the rules."""
    before, opened, after = pictures(CHECKED, "after")
    reader = readers().reader(after.lattice, None, 22)
    reader.observe(before)
    for cell, frame, certain in (("r0c0", opened, True), ("r8c7", after.frame, False)):
        reader.notify_moves([Move("open", after.board.cell(cell))], certain=certain)
        for _ in range(STAYS):
            board = reader.observe(frame).board
    assert board.cells == after.board.cells


def test_tracker_written_zeros_not_empty_at_end() -> None:
    """Where no number is read yet, no rule speaks against empty cells: these do not look empty."""
    before, opened, lost = pictures(WRITTEN, "lost")
    reader = readers().reader(lost.lattice, None)
    reader.observe(before)
    for cell, frame in (("r0c0", opened), ("r0c9", lost.frame)):
        reader.notify_moves([Move("open", lost.board.cell(cell))], certain=False)
        for _ in range(STAYS):
            board = reader.observe(frame).board
    assert wrong(board, str(lost.board)) == []


# --- cascades that are drawn in steps, of green kmines ---------------------------------------------------

HALFWAY = FIXTURES / "halfway"
AFTER = load_annotated(HALFWAY / "kmines-green/after.png")
BEFORE = load_annotated(HALFWAY / "kmines-green/before.png", HALFWAY / "kmines-green/after.txt").frame
ZEROS, ONES = AFTER.board.cells_showing("0"), AFTER.board.cells_showing("1")
FIRST, ELSEWHERE = (Move("open", AFTER.board.cell(name)) for name in ("r3c3", "r15c29"))


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
    return Frame(pixels)


@pytest.mark.parametrize("late", ["r5c0", "r6c1", "r5c0 r5c1 r8c2", "r2c2 r3c0 r4c4 r9c1 r9c2 r10c3"])
def test_tracker_cascade_in_progress_no_wrong_number(late: str) -> None:
    reader = opened()
    halfway = drawn_but_for({AFTER.board.cell(name) for name in late.split()})
    for shown in (halfway, *[AFTER.frame] * STAYS):
        whole = reader.observe(shown).board
        assert [whole.name(k) for k in bits(whole.open) if whole[k] != AFTER.board[k]] == []
    reader.notify_moves([ELSEWHERE], certain=False)
    assert not reader.observe(AFTER.frame).board.unread & ZEROS


def test_tracker_earlier_unknown_signs_read_at_once() -> None:
    reader = opened()
    assert reader.observe(AFTER.frame).board.unread & (ZEROS | ONES)
    reader.notify_moves([ELSEWHERE], certain=False)
    assert not reader.observe(AFTER.frame).board.unread & (ZEROS | ONES)


def test_tracker_similar_covers_mine_total_decides() -> None:
    """The only other consistent board is open except for a mine and its neighbour."""
    corner = load_annotated(HALFWAY / "sgt-mines-corner" / "after.png")
    seen = readers().reader(corner.lattice, None).observe(corner.frame).board
    assert (seen.closed, seen.cells_showing("1")) == (corner.board.closed, corner.board.cells_showing("1"))
