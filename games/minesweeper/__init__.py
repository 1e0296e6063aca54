"""Minesweeper: boards, moves, the constraints that a board states, and hidden fields to play on."""

from games.minesweeper.board import Board
from games.minesweeper.clues import knowledge_after, knowledge_of, problems, problems_after
from games.minesweeper.minefield import Deal, Minefield, read_deals
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
    "knowledge_after",
    "knowledge_of",
    "problems",
    "problems_after",
    "read_deals",
]
