"""A cell is supposed a mine, then safe; when only one can be, it is decided (Deduction functions).

`strategies/search/legality.py` has its functions. Not in the default order: `backtracking` finds the same
cells and those next to no clue, and counts layouts instead of trying every cell twice.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.logic import Constraint, Deduction, Knowledge, reached
from strategies.hookspecs import hookimpl
from strategies.search import Legality, State, refute

NAME = "supposing"
ONLY_WAY = "supposed the other way, no layout is left"
ILLEGAL = "supposed either way, no layout is left"
MOST_CASES = 4_000  # splits in one proof


@hookimpl
def deduce(knowledge: Knowledge, changed: int) -> Iterator[Deduction]:
    """What `update_deduct` decides in the components where something is new."""
    stated = knowledge.stated
    totals = tuple(c for c in stated if c.is_global)
    near = tuple(c for c in stated if not c.is_global)
    if not totals:
        near = tuple(reached(near, changed))
    premises = (*near, *totals)
    state = State(premises)
    _, to_open, to_mark = state.update_deduct()
    for cells, is_mine in ((to_open, 0), (to_mark, 1)):
        make = Deduction.true if is_mine else Deduction.false
        for k in cells:
            shown = refute(premises, Constraint(1 << k, 1 - is_mine, 1 - is_mine), MOST_CASES)
            if shown is not None:
                yield make(1 << k, shown.premises, ONLY_WAY, shown.method)
    if not to_open and not to_mark and state.is_legal() is not Legality.LEGAL:
        shown = refute(premises, Constraint(0, 0, 0), MOST_CASES)
        if shown is not None:
            yield Deduction.bounds(0, 1, 0, shown.premises, ILLEGAL, shown.method)
