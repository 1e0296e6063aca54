"""Positions for tests of reasoning: constraints as text, kernel input, risks compared with all layouts."""

from __future__ import annotations

from math import fsum

import pytest

from games.logic import Constraint, Knowledge, bits, union_cells
from games.minesweeper import Board
from strategies.probability.counts import PRIOR_ODDS
from strategies.probability.kernel_input import KernelInput
from strategies.probability.risks import MineProbabilities
from strategies.testing import all_models, position_of


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


def check_risks(found: MineProbabilities, known: Knowledge, counted: int, rounds_ones: bool = False) -> int:
    """Compare with every layout; return the number of compared cells.

    `counted` are the cells that can be mines without a total. With `rounds_ones`, the risk of a certain mine
    may have a rounding error.
    """
    has_total = any(c.is_global for c in known.given)
    odds = 1.0 if has_total else PRIOR_ODDS
    likely = {layout: odds ** (layout & counted).bit_count() for layout in all_models(known)}
    whole = fsum(likely.values())
    cells = known.undecided & (counted | union_cells(known.constraints))
    for k in bits(cells):
        truth = fsum(weight for layout, weight in likely.items() if layout >> k & 1) / whole
        assert found.of(k) == pytest.approx(truth, abs=1e-12)
        assert (found.of(k) == 0) == (truth == 0)
        assert rounds_ones or (found.of(k) == 1) == (truth == 1)
    assert found.estimated == 0
    return cells.bit_count()
