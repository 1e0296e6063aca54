"""Pockets: cells connected with the others by the mine total only; they are opened last."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from games.minesweeper import Board, board_knowledge
from strategies.kernels import PositionArrays
from strategies.kernels.settings import NO_CANDIDATE
from strategies.probability.kernel_input import KernelInput
from strategies.testing import position_of

APART = "mines 2\n..1001...."  # two cells, and four that no number joins to them
JOINED = "mines 2\n..1...."  # the clue is next to both sides


def fielded(text: str) -> tuple[Board, tuple[int, ...], PositionArrays]:
    board = Board.parse(text)
    position = position_of(board, board_knowledge(board))
    everything = (1 << len(board)) - 1
    situation = KernelInput.of(position.knowledge, everything, position.openable, position.counts)
    return board, situation.cells, situation.arrays


@pytest.mark.parametrize(
    ("text", "most", "names"),
    [
        (APART, 2, ()),
        (APART, 3, ("r0c0", "r0c1")),
        (APART, 5, ("r0c0", "r0c1", "r0c6", "r0c7", "r0c8", "r0c9")),
        (JOINED, 6, ()),
        (JOINED, 7, ("r0c0", "r0c1", "r0c3", "r0c4", "r0c5", "r0c6")),
    ],
)
def test_pockets_cells(text: str, most: int, names: tuple[str, ...], plain: ModuleType) -> None:
    board, cells, field = fielded(text)
    pockets = plain.fifty_fifty.find_isolated_groups(field, most, plain.thread_memory())
    assert {board.name(cells[k]) for k in np.flatnonzero(pockets)} == set(names)


def test_pockets_wait_for_other_candidates(plain: ModuleType) -> None:
    board, cells, field = fielded(APART)
    priority = [0.1 + 0.01 * k for k in range(len(cells))]
    plain.lookahead.defer_isolated_groups(field, 3, priority, plain.thread_memory())
    left = {board.name(cells[k]) for k in np.flatnonzero(np.array(priority) != NO_CANDIDATE)}
    assert left == {"r0c6", "r0c7", "r0c8", "r0c9"}
    plain.lookahead.defer_isolated_groups(field, 5, priority, plain.thread_memory())
    assert {board.name(cells[k]) for k in np.flatnonzero(np.array(priority) != NO_CANDIDATE)} == left
