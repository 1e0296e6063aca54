"""The search kernel: propagate, choose a cell, split into its two cases, within a number of splits.

It ends with a model (nothing can fail any more) or with a failure (every case ends in a conflict), which is
a proof: the cases that were split, and the constraints that they take. What a conflict rests on is traced
back, so that a cell that played no part in it is not split the other way (backjumping; Marques-Silva and
Sakallah, "GRASP", 1999). The cell is chosen as in Deduction functions, `recursion_deduct`: beside the
constraint with the fewest open cells. Nothing recurses, so depth is no limit.

Showing that something cannot be: its opposite is supposed, and every case ends in a conflict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.logic import (
    Constraint,
    ForcedCells,
    Propagation,
    PropagationConflict,
    PropagationProblem,
    Rule,
    Split,
    bits,
    propagate,
)


@dataclass(slots=True)
class SplitBudget:
    """How many splits are left for all that is asked together."""

    left: int

    def spend(self, splits: int) -> None:
        """Take off so many."""
        self.left = max(self.left - splits, 0)


class PartialModel(NamedTuple):
    """The cells (sets) that are true and false; whatever the others are, every constraint holds."""

    true: int
    false: int


class SplitConflict(NamedTuple):
    """Why there is no model: the split, if one is needed, the constraints (a set of places) that it takes.

    `supposed` are the cells (a set) that were taken for granted: split above, or known from the start.
    """

    split: Split | None
    rules: int
    supposed: int


class _SplitFrame(NamedTuple):
    """A cell (a set of one) that was split, what was known before, and how its first case failed."""

    cell: int
    true: int
    false: int
    mark: int  # the length of the trail before
    first: SplitConflict | None


UNWANTED = SplitConflict(None, 0, -1)  # a model that is not accepted: all that was chosen plays a part


def lowest_cell(cells: int) -> int:
    """The lowest cell of a set, as a set of one."""
    return cells & -cells


def solve(
    problem: PropagationProblem,
    budget: SplitBudget,
    known: PartialModel = PartialModel(0, 0),  # noqa: B008 - immutable
    *,
    pick: Callable[[int], int] = lowest_cell,
    first: bool = True,
    places: Iterable[int] | None = None,
    accepts: Callable[[int], bool] | None = None,
) -> PartialModel | SplitConflict | None:
    """A model that goes on from what is known, or why there is none; None when the budget is used up.

    `pick` chooses a cell (a set of one) out of a set of open cells, `first` what it is supposed to be first.
    `places` are the constraints to begin with, where only these can have changed. `accepts` may turn down a
    model by its true cells.
    """
    true, false = known
    trail: list[ForcedCells] = []
    frames: list[_SplitFrame] = []
    while True:
        true, false, conflict = propagate(problem, true, false, places, trail)
        if conflict is not None:
            failure = _traced(conflict, trail)
        elif cells := most_constrained(problem.rules, true, false):
            if not budget.left:
                return None
            budget.left -= 1
            cell = pick(cells)
            frames.append(_SplitFrame(cell, true, false, len(trail), None))
            true, false = (true | cell, false) if first else (true, false | cell)
            places = problem.touching[cell.bit_length() - 1]
            continue
        elif accepts is None or accepts(true):
            return PartialModel(true, false)
        else:
            failure = UNWANTED
        while frames:
            frame = frames.pop()
            del trail[frame.mark :]
            cell = frame.cell
            if not failure.supposed & cell:
                continue  # this case fails whatever the cell is
            if frame.first is None:
                frames.append(frame._replace(first=failure))
                true, false = (frame.true, frame.false | cell) if first else (frame.true | cell, frame.false)
                places = problem.touching[cell.bit_length() - 1]
                break
            cases = (frame.first, failure) if first else (failure, frame.first)
            failure = _joined(problem.names[cell.bit_length() - 1], cell, *cases)
        else:
            return failure


def most_constrained(rules: Sequence[Rule], true: int, false: int) -> int:
    """The open cells (a set) of the constraint with the fewest of them that can still fail; 0 if none can."""
    known = true | false
    fewest, choice = -1, 0
    for cells, low, high in rules:
        free = cells & ~known
        if not free:
            continue
        room = free.bit_count()
        if room < fewest or fewest < 0:
            found = (cells & true).bit_count()
            if found < low or found + room > high:
                fewest, choice = room, free
    return choice


def _traced(conflict: PropagationConflict, trail: Sequence[ForcedCells]) -> SplitConflict:
    """The constraints, and the cells that nothing forced, that a conflict rests on."""
    rules, needed = 1 << conflict.place, conflict.cause
    for place, cells, _, cause in reversed(trail):
        if cells & needed:
            rules |= 1 << place
            needed = needed & ~cells | cause
    return SplitConflict(None, rules, needed)


def _joined(name: int, cell: int, if_true: SplitConflict, if_false: SplitConflict) -> SplitConflict:
    """Both cases of a cell (a set of one) fail."""
    return SplitConflict(
        Split(name, if_true.split, if_false.split),
        if_true.rules | if_false.rules,
        (if_true.supposed | if_false.supposed) & ~cell,
    )


MOST_CASES = 400  # splits in one proof


@dataclass(frozen=True, slots=True)
class Refutation:
    """How it fails: the method, and the constraints that it takes, in the order given."""

    method: Propagation | Split
    premises: tuple[Constraint, ...]


def refute(
    premises: Sequence[Constraint],
    opposite: Constraint,
    cap: int = MOST_CASES,
    budget: SplitBudget | None = None,
) -> Refutation | None:
    """Show that `opposite` cannot hold beside the premises.

    None when it can, or when that takes more than `cap` splits, or more than are left of the budget.
    """
    cap = cap if budget is None else min(cap, budget.left)
    problem = PropagationProblem.of((opposite, *premises))
    touching = problem.touching

    def busiest(cells: int) -> int:
        """The cell of the most constraints, the lowest of equals."""
        return 1 << max(bits(cells), key=lambda k: (len(touching[k]), -k))

    own = SplitBudget(cap)
    failure = solve(problem, own, pick=busiest)
    if budget is not None:
        budget.spend(1 + cap - own.left)
    if not isinstance(failure, SplitConflict):
        return None
    used = tuple(premise for place, premise in enumerate(premises, 1) if failure.rules >> place & 1)
    return Refutation(failure.split or Propagation(), used)
