"""Unavoidable 50/50s of four cells, and isolated groups, which only the mine total joins to other cells."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import NamedTuple

import numpy as np
import pytest
from stated import kernel_input

from games.logic import bits, cell_set
from games.minesweeper import Board, board_knowledge
from strategies.testing import all_models, small_boards


class Square(NamedTuple):
    diagonals: tuple[int, int]  # cell sets
    deciding: int  # cell set
    has_unbound: bool
    chance: float


def squares_of(board: Board, kernels: ModuleType) -> list[Square]:
    """The unavoidable squares of a board."""
    known = kernel_input(board)
    memory = kernels.thread_memory()
    found = kernels.components.survey_risks(known.arrays, known.arrays.rows, memory)
    if found is None:
        return []
    squares = kernels.fifty_fifty.find_square_fifty_fifties(found)
    listed = []
    for i in range(squares.count):
        cells = squares.cells[4 * i : 4 * i + 4]
        begin = kernels.fifty_fifty.MAX_DECIDING * i
        deciding = squares.deciding[begin : begin + squares.deciding_count[i]]
        one, other = (cell_set(known.cells[k] for k in cells[first::2]) for first in (0, 1))
        has_unbound = any(k >= known.bound for k in deciding)
        named = cell_set(known.cells[k] for k in deciding)
        listed.append(Square((one, other), named, has_unbound, squares.chance[i]))
    return listed


def found_squares(seed: str, kernels: ModuleType) -> Iterator[tuple[Board, Square, tuple[int, ...]]]:
    """Squares of small boards with a known total, and the layouts of the board."""
    for board in small_boards(seed, 400, 14):
        if board.mines is not None:
            for square in squares_of(board, kernels):
                yield board, square, tuple(all_models(board_knowledge(board)))


def test_square_exchanged_mines_fit_clues(plain: ModuleType) -> None:
    compared = 0
    for board, square, truths in found_squares("fours", plain):
        one, other = square.diagonals
        for k in bits(board.not_open & ~(one | other)):
            seen = (board.around[k] & one).bit_count(), (board.around[k] & other).bit_count()
            assert (seen[0] != seen[1]) == bool(square.deciding >> k & 1), str(board)
        for truth in truths:
            if truth & (one | other) in (one, other):
                assert truth ^ (one | other) in truths, str(board)
                compared += 1
    assert compared > 20


def test_square_fifty_fifty_chance_is_exact(plain: ModuleType) -> None:
    compared = 0
    for board, square, truths in found_squares("chances", plain):
        if square.has_unbound:
            continue  # with these it is an estimate
        cells = sum(square.diagonals)
        stuck = [t for t in truths if t & cells in square.diagonals and not square.deciding & ~t]
        assert square.chance == pytest.approx(len(stuck) / len(truths)), str(board)
        compared += 1
    assert compared > 5


def test_square_fifty_fifty_found(plain: ModuleType) -> None:
    board = Board.parse("mines 6\n.22.\n2..2\n2..2\n.22.")
    (square,) = squares_of(board, plain)
    assert square.chance == pytest.approx(1.0)
    assert board.names(sum(square.diagonals)) == ["r1c1", "r1c2", "r2c1", "r2c2"]


APART = Board.parse("mines 2\n..1001....")  # two cells, and four that no number joins to them
JOINED = Board.parse("mines 2\n..1....")  # the clue is next to both sides
LEFT, RIGHT = ["r0c0", "r0c1"], ["r0c6", "r0c7", "r0c8", "r0c9"]


@pytest.mark.parametrize(
    ("board", "most", "names"),
    [
        (APART, 2, []),
        (APART, 3, LEFT),
        (APART, 5, LEFT + RIGHT),
        (JOINED, 6, []),
        (JOINED, 7, ["r0c0", "r0c1", "r0c3", "r0c4", "r0c5", "r0c6"]),
    ],
)
def test_isolated_groups_cells(board: Board, most: int, names: list[str], plain: ModuleType) -> None:
    known = kernel_input(board)
    sizes = np.array(plain.fifty_fifty.group_sizes(known.arrays, plain.thread_memory()))
    assert board.names(cell_set(known.cells[k] for k in np.flatnonzero(sizes < most))) == names


def test_isolated_groups_wait_for_others(plain: ModuleType) -> None:
    known = kernel_input(APART)
    priority = [0.1 + 0.01 * k for k in range(len(known.cells))]
    for most in (3, 5):  # with 5, every candidate is in such a group
        plain.lookahead.defer_isolated_groups(known.arrays, most, priority, plain.thread_memory())
        left = np.flatnonzero(np.array(priority) != plain.lookahead.NO_CANDIDATE)
        assert APART.names(cell_set(known.cells[k] for k in left)) == RIGHT
