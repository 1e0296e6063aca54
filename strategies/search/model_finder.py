"""A model: one layout that satisfies all constraints, searched for where they cannot be counted.

What `refutation` is to what cannot be, this is to what can: one layout is enough, and so no count of all of
them is needed. It goes where constraints tie so many variables together that they cannot be counted.

One layout that the constraints allow: a depth-first search in each component, or else from the counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from games.errors import Contradiction
from games.logic import Constraint, Knowledge, PropagationProblem, bits
from strategies.probability.counts import ComponentCounts, CountedComponent, count_components
from strategies.probability.risks import PossibleTotals, possible_totals
from strategies.search.solver import PartialModel, SplitBudget, lowest_cell, solve

MOST_SPLITS = 4_000  # in one search


@dataclass(frozen=True, slots=True)
class ModelResult:
    """What a search came to: a layout (the set of its true cells), None when there is none.

    `is_known` is False when the search gave up at its cap.
    """

    layout: int | None
    is_known: bool = True


@dataclass(slots=True)
class ModelFinder:
    """Models of some constraints, one for each question that is asked of them.

    `ever_true` and `ever_false` are the cells that some model found so far has true, has false. A search
    chooses cells that were never true first, so that few models show much.
    """

    constraints: Sequence[Constraint]
    ever_true: int = 0
    ever_false: int = 0
    _problem: PropagationProblem = field(init=False, repr=False)
    _shown: int = 0  # ever_true in the numbers of the problem

    def __post_init__(self) -> None:
        self._problem = PropagationProblem.of(self.constraints)

    @property
    def cells(self) -> int:
        """All cells (a set) that the constraints speak of."""
        return sum(1 << k for k in self._problem.names)

    def find(self, true: int = 0, false: int = 0) -> ModelResult:
        """A model with these cells (sets) true and false; cells that may be anything are false in it."""
        problem = self._problem
        known = PartialModel(problem.to_local(true), problem.to_local(false))
        found = solve(problem, SplitBudget(MOST_SPLITS), known, pick=self._pick)
        if found is None:
            return ModelResult(None, is_known=False)
        return ModelResult(self._keep(found.true)) if isinstance(found, PartialModel) else ModelResult(None)

    def _pick(self, cells: int) -> int:
        return lowest_cell(cells & ~self._shown or cells)

    def _keep(self, true: int) -> int:
        self._shown |= true
        layout = self._problem.to_global(true)
        self.ever_true |= layout
        self.ever_false |= self.cells & ~layout
        return layout


Given = tuple[Constraint, ...]


def find_model(universe: int, given: Given, true: int = 0, false: int = 0) -> int | None:
    """A set of true variables that satisfies all that is given, with these cells true and false.

    Where there is a choice, few are true. None when there is no layout, or none is found within the caps:
    `is_countable` says which.
    """
    census = _census(universe, given, true, false)
    while census is not None:
        left = possible_totals(census)
        if not left.rest or not all(left.components):
            return None
        if not census.components:
            for k in bits(census.rest):
                if (true & census.rest).bit_count() >= _fewest(left.rest):
                    break
                true |= 1 << k
            holds = all(c.low <= (c.cells & true).bit_count() <= c.high for c in given)
            return true if holds else None
        # one component after the other: each choice narrows what the total leaves for the next one
        part, numbers = census.components[0], left.components[0]
        counted = part.cells & (census.total.cells if census.total else part.cells)
        found = _search(part, numbers, counted)
        if found is None:
            found = _from_counts(part, _fewest(numbers), counted)
        if found is None:
            return None
        true |= found
        false |= part.cells & ~found
        census = _census(universe, given, true, false)
    return None


def is_countable(universe: int, given: Given) -> bool:
    """Whether every component stays within the cap, so that nothing about a cell is left undecided."""
    census = _census(universe, given, 0, 0)
    return census is None or census.is_complete


def _search(part: CountedComponent, numbers: int, counted: int) -> int | None:
    """A layout of one component with one of these numbers (a set) of true cells among the counted ones."""
    problem = PropagationProblem.of(part.constraints)
    inside = problem.to_local(counted)

    def fits(true: int) -> bool:
        return bool(numbers >> (true & inside).bit_count() & 1)

    found = solve(problem, SplitBudget(MOST_SPLITS), first=False, accepts=fits)
    return problem.to_global(found.true) if isinstance(found, PartialModel) else None


def _from_counts(part: CountedComponent, number: int, counted: int) -> int | None:
    """A layout of one component with so many true cells among the counted ones, cell by cell."""
    given = (*part.constraints, Constraint(counted, number, number, is_global=True))
    true = false = 0
    while True:
        census = _census(part.cells, given, true, false)
        if census is None or not census.is_complete:
            return None
        choice = _choice(census, possible_totals(census))
        if choice is None:
            break
        cell, is_true = choice
        true |= cell if is_true else 0
        false |= 0 if is_true else cell
    lacking = number - (true & counted).bit_count()
    for k in bits(census.rest):
        if lacking > 0:
            true |= 1 << k
            lacking -= 1
    return true


def _choice(census: ComponentCounts, left: PossibleTotals) -> tuple[int, bool] | None:
    """A cell of the first component and what it may be; None when only the rest is left."""
    for part, numbers in zip(census.components, left.components, strict=True):
        assert part.layouts is not None
        cell = part.classes[0] & -part.classes[0]
        can_be_false = any(part.layouts.all[m] > part.layouts.mine[0][m] for m in bits(numbers))
        return cell, not can_be_false
    return None


def _fewest(numbers: int) -> int:
    """The smallest number in a set."""
    return (numbers & -numbers).bit_length() - 1


def _census(universe: int, given: Given, true: int, false: int) -> ComponentCounts | None:
    """The counts when these cells are known; None when a constraint is broken already."""
    try:
        return count_components(
            Knowledge.of(universe & ~(true | false), [c.reduced(true, false) for c in given])
        )
    except Contradiction:
        return None
