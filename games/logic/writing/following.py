"""A refutation followed step by step: what leads to its conflict, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.logic.bits import bits
from games.logic.constraint import Constraint
from games.logic.proof import Split
from games.logic.propagation import Forced, Problem, propagate


@dataclass(frozen=True, slots=True)
class Failure:
    """What follows one after the other, and the place of the constraint that cannot be satisfied then.

    `too_few` says that too few cells are left to it; otherwise too many are true. In a case that is split,
    `cases` are the cell and how it fails when it is true, and when it is false.
    """

    steps: tuple[Forced, ...]
    place: int = -1
    too_few: bool = False
    cases: tuple[int, Failure, Failure] | None = None

    @property
    def ends(self) -> list[int]:
        """The places of the constraints in which its cases end, one for each case."""
        return [self.place] if self.cases is None else [*self.cases[1].ends, *self.cases[2].ends]

    @property
    def split_cells(self) -> int:
        """The cells (a set) that are split into cases."""
        if self.cases is None:
            return 0
        cell, if_true, if_false = self.cases
        return 1 << cell | if_true.split_cells | if_false.split_cells


def follow(constraints: Sequence[Constraint], split: Split | None) -> Failure | None:
    """How propagation, and the cases of the split, fail; None when they do not."""
    found = _follow(Problem.as_numbered(constraints), split, 0, 0, [])
    return None if found is None else found[0]


def _follow(
    problem: Problem, split: Split | None, true: int, false: int, before: Sequence[Forced]
) -> tuple[Failure, set[int]] | None:
    """The failure, and which of all steps (those `before` come first) it rests on."""
    steps = list(before)
    true, false, conflict = propagate(problem, true, false, trail=steps)
    if conflict is not None:
        used = _rests_on(steps, conflict.cause)
        return Failure(_kept(steps, used, len(before)), conflict.place, conflict.too_few), used
    if split is None:
        return None
    cell = 1 << split.cell
    if_true = _follow(problem, split.if_true, true | cell, false & ~cell, steps)
    if_false = _follow(problem, split.if_false, true & ~cell, false | cell, steps)
    if if_true is None or if_false is None:
        return None
    used = if_true[1] | if_false[1]
    failure = Failure(_kept(steps, used, len(before)), cases=(split.cell, if_true[0], if_false[0]))
    return failure, used


def _kept(steps: Sequence[Forced], used: set[int], begin: int) -> tuple[Forced, ...]:
    return tuple(steps[place] for place in sorted(used) if begin <= place < len(steps))


def _rests_on(steps: Sequence[Forced], cells: int) -> set[int]:
    """The steps that what these cells are rests on."""
    used = set()
    for number in range(len(steps) - 1, -1, -1):
        if steps[number].cells & cells:
            used.add(number)
            cells = cells & ~steps[number].cells | steps[number].cause
    return used


def opposites(claim: Constraint) -> list[Constraint]:
    """What must be refuted for a claim to hold: too few, too many."""
    found = []
    if claim.low > 0:
        found.append(Constraint(claim.cells, 0, claim.low - 1))
    if claim.high < claim.size:
        found.append(Constraint(claim.cells, claim.high + 1, claim.size))
    return found


def single_opposites(claim: Constraint) -> list[Constraint]:
    """The same for a saturated claim, cell by cell."""
    wrong = 0 if claim.all_true else 1
    return [Constraint(1 << k, wrong, wrong) for k in bits(claim.cells)]
