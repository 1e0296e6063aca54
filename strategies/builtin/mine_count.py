"""Mine total: subtract disjoint clues from it, and decide the remaining cells if nothing is left to choose.

MySweeper rules, rule 6 (announced there, with Rusin's "one more simultaneous linear equation"); Deduction
functions, `first_order_deduct` step 5: all mines placed, so the rest is safe.

Two families of disjoint clues are built greedily, one with a high and one with a low mine density; `packing`
searches for the best family.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.logic import Constraint, Deduction, Knowledge, Linear
from strategies.hookspecs import hookimpl
from strategies.probability.risks import can_be_certain

NAME = "mine-count"
RULE = "the mine total leaves nothing else for the cells beside these clues"


@hookimpl
def deduce(knowledge: Knowledge) -> Iterator[Deduction]:
    """Yield cells that are all safe or all mines because of a total and disjoint constraints."""
    if not can_be_certain(knowledge):
        return
    totals = [c for c in knowledge.constraints if c.is_global]
    local = [c for c in knowledge.constraints if not c.is_global]
    for total in totals:
        inside = [c for c in local if not c.cells & ~total.cells]
        if _may_run_out(total, inside):
            yield from _remaining_cells(total, inside)


def _may_run_out(total: Constraint, local: list[Constraint]) -> bool:
    """Quickly exclude that disjoint constraints use up all mines, or leave only mines."""
    return total.high <= sum(c.low for c in local) or (
        total.low >= total.size - sum(c.size - c.high for c in local)
    )


def _remaining_cells(total: Constraint, local: list[Constraint]) -> Iterator[Deduction]:
    """Subtract disjoint constraints from the total until the rest has no mines, or only mines."""
    holding_most = sorted(local, key=lambda c: (-c.low / c.size, -c.low, c.cells))
    holding_least = sorted(local, key=lambda c: (c.high - c.size, c.high, c.cells))
    for order in (holding_most, holding_least):
        family = _disjoint(order)
        rest = total.cells & ~sum(c.cells for c in family)
        least = total.low - sum(c.high for c in family)
        most = total.high - sum(c.low for c in family)
        if rest and (most <= 0 or least >= rest.bit_count()):
            low, high = max(least, 0), min(most, rest.bit_count())
            multipliers = (1,) + (-1,) * len(family)
            yield Deduction.bounds(rest, low, high, (total, *family), RULE, Linear(multipliers))


def _disjoint(constraints: list[Constraint]) -> list[Constraint]:
    taken = 0
    family = []
    for constraint in constraints:
        if not constraint.cells & taken:
            taken |= constraint.cells
            family.append(constraint)
    return family
