"""Solver: propagate, choose a cell, split into its two cases, within a budget of splits.

The result is a model, or a proof that there is none: the split tree and the constraints it uses. `refute`
proves a claim by assuming its opposite. Each conflict is traced back to its causes, so that a cell without
a part in it is not split again (backjumping; Marques-Silva and Sakallah, "GRASP", 1999). As in Deduction
functions, `recursion_deduct`, the next cell belongs to the constraint with the fewest open cells. The
search keeps its own stack, so its depth is unlimited.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.logic import Constraint, Deduction, Propagation, Split, bits
from games.logic.propagation import ForcedCells, PropagationConflict, PropagationProblem, Rule, propagate


@dataclass(slots=True)
class SplitBudget:
    """The number of splits left, shared by several searches."""

    left: int

    def spend(self, splits: int) -> None:
        """Reduce the budget, to 0 at least."""
        self.left = max(self.left - splits, 0)


class PartialModel(NamedTuple):
    """The sets of true and false cells; every constraint holds whatever the other cells are."""

    true: int
    false: int


class SplitConflict(NamedTuple):
    """Proof that there is no model: the split, if any, and the indices of its constraints (as bits).

    `assumed` is the set of cells the proof depends on: split above, or known from the start.
    """

    split: Split | None
    rules: int
    assumed: int


class _SplitFrame(NamedTuple):
    """A split cell (a one-cell set), the cells known before, and the conflict of the first case."""

    cell: int
    true: int
    false: int
    mark: int  # length of the trail before the split
    first: SplitConflict | None


REJECTED = SplitConflict(None, 0, -1)  # conflict of a rejected model: depends on all assumed cells


def lowest_cell(cells: int) -> int:
    """Return the lowest cell of a cell set, as a one-cell set."""
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
    """Extend the known cells to a model, or prove that there is none; None if the budget is used up.

    `pick` chooses a cell (a one-cell set) from a set of open cells; `first` is the value tried first.
    `places` are the indices of the constraints to propagate first, if only these have changed. `accepts`
    may reject a model by its true cells.
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
            failure = REJECTED
        while frames:
            frame = frames.pop()
            del trail[frame.mark :]
            cell = frame.cell
            if not failure.assumed & cell:
                continue  # the conflict does not depend on this cell
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
    """Return the open cells of the violable constraint with the fewest of them; 0 if none can be violated."""
    undecided = ~(true | false)
    fewest, choice = -1, 0
    for cells, low, high in rules:
        free = cells & undecided
        if not free:
            continue
        room = free.bit_count()
        if room < fewest or fewest < 0:
            found = (cells & true).bit_count()
            if found < low or found + room > high:
                fewest, choice = room, free
    return choice


def _traced(conflict: PropagationConflict, trail: Sequence[ForcedCells]) -> SplitConflict:
    """Trace a conflict back to its constraints and to the cells that no constraint forced."""
    rules, needed = 1 << conflict.place, conflict.cause
    for place, cells, _, cause in reversed(trail):
        if cells & needed:
            rules |= 1 << place
            needed = needed & ~cells | cause
    return SplitConflict(None, rules, needed)


def _joined(name: int, cell: int, if_true: SplitConflict, if_false: SplitConflict) -> SplitConflict:
    return SplitConflict(
        Split(name, if_true.split, if_false.split),
        if_true.rules | if_false.rules,
        (if_true.assumed | if_false.assumed) & ~cell,
    )


MAX_CASES = 400  # splits in one proof


@dataclass(frozen=True, slots=True)
class Refutation:
    """Proof that a claim contradicts the premises: the method, and the premises it uses, in their order."""

    method: Propagation | Split
    premises: tuple[Constraint, ...]


def refute(
    premises: Sequence[Constraint],
    opposite: Constraint,
    cap: int = MAX_CASES,
    budget: SplitBudget | None = None,
) -> Refutation | None:
    """Prove that `opposite` contradicts the premises.

    None if it does not, or if the proof takes more than `cap` splits or more than the budget has left.
    """
    cap = cap if budget is None else min(cap, budget.left)
    problem = PropagationProblem.of((opposite, *premises))
    touching = problem.touching

    def busiest(cells: int) -> int:
        return 1 << max(bits(cells), key=lambda k: (len(touching[k]), -k))

    own = SplitBudget(cap)
    failure = solve(problem, own, pick=busiest)
    if budget is not None:
        budget.spend(1 + cap - own.left)
    if not isinstance(failure, SplitConflict):
        return None
    used = tuple(premise for place, premise in enumerate(premises, 1) if failure.rules >> place & 1)
    return Refutation(failure.split or Propagation(), used)


def prove_cells(
    premises: Sequence[Constraint],
    cells: int,
    is_true: bool,
    rule: str,
    cap: int = MAX_CASES,
    account: str = "",
) -> Iterator[Deduction]:
    """Yield a deduction for each of these cells that is provably true (or false) within the cap."""
    value = int(is_true)
    for k in bits(cells):
        found = refute(premises, Constraint(1 << k, 1 - value, 1 - value), cap)
        if found is not None:
            yield Deduction.bounds(1 << k, value, value, found.premises, rule, found.method, account)


def prove_contradiction(
    premises: Sequence[Constraint], rule: str, cap: int = MAX_CASES
) -> Iterator[Deduction]:
    """Yield an unsatisfiable constraint if the premises provably contradict each other within the cap."""
    found = refute(premises, Constraint(0, 0, 0), cap)
    if found is not None:
        yield Deduction.bounds(0, 1, 0, found.premises, rule, found.method)
