"""Two constraints at a time: what the cells they share, and those they do not, must hold.

For constraints A and B: if A is inside B then B - A follows (Inference Rules, 5.2, containment reduction;
MySweeper rules, rule 3 is its saturated case). If the mines of B that A cannot hold are as many as the cells
of B outside A, these are mines (Inference Rules, 5.3, residual saturation, with lemma 5.3.1, the intersection
bound: the part they share holds no more than either; MySweeper rules, rule 4, first half), and the cells of A
outside B are safe (the second half of rule 4). All of it holds for bounds as well as for exact numbers.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.logic import Constraint, Deduction, Knowledge, Linear
from strategies.hookspecs import hookimpl

NAME = "set-rules"
CONTAINMENT = "one clue's cells lie inside another's"
RESIDUAL = "two clues share cells"
MOST_DERIVED = 3  # times as many constraints as the game states: more than that are not derived


@hookimpl
def deduce(knowledge: Knowledge, changed: int) -> Iterator[Deduction]:
    """What follows from pairs of overlapping constraints of which one is new."""
    local = [c for c in knowledge.constraints if not c.is_global]
    new = [c for c in local if c.cells & changed]
    reach = 0
    for constraint in new:
        reach |= constraint.cells
    beside = [c for c in local if c.cells & reach]
    said: dict[int, list[Constraint]] = {}
    for constraint in beside:
        said.setdefault(constraint.cells, []).append(constraint)
    room = MOST_DERIVED * len(knowledge.given) - len(local)
    for a, b in _pairs(new, beside):
        for deduction in _from_pair(a, b):
            found = deduction.constraint
            if any(found.low <= c.low and found.high >= c.high for c in said.get(found.cells, ())):
                continue
            if not (found.all_true or found.all_false):
                if room <= 0:
                    continue
                room -= 1
            said.setdefault(found.cells, []).append(found)
            yield deduction


def _pairs(new: list[Constraint], beside: list[Constraint]) -> Iterator[tuple[Constraint, Constraint]]:
    """Each pair with a cell in common of which one is new, once."""
    done: set[int] = set()
    for constraint in new:
        done.add(id(constraint))
        cells = constraint.cells
        for other in beside:
            if cells & other.cells and id(other) not in done:
                yield constraint, other


def _from_pair(a: Constraint, b: Constraint) -> Iterator[Deduction]:
    """What A and B say together about the cells of only one of them, or about the same cells."""
    only_a, only_b = a.cells & ~b.cells, b.cells & ~a.cells
    if not only_a and not only_b:
        # the same cells: the narrower of each bound, which is a sum only if both come from one of them
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
