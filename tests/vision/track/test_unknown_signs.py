"""Covers, numbers and mines unknown to the model are read from their previous states."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from drawing import readers

from games.minesweeper import DIGITS, HIDDEN, UNKNOWN, Board, Move
from vision.annotations import AnnotatedImage, load_annotated
from vision.frame import Frame
from vision.lattice import Lattice

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
GRAVES = FIXTURES / "covered" / "kmines-graveyard-mayhem"
GREEN = FIXTURES / "lost" / "kmines-green"
GUESSED = FIXTURES / "halfway" / "kmines-green-guess"
WRITTEN = FIXTURES / "lost" / "page-written-zeros"
STAYS = 5  # looks after which a picture is no passing one
RADIUS = 0.9  # cells; of a moon


def pictures(folder: Path, last: str) -> tuple[Frame, Frame, AnnotatedImage]:
    """A board before the first move and after it, and the `last` picture with its board."""
    before, opened = (
        load_annotated(folder / name, folder / f"{last}.txt").frame for name in ("before.png", "opened.png")
    )
    return before, opened, load_annotated(folder / f"{last}.png")


def is_never_wrong(seen: Board, true: Board) -> bool:
    """Whether each cell is read right or unknown."""
    return all(state in (shown, UNKNOWN) for state, shown in zip(seen.cells, true.cells, strict=True))


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
    assert sum(board[k] == after.board[k] for k in range(len(board))) > (0.4 if moon else 0.85) * len(board)
    assert is_never_wrong(board, after.board)


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
    assert is_never_wrong(seen, lost.board)


def test_tracker_signs_of_cascade_no_wrong_flags() -> None:
    before, opened, after = pictures(GUESSED, "after")
    reader = readers().reader(after.lattice, None, 99)
    reader.observe(before)
    reader.notify_moves([Move("open", after.board.cell("r3c3"))], certain=True)
    assert [reader.observe(opened).board for _ in range(STAYS)][-1].unread
    reader.notify_moves([Move("open", after.board.cell("r8c7"))], certain=False)
    for _ in range(STAYS):
        reading = reader.observe(after.frame)
        assert not reading.has_ended
        assert is_never_wrong(reading.board, after.board)
    assert not reading.board.unread


def test_tracker_written_zeros_not_empty_at_end() -> None:
    """Where no number is read yet, no rule speaks against empty cells: these do not look empty."""
    before, opened, lost = pictures(WRITTEN, "lost")
    reader = readers().reader(lost.lattice, None)
    reader.observe(before)
    for cell, frame in (("r0c0", opened), ("r0c9", lost.frame)):
        reader.notify_moves([Move("open", lost.board.cell(cell))], certain=False)
        for _ in range(STAYS):
            board = reader.observe(frame).board
    assert is_never_wrong(board, lost.board)
