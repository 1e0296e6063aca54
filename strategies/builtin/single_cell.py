"""One constraint at a time: a saturated one says what its cells are.

Inference Rules, 5.1, the fundamental clue rule, with saturation (N = |P|, or N = 0); MySweeper rules, rule 1
(all mines found: the rest is empty) and rule 2 (as many cells as mines); Deduction functions,
`first_order_deduct` with `coords_to_check`, which is `changed` here. The mine total is a constraint like the
others.
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
    shown = 0  # in this call: what several constraints show is said once
    for constraint in knowledge.constraints:
        cells = constraint.cells
        if not cells & ~shown or not (cells & changed or constraint.is_global):
            continue
        if constraint.all_false:
            shown |= cells
            yield Deduction.false(cells, (constraint,), ALL_SAFE)
        elif constraint.all_true:
            shown |= cells
            yield Deduction.true(cells, (constraint,), ALL_MINES)
