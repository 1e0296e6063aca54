"""Minesweeper: boards, moves, the constraints that a board states, and hidden fields to play on."""

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
)
from games.minesweeper.clues import knowledge_after, knowledge_of, problems, problems_after
from games.minesweeper.dealing import LEVELS, Deal, forbidden_by, read_deals
from games.minesweeper.minefield import Minefield
from games.minesweeper.moves import Move, MoveKind
from games.minesweeper.neighbours import neighbours
from games.minesweeper.openings import opened_by, openings
from games.minesweeper.patterns import pattern_of
from games.minesweeper.position import FirstClick, Guess, Position
from games.minesweeper.words import described, words_for

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
    "Position",
    "described",
    "forbidden_by",
    "knowledge_after",
    "knowledge_of",
    "neighbours",
    "opened_by",
    "openings",
    "pattern_of",
    "problems",
    "problems_after",
    "read_deals",
    "words_for",
]
