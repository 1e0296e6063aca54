"""Risks on a board that a variant's rule ties together, so that no part of it can be counted on its own."""

from __future__ import annotations

from games.logic import Knowledge, all_layouts
from strategies.counting.census import take_census, total_of
from strategies.counting.joining import Risks, risks

MOST_STEPS = 200_000  # from one state to the next, when a whole board is counted for a guess: half a second


def tied_risks(knowledge: Knowledge, counted: int, cap: int = MOST_STEPS) -> Risks:
    """The probability of a mine for every undecided cell of such a board.

    Where the total is known, the whole board is counted cell by cell. When that takes more than `cap` steps,
    the rule is only looked at beside the clues, and all is an estimate (`Risks.estimated`). `counted` is the
    set of the cells that can hold mines, where no total says so.
    """
    if total_of(knowledge) is not None:
        layouts = all_layouts(knowledge.stated, cap, exact=True)
        if layouts is not None and layouts.count:
            return Risks({k: true / layouts.count for k, true in layouts.trues().items()}, 0, 0.0)
    found = risks(take_census(beside_clues(knowledge), counted))
    return Risks(found.by_cell, found.rest, found.elsewhere, knowledge.undecided)


def beside_clues(knowledge: Knowledge) -> Knowledge:
    """The undecided cells with only those bounds that lie wholly among the cells of exact constraints."""
    exact = 0
    for constraint in knowledge.stated:
        if constraint.is_exact and not constraint.is_global:
            exact |= constraint.cells
    kept = [c for c in knowledge.stated if c.is_exact or c.is_global or not c.cells & ~exact]
    return Knowledge.of(knowledge.undecided, kept)
