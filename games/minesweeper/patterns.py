"""The patterns that players know by name: 1-1, 1-2, 1-2-1, 1-2-2-1, holes, last mines.

A pattern is a step by one of the general rules that lies on the board as players draw it. Numbers are what is
left of them beside known mines, as players count (docs/reasoning.md has the rule behind each name).
"""

from __future__ import annotations

from games.errors import InvalidFile
from games.logic.writing import Ground, Link
from games.minesweeper.board import DIGITS, Board
from games.minesweeper.clues import TOTAL

LAST_MINES = "last mines"
HOLE = "hole"
LONGER = ((1, 2, 2, 1), (1, 2, 1))  # what a 1-2 may be the beginning of, the longest first


def pattern_of(board: Board, link: Link) -> str:
    """The name of the pattern that a step is; empty where players have none for it."""
    if any(ground.full.source == TOTAL for ground in link.grounds):
        return LAST_MINES
    news = link.news
    if len(link.grounds) != 2 or not (news.all_true or news.all_false):
        return ""
    clues = [clue for ground in link.grounds if (clue := _clue(board, ground)) is not None]
    if len(clues) < 2:
        return ""
    first, second = sorted(clues, key=lambda clue: left(board, clue, link)[0])
    numbers = left(board, first, link)[0], left(board, second, link)[0]
    step = _step(board, first, second)
    if step is None:
        return HOLE if numbers == (1, 1) else ""
    if numbers == (1, 2):
        return "-".join(map(str, _longest(board, first, step, link)))
    return "1-1" if numbers == (1, 1) else ""


def left(board: Board, clue: int, link: Link) -> tuple[int, int]:
    """What a clue still needs at this step, and the cells (a set) where it may be."""
    around = board.around[clue]
    hidden = around & board.not_open & ~(link.true | link.false)
    return int(board[clue]) - (around & link.true).bit_count(), hidden


def _clue(board: Board, ground: Ground) -> int | None:
    """The cell of the clue that a premise is, as it stands on the board."""
    if ground.place is not None or ground.premise.low != ground.premise.high:
        return None
    try:
        cell = board.cell(str(ground.full.source))
    except InvalidFile:
        return None
    return cell if board[cell] in DIGITS else None


def _step(board: Board, first: int, second: int) -> tuple[int, int] | None:
    """From one clue to the next beside it, in rows and columns; None where they share no edge."""
    rows = second // board.columns - first // board.columns
    columns = second % board.columns - first % board.columns
    return (rows, columns) if abs(rows) + abs(columns) == 1 else None


def _longest(board: Board, first: int, step: tuple[int, int], link: Link) -> tuple[int, ...]:
    """The longest known run of numbers from a 1 over the 2 beside it, along one wall of hidden cells."""
    row, column = divmod(first, board.columns)
    run: list[int] = []
    wall = 0
    while len(run) < 4 and 0 <= row < board.rows and 0 <= column < board.columns:
        cell = row * board.columns + column
        if board[cell] not in DIGITS:
            break
        number, cells = left(board, cell, link)
        if run and not cells & wall:
            break
        run.append(number)
        wall = cells
        row, column = row + step[0], column + step[1]
    return next((known for known in LONGER if tuple(run[: len(known)]) == known), (1, 2))
