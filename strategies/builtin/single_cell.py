"""Saturated constraints: one constraint decides all of its cells.

Inference Rules, 5.1, the fundamental clue rule, with saturation (N = |P|, or N = 0); MySweeper rules, rule 1
(all mines found: the rest is empty) and rule 2 (as many cells as mines); Deduction functions,
`first_order_deduct` with `coords_to_check` (here: `changed`). The mine total is treated like a clue.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.logic import Constraint, Deduction, Knowledge, ProofStep
from strategies.hookspecs import hookimpl

NAME = "single-cell"
ALL_SAFE = "all its mines are known"
ALL_MINES = "as many mines as cells are left"


@hookimpl
def deduce(knowledge: Knowledge, changed: int) -> Iterator[Deduction]:
    """Yield the cells of saturated constraints, and of constraints that these cells saturate.

    Proceeds in waves: each wave uses the results of all earlier waves, which keeps the proofs short.
    """
    true = false = 0  # cells derived in earlier waves
    mines: list[Constraint] = []  # the constraints that state these cells
    safe: list[Constraint] = []
    waiting = [
        c
        for c in knowledge.constraints
        if (c[2] <= 0 or c[1] >= c[0].bit_count()) and (c[0] & changed or c[4])
    ]
    while waiting:
        known, new, fresh_true, fresh_false = true | false, 0, 0, 0
        found: list[Deduction] = []
        for constraint in waiting:
            cells, low, high, _, _ = constraint
            left = cells & ~known
            if not left & ~new:
                continue
            count = (cells & true).bit_count()
            if high <= count:
                because = _about(cells & true, mines) if count else ()
                found.append(Deduction(Constraint(left, 0, 0), ProofStep(ALL_SAFE, (*because, constraint))))
                fresh_false |= left
            elif low - count >= (size := left.bit_count()):
                ruled_out = cells & false
                because = _about(ruled_out, safe) if ruled_out else ()
                found.append(
                    Deduction(Constraint(left, size, size), ProofStep(ALL_MINES, (*because, constraint)))
                )
                fresh_true |= left
            else:
                continue
            new |= left
            yield found[-1]
        true, false = true | fresh_true, false | fresh_false
        known |= new
        waiting = [c for c in knowledge.constraints if c[0] & new and c[0] & ~known] if new else []
        for deduction in found if waiting else ():
            (mines if deduction.constraint.low else safe).append(deduction.constraint)


def _about(cells: int, derived: list[Constraint]) -> Iterable[Constraint]:
    """The derived constraints on any of these cells, once each, ordered by the first of these cells."""
    own = [c for c in derived if c[0] & cells]
    return dict.fromkeys(sorted(own, key=lambda c: (c[0] & cells) & -(c[0] & cells)))
