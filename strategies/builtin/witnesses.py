"""A cell for which no layout can be shown both ways is certain: layouts are looked for one at a time.

`backtracking` counts all layouts, which takes clues that tie only few cells together at a time. Where each
constraint meets most others (a sheet of hands and cards, say), this asks only whether one layout has the cell
true, and whether one has it false; most layouts answer for many cells. Complete below its caps, on any
constraints. Not in the default order: on boards `backtracking` finds the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.logic import Constraint, Deduction, Knowledge, affected_components, bits, connected_components
from strategies.hookspecs import hookimpl
from strategies.search.model_finder import ModelFinder
from strategies.search.solver import refute

NAME = "witnesses"
NO_OTHER = "no layout of these clues has it otherwise"
NO_LAYOUT = "no layout satisfies these clues"
MOST_CASES = 4_000  # splits in one proof


@hookimpl
def deduce(knowledge: Knowledge, changed: int) -> Iterator[Deduction]:
    """Every cell that no layout has true, or none has false, group by group where something is new."""
    stated = knowledge.stated
    if not any(c.is_global for c in stated):
        stated = tuple(affected_components(stated, changed))
    for group in connected_components(stated):
        yield from _decided(tuple(group))


def _decided(group: tuple[Constraint, ...]) -> Iterator[Deduction]:
    """What one group of constraints decides."""
    models = ModelFinder(group)
    first = models.find()
    if first.layout is None:
        shown = refute(group, Constraint(0, 0, 0), MOST_CASES) if first.is_known else None
        if shown is not None:
            yield Deduction.bounds(0, 1, 0, shown.premises, NO_LAYOUT, shown.method)
        return
    for k in bits(models.cells):
        cell = 1 << k
        for is_true in (False, True):  # whether it is shown to be true by there being nothing else
            ever = models.ever_false if is_true else models.ever_true
            if ever & cell:
                continue
            found = models.find(false=cell) if is_true else models.find(true=cell)
            if found.layout is not None or not found.is_known:
                continue
            make = Deduction.true if is_true else Deduction.false
            opposite = Constraint(cell, 0, 0) if is_true else Constraint(cell, 1, 1)
            shown = refute(group, opposite, MOST_CASES)
            if shown is not None:
                yield make(cell, shown.premises, NO_OTHER, shown.method)
