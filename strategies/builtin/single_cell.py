"""One constraint at a time: a saturated one says what its cells are.

Seed 1, rule 5.1 with saturation (N = |P|, or N = 0); seed 2, rules 1 and 2; seed 4, `first_order_deduct`
with `coords_to_check`, which is `changed` here. The mine total is a constraint like the others.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.logic import Deduction, Knowledge
from strategies.hookspecs import hookimpl

NAME = "single-cell"
ALL_SAFE = "all its mines are known"
ALL_MINES = "as many mines as cells are left"


@hookimpl
def deduce(knowledge: Knowledge, changed: int) -> Iterator[Deduction]:
    """All cells of a constraint with nothing left to choose."""
    for constraint in knowledge.constraints:
        if not (constraint.cells & changed or constraint.is_global):
            continue
        if constraint.all_false:
            yield Deduction.false(constraint.cells, (constraint,), ALL_SAFE)
        elif constraint.all_true:
            yield Deduction.true(constraint.cells, (constraint,), ALL_MINES)
