"""Minesweeper: boards, moves, the constraints of a board, deals and simulated minefields."""

from games.minesweeper.board import (
    CLOSED,
    DIGITS,
    EXPLODED,
    FLAG,
    HIDDEN,
    MINE,
    MINES_SHOWN,
    QUESTION,
    SAFE,
    STATES,
    UNKNOWN,
    WRONG_FLAG,
    Board,
    Move,
)
from games.minesweeper.deals import LEVELS, Deal, read_deals
from games.minesweeper.minefield import Minefield
from games.minesweeper.position import (
    FirstClick,
    Guess,
    board_knowledge,
    board_vocabulary,
    inconsistencies,
    inconsistencies_since,
)
from games.minesweeper.variants import neighbours

knowledge_of = board_knowledge  # deprecated name, kept for one release: projects of `new-strategy` import it

__all__ = [
    "CLOSED",
    "DIGITS",
    "EXPLODED",
    "FLAG",
    "HIDDEN",
    "LEVELS",
    "MINE",
    "MINES_SHOWN",
    "QUESTION",
    "SAFE",
    "STATES",
    "UNKNOWN",
    "WRONG_FLAG",
    "Board",
    "Deal",
    "FirstClick",
    "Guess",
    "Minefield",
    "Move",
    "board_knowledge",
    "board_vocabulary",
    "inconsistencies",
    "inconsistencies_since",
    "neighbours",
    "read_deals",
]
