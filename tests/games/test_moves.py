"""Moves: the text form."""

from __future__ import annotations

import pytest

from games.errors import InvalidFile
from games.minesweeper import Board, Move

BOARD = Board.fresh(4, 6)


@pytest.mark.parametrize("text", ["open r0c0", "flag r3c5", "unflag r1c2", "chord r2c4"])
def test_move_text_round_trip(text: str) -> None:
    assert Move.parse(text, BOARD).text(BOARD) == text


@pytest.mark.parametrize("text", ["", "open", "open r9c9", "dig r0c0", "open r0c0 r0c1"])
def test_move_invalid_text_refused(text: str) -> None:
    with pytest.raises(InvalidFile):
        Move.parse(text, BOARD)
