"""Unavoidable 50/50s of four cells: detection, probability, and cost."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from games.logic import bits, cell_set
from games.minesweeper import Board, Position, board_knowledge
from strategies.compiled.counting.survey import Survey, survey
from strategies.compiled.guessing.candidates import lost_anyhow
from strategies.compiled.guessing.fours import find_fours
from strategies.compiled.tables import Floats, Ints, Tables, make_tables
from strategies.probability.kernel_input import KernelInput
from strategies.testing import all_models, position_of, small_boards

LEAST = 0.01


def surveyed(board: Board, tables: Tables) -> tuple[Position, KernelInput, Survey]:
    position = position_of(board, board_knowledge(board))
    everything = (1 << len(board)) - 1
    situation = KernelInput.of(position.knowledge, everything, position.openable, position.counts)
    return position, situation, survey(situation.field, tables)


def found_fours(seed: str) -> Iterator[tuple[Board, KernelInput, Survey, Ints, Floats]]:
    """Small boards with a known total that have such fours."""
    tables = make_tables()
    for board in small_boards(seed, 400, 14):
        _, situation, found = surveyed(board, tables)
        if board.mines is not None and found.worked:
            fours, never = find_fours(situation.field, found, LEAST, tables)
            if len(fours):
                yield board, situation, found, fours, never


def test_pairs_exchanged_mines_fit_clues() -> None:
    compared = 0
    for board, situation, _, fours, _ in found_fours("fours"):
        truths = set(all_models(board_knowledge(board)))
        for row in fours.tolist():
            one, other = (cell_set(situation.cells[k] for k in row[first:5:2]) for first in (1, 2))
            telling = cell_set(situation.cells[k] for k in row[5 : 5 + row[0]])
            for k in bits(board.not_open & ~(one | other)):
                seen = (board.around[k] & one).bit_count(), (board.around[k] & other).bit_count()
                assert (seen[0] != seen[1]) == bool(telling >> k & 1), str(board)
            for truth in truths:
                if truth & (one | other) in (one, other):
                    assert truth ^ (one | other) in truths, str(board)
                    compared += 1
    assert compared > 20


def test_square_fifty_fifty_chance_is_exact() -> None:
    compared = 0
    for board, situation, _, fours, never in found_fours("chances"):
        truths = tuple(all_models(board_knowledge(board)))
        for row, chance in zip(fours.tolist(), never.tolist(), strict=True):
            if any(k >= situation.field.bound for k in row[5 : 5 + row[0]]):
                continue  # with these it is an estimate
            one, other = (cell_set(situation.cells[k] for k in row[first:5:2]) for first in (1, 2))
            telling = cell_set(situation.cells[k] for k in row[5 : 5 + row[0]])
            stuck = [t for t in truths if t & (one | other) in (one, other) and not telling & ~t]
            assert chance == pytest.approx(len(stuck) / len(truths)), str(board)
            compared += 1
    assert compared > 5


def test_square_fifty_fifty_lost_half() -> None:
    board = Board.parse("mines 6\n.22.\n2..2\n2..2\n.22.")
    tables = make_tables()
    _, situation, found = surveyed(board, tables)
    fours, never = find_fours(situation.field, found, LEAST, tables)
    assert never.tolist() == pytest.approx([1.0])
    square = {board.name(situation.cells[k]) for k in fours[0, 1:5]}
    assert square == {"r1c1", "r1c2", "r2c1", "r2c2"}
    lost = lost_anyhow(len(situation.cells), np.zeros((0, 3), np.int64), np.zeros(0), fours, never)
    named = {board.name(cell): chance for cell, chance in zip(situation.cells, lost, strict=True) if chance}
    assert named == pytest.approx(dict.fromkeys(square, 0.5))
