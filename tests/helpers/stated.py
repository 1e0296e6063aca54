"""Positions as text: constraints without a board, and the kernels' view of a board."""

from __future__ import annotations

from games.logic import Constraint, Knowledge
from games.minesweeper import Board
from strategies.probability.kernel_input import KernelInput
from strategies.testing import position_of


def stated(*texts: str, cells: int = 12, total: str = "") -> Knowledge:
    """Constraints such as `2:0,1,5` on cells below `cells`, with the sources A, B, C …; `total` is global."""
    given = [Constraint.parse(text)._replace(source=chr(ord("A") + k)) for k, text in enumerate(texts)]
    if total:
        given.append(Constraint.parse(total)._replace(source="total", is_global=True))
    return Knowledge.of((1 << cells) - 1, given)


def kernel_input(board: Board, known: Knowledge | None = None) -> KernelInput:
    """A board, or further knowledge of it, as arrays for the kernels."""
    position = position_of(board, known)
    return KernelInput.of(position.knowledge, board.everything, position.openable, position.counts)
