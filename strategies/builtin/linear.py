"""Simultaneous linear equations: rows of an exact elimination that leave nothing to choose.

MySweeper rules, rule 5 ("a set of simultaneous linear equations", announced there after Rusin and not built):
the clues of a component are eliminated over the whole numbers. A row says that a weighted sum of cells has a
value; where that is the least or the greatest that the sum can have, all its cells are decided. MySweeper
rules, rule 6: the mine total is one more equation, tried where few cells are left, since only there a row
with it is so tight.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.logic import Constraint, Deduction, Knowledge, Linear, cell_set, reached
from strategies.guessing import may_be_certain
from strategies.hookspecs import hookimpl
from strategies.search import Elimination, Row

NAME = "linear"
RULE = "these clues, added and subtracted, leave nothing to choose"
MOST_WITH_TOTAL = 60  # cells that a total may count to be one more equation


@hookimpl
def deduce(knowledge: Knowledge, changed: int) -> Iterator[Deduction]:
    """Cells that a row of the elimination forces, in the components where something is new."""
    if not changed or not may_be_certain(knowledge):
        return
    stated = knowledge.stated
    totals = [c for c in stated if c.is_global and c.size <= MOST_WITH_TOTAL]
    local = [c for c in stated if not c.is_global]
    if not totals:
        local = reached(local, changed)
    # exact ones first: they become the pivots, and a range is only added up where it must be
    rows = sorted(local, key=lambda c: not c.is_exact) + totals
    shown = 0
    for row in Elimination(rows).rows():
        for deduction in _forced(row, rows):
            if deduction.constraint.is_impossible or deduction.constraint.cells & ~shown:
                shown |= deduction.constraint.cells
                yield deduction


def _forced(row: Row, constraints: Sequence[Constraint]) -> Iterator[Deduction]:
    """Both halves of a row whose sum must be as great, or as small, as it can be."""
    greatest = least = 0
    for number in row.coefficients.values():
        if number > 0:
            greatest += number
        else:
            least += number
    low, high = row.bounds(constraints)
    if low < greatest and high > least:
        return
    plus = cell_set(k for k, number in row.coefficients.items() if number > 0)
    minus = cell_set(k for k, number in row.coefficients.items() if number < 0)
    premises = tuple(constraints[place] for place in row.multipliers)
    signs = (1, -1) if low >= greatest else (-1, 1)
    excess = low - greatest if low >= greatest else least - high
    for cells, sign in ((plus, 1), (minus, -1)):
        if not cells and not excess:
            continue
        method = Linear(tuple(sign * number for number in row.multipliers.values()))
        must, size = sign == signs[0], cells.bit_count()
        if excess:  # not even then: the clues contradict each other
            claim = (size + excess, size) if must else (0, -excess)
        else:
            claim = (size, size) if must else (0, 0)
        yield Deduction.bounds(cells, *claim, premises, RULE, method)
