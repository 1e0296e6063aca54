"""Unavoidable 50/50s of four cells: detection, probability, and cost."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import NamedTuple

import pytest

from games.logic import bits, cell_set
from games.minesweeper import Board, board_knowledge
from strategies.probability.kernel_input import KernelInput
from strategies.testing import all_models, position_of, small_boards

LEAST = 0.01


class Square(NamedTuple):
    diagonals: tuple[int, int]  # cell sets
    deciding: int  # cell set
    has_unbound: bool
    chance: float


def squares_of(board: Board, kernels: ModuleType) -> list[Square]:
    """The unavoidable squares of a board."""
    position = position_of(board, board_knowledge(board))
    everything = (1 << len(board)) - 1
    known = KernelInput.of(position.knowledge, everything, position.openable, position.counts)
    memory = kernels.thread_memory()
    found = kernels.components.survey_risks(known.arrays, known.arrays.rows, memory)
    if not found.is_valid:
        return []
    squares = kernels.fifty_fifty.find_square_fifty_fifties(known.arrays, found, LEAST, memory)
    listed = []
    for i in range(squares.count):
        cells = squares.cells[4 * i : 4 * i + 4]
        begin = squares.room * i
        deciding = squares.deciding[begin : begin + squares.deciding_count[i]]
        one, other = (cell_set(known.cells[k] for k in cells[first::2]) for first in (0, 1))
        has_unbound = any(k >= known.bound for k in deciding)
        named = cell_set(known.cells[k] for k in deciding)
        listed.append(Square((one, other), named, has_unbound, squares.chance[i]))
    return listed


def found_squares(seed: str, kernels: ModuleType) -> Iterator[tuple[Board, Square]]:
    """Squares of small boards with a known total."""
    for board in small_boards(seed, 400, 14):
        if board.mines is not None:
            yield from ((board, square) for square in squares_of(board, kernels))


def test_square_exchanged_mines_fit_clues(plain: ModuleType) -> None:
    compared = 0
    for board, square in found_squares("fours", plain):
        truths = set(all_models(board_knowledge(board)))
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
    for board, square in found_squares("chances", plain):
        if square.has_unbound:
            continue  # with these it is an estimate
        truths = tuple(all_models(board_knowledge(board)))
        cells = sum(square.diagonals)
        stuck = [t for t in truths if t & cells in square.diagonals and not square.deciding & ~t]
        assert square.chance == pytest.approx(len(stuck) / len(truths)), str(board)
        compared += 1
    assert compared > 5


def test_square_fifty_fifty_found(plain: ModuleType) -> None:
    board = Board.parse("mines 6\n.22.\n2..2\n2..2\n.22.")
    (square,) = squares_of(board, plain)
    assert square.chance == pytest.approx(1.0)
    assert {board.name(k) for k in bits(sum(square.diagonals))} == {"r1c1", "r1c2", "r2c1", "r2c2"}
