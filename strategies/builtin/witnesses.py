"""Search for a model with each cell true and one with it false; a cell without one of them is certain.

`backtracking` counts all layouts, which requires constraints that overlap with few others. If most of them
overlap (in Clue, for example), this strategy needs only two models per cell, and most models serve many
cells. Complete below its caps, for any constraints. Not in the default order, because `backtracking` finds
the same on boards.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.logic import Constraint, Deduction, Knowledge, affected_components, bits, connected_components
from strategies.hookspecs import hookimpl
from strategies.search.model_finder import ModelFinder
from strategies.search.solver import prove_cells, prove_contradiction

NAME = "witnesses"
NO_OTHER = "no layout of these clues has it otherwise"
NO_LAYOUT = "no layout satisfies these clues"
MAX_CASES = 4_000  # splits in one proof


@hookimpl
def deduce(knowledge: Knowledge, changed: int) -> Iterator[Deduction]:
    """Yield every cell with the same value in all models, for each changed group."""
    stated = knowledge.stated
    if not any(c.is_global for c in stated):
        stated = tuple(affected_components(stated, changed))
    for group in connected_components(stated):
        yield from _decided(tuple(group))


def _decided(group: tuple[Constraint, ...]) -> Iterator[Deduction]:
    models = ModelFinder(group)
    first = models.find()
    if first.layout is None:
        if first.is_known:
            yield from prove_contradiction(group, NO_LAYOUT, MAX_CASES)
        return
    for k in bits(models.cells):
        cell = 1 << k
        for is_true in (False, True):  # the value to prove, by the absence of a model with the other one
            ever = models.ever_false if is_true else models.ever_true
            if ever & cell:
                continue
            found = models.find(false=cell) if is_true else models.find(true=cell)
            if found.layout is None and found.is_known:
                yield from prove_cells(group, cell, is_true, NO_OTHER, MAX_CASES)
