"""Simultaneous linear equations: exact Gauss-Jordan elimination over the integers.

MySweeper rules, rule 5 ("a set of simultaneous linear equations", announced there after Rusin and not
implemented): the clues of a component are combined until cells drop out. Each row states that a weighted sum
of cells has a value, or a value in a range. If that value is the minimum or maximum of the sum, all cells of
the row are decided. Rows stay integer: they are multiplied up, then divided by the common divisor. MySweeper
rules, rule 6: the mine total is one more equation, used if few cells are left, because only then such a row
is tight enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import gcd

from games.logic import Constraint, Deduction, Knowledge, Linear, affected_components, bits, cell_set
from strategies.hookspecs import hookimpl
from strategies.probability.risks import can_be_certain


@dataclass(frozen=True, slots=True)
class EquationRow:
    """A linear combination of constraints: `multipliers[p]` times constraint p.

    `coefficients` are the non-zero coefficients of the cells.
    """

    coefficients: dict[int, int]
    multipliers: dict[int, int]

    def bounds(self, constraints: Sequence[Constraint]) -> tuple[int, int]:
        """Return the minimum and maximum of the sum that the constraints allow."""
        low = high = 0
        for place, number in self.multipliers.items():
            constraint = constraints[place]
            if number > 0:
                low += number * constraint.low
                high += number * constraint.high
            else:
                low += number * constraint.high
                high += number * constraint.low
        return low, high

    def eliminate(self, cell: int, pivot: EquationRow) -> EquationRow:
        """Return this row minus a multiple of the pivot row, without this cell."""
        own, theirs = self.coefficients[cell], pivot.coefficients[cell]
        shared = gcd(own, theirs) if theirs > 0 else -gcd(own, theirs)
        times, off = theirs // shared, own // shared
        coefficients = _difference(self.coefficients, times, pivot.coefficients, off)
        multipliers = _difference(self.multipliers, times, pivot.multipliers, off)
        if times > 1:
            divisor = gcd(*coefficients.values(), *multipliers.values())
            if divisor > 1:
                coefficients = {k: number // divisor for k, number in coefficients.items()}
                multipliers = {p: number // divisor for p, number in multipliers.items()}
        return EquationRow(coefficients, multipliers)


def _difference(first: dict[int, int], times: int, second: dict[int, int], off: int) -> dict[int, int]:
    result = {k: times * number for k, number in first.items()} if times != 1 else dict(first)
    for k, number in second.items():
        left = result.get(k, 0) - off * number
        if left:
            result[k] = left
        else:
            result.pop(k, None)
    return result


class IntegerElimination:
    """Gauss-Jordan elimination: each row has a pivot, a cell that no other row contains.

    A cell that the equations determine ends in a row of its own, whatever the pivots are. Pivots are cells
    of many constraints, so the rows keep cells of few constraints.
    """

    def __init__(self, constraints: Sequence[Constraint]) -> None:
        self.constraints = constraints
        self.pivots: dict[int, EquationRow] = {}
        self._uses: dict[int, int] = {}
        self._rows = [list(bits(constraint.cells)) for constraint in constraints]
        for cells in self._rows:
            for k in cells:
                self._uses[k] = self._uses.get(k, 0) + 1

    def rows(self) -> Iterator[EquationRow]:
        """Yield every combined row that the elimination produces."""
        for place, cells in enumerate(self._rows):
            yield from self.add(EquationRow(dict.fromkeys(cells, 1), {place: 1}))

    def add(self, row: EquationRow) -> Iterator[EquationRow]:
        """Reduce a row by the pivot rows, then add it to them."""
        for cell in [k for k in row.coefficients if k in self.pivots]:
            row = row.eliminate(cell, self.pivots[cell])
            yield row
        if not row.coefficients:
            return
        uses = self._uses
        pivot = min(row.coefficients, key=lambda k: (abs(row.coefficients[k]), -uses[k], k))
        for cell, other in self.pivots.items():
            if pivot in other.coefficients:
                self.pivots[cell] = shorter = other.eliminate(pivot, row)
                yield shorter
        self.pivots[pivot] = row


NAME = "linear"
RULE = "these clues, added and subtracted, leave nothing to choose"
MAX_TOTAL_CELLS = 60  # cells of a total that is used as an equation


@hookimpl
def deduce(knowledge: Knowledge, changed: int) -> Iterator[Deduction]:
    """Yield the cells that a row of the elimination forces, in changed components."""
    if not changed or not can_be_certain(knowledge):
        return
    stated = knowledge.stated
    totals = [c for c in stated if c.is_global and c.size <= MAX_TOTAL_CELLS]
    local = [c for c in stated if not c.is_global]
    if not totals:
        local = affected_components(local, changed)
    # exact constraints first: they become the pivots, and few rows contain ranges
    rows = sorted(local, key=lambda c: not c.is_exact) + totals
    reported = 0
    for row in IntegerElimination(rows).rows():
        for deduction in _forced(row, rows):
            if deduction.constraint.is_impossible or deduction.constraint.cells & ~reported:
                reported |= deduction.constraint.cells
                yield deduction


def _forced(row: EquationRow, constraints: Sequence[Constraint]) -> Iterator[Deduction]:
    """Yield both halves (positive, negative) of a row whose sum must be at its maximum or minimum."""
    greatest = sum(number for number in row.coefficients.values() if number > 0)
    least = sum(number for number in row.coefficients.values() if number < 0)
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
        if excess:  # the extreme value is not enough: the clues contradict each other
            claim = (size + excess, size) if must else (0, -excess)
        else:
            claim = (size, size) if must else (0, 0)
        yield Deduction.bounds(cells, *claim, premises, RULE, method)
