"""The total as one more constraint: what is left for the other cells when clues have taken their share.

MySweeper rules, rule 6 (announced there, with Rusin's "one more simultaneous linear equation"); Deduction
functions, `first_order_deduct` step 5: all mines placed, so the rest is safe.

Clues that share no cell are taken off the total together. Two such families are tried, one that holds many
mines for its cells and one that holds few, grown clue by clue; for the very best family see `packing`.
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
    """Cells that must all be safe, or all be mines, because of a total and constraints that share no cell."""
    if not can_be_certain(knowledge):
        return
    totals = [c for c in knowledge.constraints if c.is_global]
    local = [c for c in knowledge.constraints if not c.is_global]
    for total in totals:
        inside = [c for c in local if not c.cells & ~total.cells]
        if _may_run_out(total, inside):
            yield from _nothing_left(total, inside)


def _may_run_out(total: Constraint, local: list[Constraint]) -> bool:
    """Whether disjoint ones of these might use up all mines, or leave only mines: a quick no."""
    return total.high <= sum(c.low for c in local) or (
        total.low >= total.size - sum(c.size - c.high for c in local)
    )


def _nothing_left(total: Constraint, local: list[Constraint]) -> Iterator[Deduction]:
    """Take disjoint constraints off the total, so that the rest runs out of mines, or out of cells."""
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
    """Those that share no cell with an earlier one."""
    taken = 0
    family = []
    for constraint in constraints:
        if not constraint.cells & taken:
            taken |= constraint.cells
            family.append(constraint)
    return family
