"""What an act may open beside the cells that it is meant for: a zero opens all around it, and so on."""

from __future__ import annotations

from collections.abc import Sequence

from games.logic import Knowledge, bits
from games.minesweeper import Board


def may_be_zeros(board: Board, knowledge: Knowledge) -> int:
    """The cells (a set), not open yet, that can be zeros by what is known.

    A neighbour of a known mine is none, nor is one all of whose neighbours in some constraint hold a mine.
    """
    around = board.around
    not_zero = board.open | knowledge.true
    for mine in bits(knowledge.true):
        not_zero |= around[mine]
    for constraint in knowledge.constraints:
        # 8 cells at most have a common neighbour; what ties everything together has more
        if constraint.low > 0 and constraint.cells.bit_count() <= 8:
            common = board.everything
            for cell in bits(constraint.cells):
                common &= around[cell]
            not_zero |= common
    return board.everything & ~not_zero


def opened_beside(cells: int, zeros: int, around: Sequence[int]) -> int:
    """The cells (a set) that may open when `cells` do, `zeros` being all that can be zeros."""
    reached = 0
    ahead = cells & zeros
    while ahead:
        done = ahead
        for cell in bits(ahead):
            reached |= around[cell]
        zeros &= ~done
        ahead = reached & zeros
    return reached
