"""Rules for pairs of overlapping constraints A and B.

If A is a subset of B, a constraint on B - A follows (Inference Rules, 5.2, containment reduction; MySweeper
rules, rule 3 is its saturated case). If B has as many mines beyond the maximum of A as cells outside A, these
are mines (Inference Rules, 5.3, residual saturation, with lemma 5.3.1, the intersection bound; MySweeper
rules, rule 4, first half), and the cells of A outside B are safe (rule 4, second half). The rules apply to
bounds as well as to exact numbers.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.logic import Constraint, Deduction, Knowledge, Linear, union_cells
from strategies.hookspecs import hookimpl

NAME = "set-rules"
CONTAINMENT = "one clue's cells lie inside another's"
RESIDUAL = "two clues share cells"
MAX_DERIVED = 3  # constraints per given constraint


@hookimpl
def deduce(knowledge: Knowledge, changed: int) -> Iterator[Deduction]:
    """Yield what follows from overlapping constraints of which at least one is new."""
    local = [c for c in knowledge.constraints if not c.is_global]
    new = [c for c in local if c.cells & changed]
    changed_cells = union_cells(new)
    near = [c for c in local if c.cells & changed_cells]
    known: dict[int, list[Constraint]] = {}
    for constraint in near:
        known.setdefault(constraint.cells, []).append(constraint)
    room = MAX_DERIVED * len(knowledge.given) - len(local)
    for a, b in _pairs(new, near):
        for deduction in _from_pair(a, b):
            found = deduction.constraint
            if any(found.low <= c.low and found.high >= c.high for c in known.get(found.cells, ())):
                continue
            if not (found.all_true or found.all_false):
                if room <= 0:
                    continue
                room -= 1
            known.setdefault(found.cells, []).append(found)
            yield deduction


def _pairs(new: list[Constraint], near: list[Constraint]) -> Iterator[tuple[Constraint, Constraint]]:
    """Yield each overlapping pair with a new constraint once."""
    done: set[int] = set()
    for constraint in new:
        done.add(id(constraint))
        cells = constraint.cells
        for other in near:
            if cells & other.cells and id(other) not in done:
                yield constraint, other


def _from_pair(a: Constraint, b: Constraint) -> Iterator[Deduction]:
    """Yield what A and B imply for the cells of only one of them, or for their identical cells."""
    only_a, only_b = a.cells & ~b.cells, b.cells & ~a.cells
    if not only_a and not only_b:
        # identical cells: combine the tighter bounds, unless one constraint already has both
        low, high = max(a.low, b.low), min(a.high, b.high)
        if (low, high) not in ((a.low, a.high), (b.low, b.high)):
            yield Deduction.bounds(a.cells, low, high, (a, b), CONTAINMENT)
        return
    for first, second, own, other in ((a, b, only_b, only_a), (b, a, only_a, only_b)):
        if not own:
            continue
        # second = own + shared, first = other + shared: so own = second - first + other
        low = max(0, second.low - first.high)
        high = min(own.bit_count(), second.high - first.low + other.bit_count())
        saturated = low >= own.bit_count() or high <= 0
        if saturated or (not other and (low > 0 or high < own.bit_count())):
            rule = RESIDUAL if other else CONTAINMENT
            yield Deduction.bounds(own, low, high, (first, second), rule, Linear((-1, 1)))
