"""Minesweeper: boards, moves, the constraints that a board states, and hidden fields to play on."""

from games.minesweeper.board import Board
from games.minesweeper.clues import knowledge_after, knowledge_of, problems, problems_after
from games.minesweeper.deal import Deal, forbidden_by, read_deals
from games.minesweeper.minefield import Minefield, opened_by
from games.minesweeper.moves import Move
from games.minesweeper.position import FirstClick, Guess, Position

__all__ = [
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
    "opened_by",
    "problems",
    "problems_after",
    "read_deals",
]
