"""Find models: single layouts that satisfy all constraints.

`ModelFinder` searches depth first, so it also works where constraints tie together too many variables to
count all layouts. `find_model` treats each component separately: it searches depth first for a layout with a
mine count that the total allows, and otherwise fixes cell by cell, guided by the counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from games.errors import Contradiction
from games.logic import Constraint, Knowledge, bits
from games.logic.propagation import PropagationProblem
from strategies.probability.counts import ComponentCounts, CountedComponent, count_components
from strategies.probability.risks import possible_totals
from strategies.search.solver import PartialModel, SplitBudget, lowest_cell, solve

MAX_SPLITS = 4_000  # in one search

Given = tuple[Constraint, ...]


@dataclass(frozen=True, slots=True)
class ModelResult:
    """Result of a search: `layout` is the set of true cells, or None if there is no model.

    `is_known` is False if the search gave up at its cap.
    """

    layout: int | None
    is_known: bool = True


@dataclass(slots=True)
class ModelFinder:
    """Finds models of the same constraints under different assumptions.

    `ever_true` and `ever_false` are the cells that are true (false) in some model found so far. The search
    sets cells first that were never true, so that few models cover most cells.
    """

    constraints: Sequence[Constraint]
    ever_true: int = 0
    ever_false: int = 0
    _problem: PropagationProblem = field(init=False, repr=False)
    _local_true: int = 0  # `ever_true` in the problem's own numbering

    def __post_init__(self) -> None:
        self._problem = PropagationProblem.of(self.constraints)

    @property
    def cells(self) -> int:
        """The set of all cells in the constraints."""
        return sum(1 << k for k in self._problem.names)

    def find(self, true: int = 0, false: int = 0) -> ModelResult:
        """Find a model with these cell sets true and false; unconstrained cells are false."""
        problem = self._problem
        known = PartialModel(problem.to_local(true), problem.to_local(false))
        found = solve(problem, SplitBudget(MAX_SPLITS), known, pick=self._pick)
        if found is None:
            return ModelResult(None, is_known=False)
        return ModelResult(self._keep(found.true)) if isinstance(found, PartialModel) else ModelResult(None)

    def _pick(self, cells: int) -> int:
        return lowest_cell(cells & ~self._local_true or cells)

    def _keep(self, true: int) -> int:
        self._local_true |= true
        layout = self._problem.to_global(true)
        self.ever_true |= layout
        self.ever_false |= self.cells & ~layout
        return layout


def find_model(universe: int, given: Given, true: int = 0, false: int = 0) -> int | None:
    """Find a layout (set of true variables) that satisfies `given`, with these cells true and false.

    Prefers few true variables. None if there is no layout, or if none was found within the caps;
    `is_countable` distinguishes the two.
    """
    census = _census(universe, given, true, false)
    while census is not None:
        totals = possible_totals(census)
        if not totals.is_consistent:
            return None
        if not census.components:
            for k in bits(census.rest):
                if (true & census.rest).bit_count() >= _smallest_number(totals.rest):
                    break
                true |= 1 << k
            return true if all(c.holds(true) for c in given) else None
        # one component after the other: each choice narrows what the total leaves for the next one
        part, numbers = census.components[0], totals.components[0]
        counted = part.cells & (census.total.cells if census.total else part.cells)
        found = _search(part, numbers, counted)
        if found is None:
            found = _from_counts(part, _smallest_number(numbers), counted)
        if found is None:
            return None
        true |= found
        false |= part.cells & ~found
        census = _census(universe, given, true, false)
    return None


def is_countable(universe: int, given: Given) -> bool:
    """Whether every component can be counted within the cap."""
    census = _census(universe, given, 0, 0)
    return census is None or census.is_complete


def _search(part: CountedComponent, numbers: int, counted: int) -> int | None:
    """Search depth first for a layout of one component; `numbers` has a bit per allowed mine count."""
    problem = PropagationProblem.of(part.constraints)
    inside = problem.to_local(counted)

    def fits(true: int) -> bool:
        return bool(numbers >> (true & inside).bit_count() & 1)

    found = solve(problem, SplitBudget(MAX_SPLITS), first=False, accepts=fits)
    return problem.to_global(found.true) if isinstance(found, PartialModel) else None


def _from_counts(part: CountedComponent, number: int, counted: int) -> int | None:
    """Build a layout of one component with `number` true cells among the counted ones, cell by cell."""
    given = (*part.constraints, Constraint(counted, number, number, is_global=True))
    true = false = 0
    while True:
        census = _census(part.cells, given, true, false)
        if census is None or not census.is_complete:
            return None
        if not census.components:
            break
        first, numbers = census.components[0], possible_totals(census).components[0]
        assert first.layouts is not None
        cell = first.classes[0] & -first.classes[0]
        if any(first.layouts.all[m] > first.layouts.mine[0][m] for m in bits(numbers)):
            false |= cell
        else:
            true |= cell
    lacking = number - (true & counted).bit_count()
    for k in bits(census.rest):
        if lacking > 0:
            true |= 1 << k
            lacking -= 1
    return true


def _smallest_number(numbers: int) -> int:
    return (numbers & -numbers).bit_length() - 1


def _census(universe: int, given: Given, true: int, false: int) -> ComponentCounts | None:
    """Count with these cells known; None if they break a constraint."""
    try:
        return count_components(
            Knowledge.of(universe & ~(true | false), [c.reduced(true, false) for c in given])
        )
    except Contradiction:
        return None
