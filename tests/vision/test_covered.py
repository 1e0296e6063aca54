"""Covers that lie before a picture: some look like nothing that is known, and none becomes a number."""

from __future__ import annotations

from pathlib import Path

from drawing import sight

from games.minesweeper import DIGITS, HIDDEN, UNKNOWN, Move
from vision.labels import load_labelled

GRAVES = Path(__file__).resolve().parents[2] / "fixtures" / "covered" / "kmines-graveyard-mayhem"
AFTER = load_labelled(GRAVES / "after.png")
BEFORE = load_labelled(GRAVES / "before.png", GRAVES / "after.txt").frame
OPENED = [Move("open", k) for k, state in enumerate(AFTER.board.cells) if state in DIGITS]
STAYS = 5  # looks after which a picture is no passing one


def test_covers_that_a_fresh_board_did_not_explain_are_no_numbers_while_they_look_the_same() -> None:
    reader = sight().reader(AFTER.lattice, None)
    assert UNKNOWN in reader.observe(BEFORE).board.cells
    reader.acted(OPENED, certain=True)
    board = [reader.observe(AFTER.frame).board for _ in range(STAYS)][-1]
    covers = [k for k, state in enumerate(AFTER.board.cells) if state == HIDDEN]
    assert {board[k] for k in covers} <= {HIDDEN, UNKNOWN}
    assert sum(board[k] == AFTER.board[k] for k in range(len(board))) > 0.5 * len(board)
    assert all(board[k] in (AFTER.board[k], UNKNOWN) for k in range(len(board)))
