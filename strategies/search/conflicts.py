"""Minimal conflicts (MUS), minimal reasons for a cell, and smallest conflicts (SMUS).

Minimal sets are found by deletion (Liffiton and Sakallah, "Algorithms for computing minimal unsatisfiable
subsets of constraints", 2008). `refute` names the constraints it used, so most of a set is dropped at once;
sets with the mine total are checked by counting. Minimality holds within the step caps.

Smallest conflicts use hitting-set duality (Ignatiev, Previti, Liffiton and Marques-Silva, "Smallest MUS
extraction with minimal hitting set dualization", 2015): every conflict intersects the complement of each
satisfiable set. The smallest set that hits all known complements is either a conflict or yields a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.errors import Contradiction
from games.logic import Constraint, Knowledge, bits, union_cells
from strategies.probability.counts import count_components
from strategies.probability.risks import possible_totals
from strategies.search.model_finder import ModelFinder
from strategies.search.solver import MAX_CASES, SplitBudget, refute

ALWAYS_TRUE = Constraint(0, 0, 0)
COUNTING_COST = 100  # splits; approximate cost of counting a constraint set
MAX_DISTANCE = 3  # steps over shared cells; constraints this close to a cell are tried first
MAX_ROUNDS = 400  # complements collected before a smallest conflict is given up
Statement = Sequence[Constraint]


def minimal_conflict(constraints: Iterable[Constraint]) -> tuple[Constraint, ...]:
    """Return a minimal conflict among these constraints; empty if none was found within the caps.

    The widest constraints (the mine total) are dropped first, so they are named only when necessary.
    """
    core = _unsatisfiable_core(tuple(dict.fromkeys(constraints)), ALWAYS_TRUE)
    if core is None:
        return ()
    widest_first = sorted(core, key=lambda c: -c.size)
    minimal = (_minimized(core, ALWAYS_TRUE, order) for order in (widest_first, widest_first[::-1]))
    return min(minimal, key=lambda found: (len(found), sum(c.size for c in found)))


def minimize_contradiction(error: Contradiction, constraints: Iterable[Constraint]) -> Contradiction:
    """Return the contradiction with the sources of a minimal conflict among these constraints."""
    core = minimal_conflict(constraints)
    if not core:
        return error
    sources = tuple(dict.fromkeys(c.source for c in core if c.source is not None))
    return Contradiction(f"these cannot all hold: {', '.join(map(str, sources))}", sources)


class ReasonFinder:
    """Finds small sets of a game's constraints that imply the value of a cell.

    When the `budget` is used up, sets are no longer reduced, and no further sets are searched for.
    """

    def __init__(self, constraints: Iterable[Constraint], budget: SplitBudget | None = None) -> None:
        self._budget = budget
        self.all = tuple(dict.fromkeys(constraints))
        self._order = {constraint: place for place, constraint in enumerate(self.all)}
        self._by_cell: dict[int, list[Constraint]] = {}
        for constraint in self.all:
            if not constraint.is_global:
                for k in bits(constraint.cells):
                    self._by_cell.setdefault(k, []).append(constraint)

    def reasons(
        self, cell: int, is_true: bool, known: Sequence[Constraint] = ()
    ) -> tuple[tuple[Constraint, ...], ...]:
        """Return minimal constraint sets that imply that this cell is true (or false), smaller ones first.

        One set is near the cell; the other is taken from `known`, a set already known to imply it. Empty if
        the value does not follow, or not within the caps.
        """
        opposite = Constraint(1 << cell, 0, 0) if is_true else Constraint(1 << cell, 1, 1)
        starts = (self._neighbourhoods(cell), (tuple(known),))
        found = [core for each in starts if (core := self._first_reason(each, opposite, cell))]
        if not found and not known:
            core = self._first_reason((self.all,), opposite, cell)
            found = [core] if core else []
        return tuple(sorted(dict.fromkeys(found), key=len))

    def _first_reason(
        self, starts: Iterable[tuple[Constraint, ...]], opposite: Constraint, cell: int
    ) -> tuple[Constraint, ...]:
        for start in starts:
            core = _unsatisfiable_core(start, opposite, self._budget) if start else None
            if core is not None:
                return self._minimal(core, opposite, cell)
        return ()

    def _neighbourhoods(self, cell: int) -> Iterable[tuple[Constraint, ...]]:
        """Yield the constraints of the cell, then growing sets that add constraints with shared cells."""
        near = dict.fromkeys(self._by_cell.get(cell, ()))
        for _ in range(MAX_DISTANCE):
            yield tuple(near)
            cells = union_cells(near)
            wider = dict.fromkeys(c for k in bits(cells) for c in self._by_cell.get(k, ()))
            if len(wider) == len(near):
                return
            near = {**near, **wider}

    def _minimal(
        self, core: tuple[Constraint, ...], opposite: Constraint, cell: int
    ) -> tuple[Constraint, ...]:
        """Minimize the core; try to drop the constraints farthest from the cell first, then the widest."""
        distance: dict[Constraint, int] = {}
        near = 1 << cell
        for step in range(len(core)):
            reached = [c for c in core if c not in distance and c.cells & near and not c.is_global]
            if not reached:
                break
            for constraint in reached:
                distance[constraint] = step
                near |= constraint.cells
        far_first = sorted(core, key=lambda c: (-distance.get(c, len(core)), -c.size))
        return tuple(sorted(_minimized(core, opposite, far_first, self._budget), key=self._order.__getitem__))


def _minimized(
    core: tuple[Constraint, ...],
    opposite: Constraint,
    order: Sequence[Constraint],
    budget: SplitBudget | None = None,
) -> tuple[Constraint, ...]:
    for constraint in order:
        if budget is not None and not budget.left:
            break
        if constraint in core:
            smaller = _unsatisfiable_core(tuple(c for c in core if c != constraint), opposite, budget)
            core = core if smaller is None else smaller
    return core


def _unsatisfiable_core(
    constraints: tuple[Constraint, ...], opposite: Constraint, budget: SplitBudget | None = None
) -> tuple[Constraint, ...] | None:
    """Return the constraints used by a proof that they contradict `opposite`; None without a proof."""
    for constraint in constraints:
        if constraint.is_impossible:
            return (constraint,)
    if any(c.is_global for c in constraints):
        local = tuple(c for c in constraints if not c.is_global)
        core = _unsatisfiable_core(local, opposite, budget)
        if core is not None:
            return core
        if budget is not None:
            budget.spend(COUNTING_COST)
        if not is_unsatisfiable((*constraints, opposite)):
            return None
        refutation = refute(constraints, opposite, MAX_CASES, budget)
        return constraints if refutation is None else refutation.premises
    refutation = refute(constraints, opposite, MAX_CASES, budget)
    return None if refutation is None else refutation.premises


def is_unsatisfiable(constraints: Sequence[Constraint]) -> bool:
    """Whether counting proves that no layout satisfies all of these; False if counting exceeds its cap."""
    universe = union_cells(constraints)
    census = count_components(Knowledge.of(universe, [c for c in constraints if c.cells]))
    if any(part.layouts is not None and not any(part.layouts.all) for part in census.components):
        return True
    return not possible_totals(census).is_consistent


def is_satisfiable(constraints: Sequence[Constraint]) -> bool | None:
    """Whether some layout satisfies all of these; None if the search gave up."""
    if any(constraint.is_impossible for constraint in constraints):
        return False
    found = ModelFinder(constraints).find()
    return found.layout is not None if found.is_known else None


def smallest_conflict(
    always: Sequence[Constraint], statements: Sequence[Statement]
) -> tuple[int, ...] | None:
    """Return the indices of the fewest statements that contradict `always` and each other.

    A statement is one or more constraints. Of several smallest sets, the first is returned. None if all
    statements are consistent or the caps were exceeded; empty if `always` itself is contradictory.
    """
    if is_satisfiable(_with(always, statements, range(len(statements)))) is not False:
        return None
    complements: list[tuple[int, ...]] = []
    for _ in range(MAX_ROUNDS):
        chosen = _smallest_hitting_set(complements)
        if not is_satisfiable(_with(always, statements, chosen)):
            return chosen
        kept = list(chosen)
        for place in range(len(statements)):
            if place not in chosen and is_satisfiable(_with(always, statements, (*kept, place))):
                kept.append(place)
        complements.append(tuple(place for place in range(len(statements)) if place not in kept))
    return None


def _with(
    always: Sequence[Constraint], statements: Sequence[Statement], places: Sequence[int]
) -> list[Constraint]:
    return [*always, *(constraint for place in sorted(places) for constraint in statements[place])]


def _smallest_hitting_set(complements: Sequence[Sequence[int]]) -> tuple[int, ...]:
    size = 0
    while True:
        found = _hitting_set(complements, (), size)
        if found is not None:
            return tuple(sorted(found))
        size += 1


def _hitting_set(
    complements: Sequence[Sequence[int]], chosen: tuple[int, ...], more: int
) -> tuple[int, ...] | None:
    """Extend `chosen` by up to `more` indices so that it hits every complement; None if impossible."""
    missed = next((each for each in complements if not set(each) & set(chosen)), None)
    if missed is None:
        return chosen
    if more:
        for place in missed:
            found = _hitting_set(complements, (*chosen, place), more - 1)
            if found is not None:
                return found
    return None
