"""Random positions to try reasoning on, and the truth about small ones by going through all layouts.

What `strategies.testing` is to one strategy, this is to the whole: positions of whole games, and small ones
with all that a board can have (wrong flags, an unknown total, further constraints with bounds).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from games.errors import Usage
from games.logic import Constraint, Knowledge, bits, cell_set
from games.minesweeper import LEVELS, Board, Deal, Minefield, Move, knowledge_of

MOST_HIDDEN = 22  # cells whose layouts are all gone through: four million


def mid_game(
    seed: int | str, count: int, level: str, least: float = 0.3, most: float = 0.8
) -> Iterator[Board]:
    """Boards of a level with a share of the safe cells open, between `least` and `most`; the total is known.

    The first click opens a zero; then safe cells are opened at random, most of them beside open ones, as
    players do. Always the same boards for a seed. A board that is nearly open after a click is left out.
    """
    rows, columns, mines = LEVELS[level]
    rng = random.Random(f"{seed}/{level}")  # noqa: S311 - test boards are no secrets
    safe = rows * columns - mines
    while count:
        field = Minefield(Deal.random(rows, columns, mines, rng.random().hex()), "zero")
        board = field.play([Move("open", rng.randrange(rows * columns))])
        wanted = rng.uniform(least, most) * safe
        while board.open.bit_count() < wanted:
            cells = board.not_open & ~(field.truth or 0)
            beside = cell_set(k for k in bits(cells) if board.around[k] & board.open)
            rng_cells = list(bits(beside if beside and rng.random() < 0.9 else cells))
            board = field.play([Move("open", rng.choice(rng_cells))])
        if board.open.bit_count() <= most * safe:
            count -= 1
            yield board


@dataclass(frozen=True, slots=True)
class Trial:
    """A small position: its board, and its knowledge with constraints that the board does not show."""

    board: Board
    knowledge: Knowledge


def small_trials(seed: int | str, count: int, most_hidden: int = 20) -> Iterator[Trial]:
    """Positions with 1 to `most_hidden` cells that are not open, each with at least one layout.

    Half of them with the total, half without; with flags, right and wrong; a third of them with 2x2 windows
    of which at least one cell, or not every cell, is a mine. Always the same ones for a seed.
    """
    rng = random.Random(seed)  # noqa: S311 - test boards are no secrets
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
        board = board.showing(flags).knowing(mines if rng.random() < 0.5 else None)
        knowledge = knowledge_of(board)
        if rng.random() < 1 / 3:
            windows = [c for c in _windows(board, truth) if rng.random() < 0.6]
            knowledge = Knowledge.of(knowledge.universe, (*knowledge.given, *windows))
        yield Trial(board, knowledge)


def _windows(board: Board, truth: int) -> Iterator[Constraint]:
    """For each 2x2 window what is true of it: at least one mine, or not every cell one."""
    for row in range(board.rows - 1):
        for column in range(board.columns - 1):
            first = row * board.columns + column
            window = cell_set([first, first + 1, first + board.columns, first + board.columns + 1])
            cells = window & board.not_open
            if cells:
                low, size = int(bool(cells & truth)), cells.bit_count()
                yield Constraint(cells, low, size if low else size - 1, f"window {board.name(first)}")


def decided(knowledge: Knowledge) -> tuple[int, int]:
    """The variables (sets) that are true, and those that are false, in each of all the layouts.

    All 2^n of them are gone through, with nothing clever. Raises Usage above `MOST_HIDDEN` variables.
    """
    import numpy as np

    names = list(bits(knowledge.universe))
    if len(names) > MOST_HIDDEN:
        raise Usage(f"{len(names)} variables are too many to try: take {MOST_HIDDEN}")
    place = {k: 1 << at for at, k in enumerate(names)}
    layouts = np.arange(1 << len(names), dtype=np.uint32)
    for constraint in knowledge.given:
        mines = np.bitwise_count(layouts & np.uint32(sum(place[k] for k in bits(constraint.cells))))
        layouts = layouts[(mines >= max(constraint.low, 0)) & (mines <= constraint.high)]
    always, ever = int(np.bitwise_and.reduce(layouts)), int(np.bitwise_or.reduce(layouts))
    true = cell_set(k for k in names if always & place[k])
    return true, cell_set(k for k in names if not ever & place[k])
