"""A supposition followed to its contradiction, with the steps that lead there and no others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.logic.bits import bits
from games.logic.constraint import Constraint
from games.logic.proof import Split


@dataclass(frozen=True, slots=True)
class Forced:
    """By the constraint in this place, these cells (a set) must be as said."""

    place: int
    cells: int
    is_true: bool


@dataclass(frozen=True, slots=True)
class Failure:
    """What follows one after the other, and the place of the constraint that cannot be satisfied then.

    `room` says that too few cells are left to it; otherwise too many are true. In a case that is split,
    `cases` are the cell and how it fails when it is true, and when it is false.
    """

    steps: tuple[Forced, ...]
    place: int = -1
    room: bool = False
    cases: tuple[int, Failure, Failure] | None = None

    @property
    def ends(self) -> list[int]:
        """The places of the constraints in which its cases end, one for each case."""
        return [self.place] if self.cases is None else [*self.cases[1].ends, *self.cases[2].ends]

    @property
    def split_cells(self) -> int:
        """The cells (a set) whose cases are told apart."""
        if self.cases is None:
            return 0
        cell, if_true, if_false = self.cases
        return 1 << cell | if_true.split_cells | if_false.split_cells


def follow(constraints: Sequence[Constraint], split: Split | None) -> Failure | None:
    """How counting in the constraints, and the cases of the split, fail; None when they do not."""
    found = _follow(constraints, split, 0, 0, [])
    return None if found is None else found[0]


def _follow(
    constraints: Sequence[Constraint], split: Split | None, true: int, false: int, before: list[Forced]
) -> tuple[Failure, set[int]] | None:
    """The failure, and which of all steps (those `before` come first) it rests on."""
    steps = list(before)
    grew = True
    while grew:
        grew = False
        for place, constraint in enumerate(constraints):
            found = (constraint.cells & true).bit_count()
            free = constraint.cells & ~(true | false)
            room = found + free.bit_count()
            if found > constraint.high or room < constraint.low:
                too_few = found <= constraint.high
                used = _rests_on(constraints, steps, constraint.cells, not too_few)
                return Failure(_kept(steps, used, len(before)), place, too_few), used
            if free and found == constraint.high:
                false |= free
            elif free and room == constraint.low:
                true |= free
            else:
                continue
            steps.append(Forced(place, free, bool(free & true)))
            grew = True
    if split is None:
        return None
    cell = 1 << split.cell
    cases = []
    for is_true, deeper in ((True, split.if_true), (False, split.if_false)):
        known = (true if is_true else false) | cell
        case = _follow(constraints, deeper, *((known, false) if is_true else (true, known)), steps)
        if case is None:
            return None
        cases.append(case)
    used = cases[0][1] | cases[1][1]
    failure = Failure(_kept(steps, used, len(before)), cases=(split.cell, cases[0][0], cases[1][0]))
    return failure, used


def _kept(steps: list[Forced], used: set[int], begin: int) -> tuple[Forced, ...]:
    return tuple(steps[place] for place in sorted(used) if begin <= place < len(steps))


def _rests_on(constraints: Sequence[Constraint], steps: list[Forced], cells: int, is_true: bool) -> set[int]:
    """The steps that what these cells are (all true, or all false) rests on."""
    needed = {is_true: cells, not is_true: 0}
    used = set()
    for place in range(len(steps) - 1, -1, -1):
        step = steps[place]
        if step.cells & needed[step.is_true]:
            used.add(place)
            needed[not step.is_true] |= constraints[step.place].cells
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
