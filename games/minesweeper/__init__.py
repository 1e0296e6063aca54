"""Minesweeper: boards, moves, the constraints that a board states, and hidden fields to play on."""

from games.minesweeper.board import Board
from games.minesweeper.clues import knowledge_after, knowledge_of, problems, problems_after
from games.minesweeper.deal import LEVELS, Deal, forbidden_by, read_deals
from games.minesweeper.minefield import Minefield
from games.minesweeper.moves import Move
from games.minesweeper.neighbours import neighbours
from games.minesweeper.openings import opened_by, openings
from games.minesweeper.position import FirstClick, Guess, Position

__all__ = [
    "LEVELS",
    "Board",
    "Deal",
    "FirstClick",
    "Guess",
    "Minefield",
    "Move",
    "Position",
    "forbidden_by",
    "knowledge_after",
    "knowledge_of",
    "neighbours",
    "opened_by",
    "openings",
    "problems",
    "problems_after",
    "read_deals",
]
