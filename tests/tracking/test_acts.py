"""What acts say of cells that they changed, and that could not be read."""

from __future__ import annotations

import pytest

from games.minesweeper import Board, Move
from vision.tracking.acts import NONE, Acts

BEFORE = Board.parse("....\n....\n....")
OPENED = Acts((Move("open", BEFORE.cell("r1c1")),), certain=True)
FLAGGED = Board.parse("....\n.1F.\n....")


@pytest.mark.parametrize(
    ("now", "lasting"),
    [
        ("~~~.\n~0~.\n~~~.", "r0c0 r0c1 r0c2 r1c0 r1c2 r2c0 r2c1 r2c2"),  # it opened them
        ("~~~.\n~1~.\n~~~.", ""),  # covers whose edges are drawn otherwise beside an open cell
        ("....\n.~..\n....", "r1c1"),
        ("....\n.1.~\n....", ""),
    ],
)
def test_what_acts_changed_for_good_is_open_but_for_what_lies_beside_a_number(now: str, lasting: str) -> None:
    board = Board.parse(now)
    same = board.having(".")
    unread = NONE.after(OPENED, BEFORE, board, same)
    assert board.names(unread.lasting) == lasting.split()


def test_a_chord_opens_nothing_beside_a_flag() -> None:
    board = Board.parse("111~\n11F~\n111~")
    chord = Acts((Move("chord", FLAGGED.cell("r1c1")),), certain=True)
    assert NONE.after(chord, FLAGGED, board, same=0).lasting == 0
