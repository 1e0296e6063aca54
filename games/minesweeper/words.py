"""How the constraints of a board are spoken of."""

from __future__ import annotations

import re

from games.logic import Constraint
from games.logic.writing import Words
from games.minesweeper.board import DIGITS, Board
from games.minesweeper.clues import TOTAL


def words_for(board: Board) -> Words:
    """How the constraints of this board are spoken of."""

    def given(constraint: Constraint) -> str:
        return described(board, str(constraint.source), constraint)

    return Words(board.name, given)


def described(board: Board, source: str, constraint: Constraint | None = None) -> str:
    """A source with what it says: `r3c5 = 2`, `the total of 10 mines`, `the mark '-' on r0c0`."""
    if source == TOTAL:
        number = board.mines if board.mines is not None else constraint.low if constraint else "?"
        return f"the total of {number} mine{'' if number == 1 else 's'}"
    if re.fullmatch(r"r\d+c\d+", source):
        state = board[board.cell(source)]
        if state in DIGITS:
            return f"{source} = {state}"
        return f"the mark '{state}' on {source}"
    return source
