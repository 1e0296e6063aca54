"""Small satisfiable positions with wrong flags, unknown totals and extra constraints, for comparisons."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from games.logic import Constraint, Knowledge, bits, cell_set
from games.minesweeper import Board, Deal, Minefield, Move, board_knowledge


@dataclass(frozen=True, slots=True)
class SmallPosition:
    """A small board, and knowledge that may include further constraints."""

    board: Board
    knowledge: Knowledge


def small_positions(seed: int | str, count: int, most_hidden: int = 20) -> Iterator[SmallPosition]:
    """Satisfiable positions with 1 to `most_hidden` cells that are not open, determined by the seed.

    Half of them have a known total; some cells are flagged, rightly or wrongly; a third have constraints on
    2x2 windows: at least one cell, or not every cell, is a mine.
    """
    rng = random.Random(seed)
    while count:
        rows, columns = rng.randint(2, 8), rng.randint(3, 8)
        mines = rng.randint(1, max(1, rows * columns // 3))
        field = Minefield(Deal.random(rows, columns, mines, rng.random().hex()))
        board = field.play([Move("open", rng.randrange(rows * columns))])
        wanted = rng.randint(mines, max(mines, most_hidden))
        while not field.is_won and board.not_open.bit_count() > wanted:
            board = field.play([Move("open", rng.choice(list(bits(board.not_open & ~(field.truth or 0)))))])
        if field.is_won or not 0 < board.not_open.bit_count() <= most_hidden:
            continue
        truth = field.truth or 0
        count -= 1
        flags = {k: "F" for k in bits(board.not_open) if rng.random() < 0.15}
        board = board.with_states(flags).with_mines(mines if rng.random() < 0.5 else None)
        knowledge = board_knowledge(board)
        if rng.random() < 1 / 3:
            windows = [c for c in _windows(board, truth) if rng.random() < 0.6]
            knowledge = Knowledge.of(knowledge.universe, (*knowledge.given, *windows))
        yield SmallPosition(board, knowledge)


def _windows(board: Board, truth: int) -> Iterator[Constraint]:
    """For each 2x2 window a true constraint: at least one mine, or not only mines."""
    for row in range(board.rows - 1):
        for column in range(board.columns - 1):
            first = row * board.columns + column
            window = cell_set([first, first + 1, first + board.columns, first + board.columns + 1])
            cells = window & board.not_open
            if cells:
                low, size = int(bool(cells & truth)), cells.bit_count()
                yield Constraint(cells, low, size if low else size - 1, f"window {board.name(first)}")
