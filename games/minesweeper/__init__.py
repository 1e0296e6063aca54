"""Minesweeper: boards, moves, the constraints of a board, deals and simulated minefields."""

from games.minesweeper.board import (
    CLOSED,
    DIGITS,
    EXPLODED,
    FLAG,
    HIDDEN,
    LARGEST_TEXT,
    MINE,
    MINES_SHOWN,
    QUESTION,
    SAFE,
    STATES,
    UNKNOWN,
    WRONG_FLAG,
    Board,
    Move,
    MoveKind,
)
from games.minesweeper.deals import LEVELS, Deal, protected_cells, read_deals
from games.minesweeper.minefield import Minefield, find_openings, flood_open
from games.minesweeper.position import (
    FirstClick,
    Guess,
    board_knowledge,
    board_vocabulary,
    describe_source,
    inconsistencies,
    inconsistencies_since,
    pattern_name,
    updated_knowledge,
)
from games.minesweeper.variants import neighbours

knowledge_of = board_knowledge  # deprecated name, kept for one release: projects of `new-strategy` import it

__all__ = [
    "CLOSED",
    "DIGITS",
    "EXPLODED",
    "FLAG",
    "HIDDEN",
    "LARGEST_TEXT",
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
    "MoveKind",
    "board_knowledge",
    "board_vocabulary",
    "describe_source",
    "find_openings",
    "flood_open",
    "inconsistencies",
    "inconsistencies_since",
    "neighbours",
    "pattern_name",
    "protected_cells",
    "read_deals",
    "updated_knowledge",
]
