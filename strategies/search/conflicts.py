"""Minimal conflicts (MUS), and minimal sets of constraints from which a cell follows.

Minimal by deletion: without any one of them nothing of the kind follows, as far as the caps allow to say.
Whether a set can hold is asked of `refutation` (which names what it used, so that most of a set falls away at
once) and, where a total ties everything together, of `counting`. Liffiton and Sakallah, "Algorithms for
computing minimal unsatisfiable subsets of constraints", 2008, call this deletion-based.

The smallest conflict among statements (SMUS), where each statement may be several constraints.

By duality: statements that can all hold leave others out, and any set that cannot hold has one of those left
out. So the smallest set that meets every such remainder is tried; either it cannot hold, or it yields another
remainder. Ignatiev, Previti, Liffiton and Marques-Silva, "Smallest MUS extraction with minimal hitting set
dualization", 2015.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.errors import Contradiction
from games.logic import Constraint, Knowledge, bits
from strategies.probability.counts import count_components
from strategies.probability.risks import possible_totals
from strategies.search.model_finder import ModelFinder
from strategies.search.solver import MOST_CASES, SplitBudget, refute

NOTHING = Constraint(0, 0, 0)  # what is always so
COUNTING = 100  # splits that counting a set of constraints takes about as long as
WIDEST = 3  # steps from a cell, over shared cells, within which clues are looked for first


def minimal_conflict(constraints: Iterable[Constraint]) -> tuple[Constraint, ...]:
    """Constraints among these that cannot all hold, none of them to spare; empty when none are found.

    Empty does not say that all can hold: what takes more steps than the caps is not found. The widest ones
    (the total) are spared first, so that they are named only when it takes them.
    """
    everything = tuple(dict.fromkeys(constraints))
    core = _unsatisfiable(everything, NOTHING)
    if core is None:
        return ()
    widest_first = sorted(core, key=lambda c: -c.size)
    tried = (_thinned(core, NOTHING, order) for order in (widest_first, widest_first[::-1]))
    return min(tried, key=lambda found: (len(found), sum(c.size for c in found)))


def minimize_contradiction(error: Contradiction, constraints: Iterable[Constraint]) -> Contradiction:
    """The same contradiction, its sources a minimal conflict among these."""
    core = minimal_conflict(constraints)
    if not core:
        return error
    sources = tuple(dict.fromkeys(c.source for c in core if c.source is not None))
    return Contradiction(f"these cannot all hold: {', '.join(map(str, sources))}", sources)


class ReasonFinder:
    """The constraints of a game, asked for small sets of them from which a cell follows.

    Once no `budget` is left, what a set has to spare stays in it, and no set is looked for.
    """

    def __init__(self, constraints: Iterable[Constraint], budget: SplitBudget | None = None) -> None:
        self._budget = budget
        self.all = tuple(dict.fromkeys(constraints))
        self._order = {constraint: place for place, constraint in enumerate(self.all)}
        self._holding: dict[int, list[Constraint]] = {}
        for constraint in self.all:
            if not constraint.is_global:
                for k in bits(constraint.cells):
                    self._holding.setdefault(k, []).append(constraint)

    def reasons(
        self, cell: int, is_true: bool, known: Sequence[Constraint] = ()
    ) -> tuple[tuple[Constraint, ...], ...]:
        """Sets of constraints from which it follows that this cell is true, or false; none to spare in any.

        One that is near the cell, and one out of `known`, a set from which it is known to follow; the smaller
        first. Empty when it does not follow, or not within the caps.
        """
        opposite = Constraint(1 << cell, 0, 0) if is_true else Constraint(1 << cell, 1, 1)
        starts = (self._around(cell), (tuple(known),))
        found = [core for each in starts if (core := self._first(each, opposite, cell))]
        if not found and not known:
            found = [core for core in (self._first((self.all,), opposite, cell),) if core]
        return tuple(sorted(dict.fromkeys(found), key=len))

    def _first(
        self, starts: Iterable[tuple[Constraint, ...]], opposite: Constraint, cell: int
    ) -> tuple[Constraint, ...]:
        """What is left of the first of these sets that shows the cell; nothing when none does."""
        for start in starts:
            core = _unsatisfiable(start, opposite, self._budget) if start else None
            if core is not None:
                return self._smallest(core, opposite, cell)
        return ()

    def _around(self, cell: int) -> Iterable[tuple[Constraint, ...]]:
        """The constraints about the cell, then those that share a cell with them, and so on."""
        near = dict.fromkeys(self._holding.get(cell, ()))
        for _ in range(WIDEST):
            yield tuple(near)
            cells = 0
            for constraint in near:
                cells |= constraint.cells
            wider = dict.fromkeys(c for k in bits(cells) for c in self._holding.get(k, ()))
            if len(wider) == len(near):
                return
            near = {**near, **wider}

    def _smallest(
        self, core: tuple[Constraint, ...], opposite: Constraint, cell: int
    ) -> tuple[Constraint, ...]:
        """The core without what can be spared, the farthest from the cell and the widest first."""
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
        return tuple(sorted(_thinned(core, opposite, far_first, self._budget), key=self._order.__getitem__))


def _thinned(
    core: tuple[Constraint, ...],
    opposite: Constraint,
    order: Sequence[Constraint],
    budget: SplitBudget | None = None,
) -> tuple[Constraint, ...]:
    """Take out one after the other what can be spared."""
    for constraint in order:
        if budget is not None and not budget.left:
            break
        if constraint in core:
            left = _unsatisfiable(tuple(c for c in core if c != constraint), opposite, budget)
            core = core if left is None else left
    return core


def _unsatisfiable(
    constraints: tuple[Constraint, ...], opposite: Constraint, budget: SplitBudget | None = None
) -> tuple[Constraint, ...] | None:
    """Those of the constraints that a proof takes that they cannot hold beside `opposite`; None without."""
    for constraint in constraints:
        if constraint.is_impossible:
            return (constraint,)
    if any(c.is_global for c in constraints):
        local = tuple(c for c in constraints if not c.is_global)
        without = _unsatisfiable(local, opposite, budget)
        if without is not None:
            return without
        if budget is not None:
            budget.spend(COUNTING)
        if not is_unsatisfiable((*constraints, opposite)):
            return None
        shown = refute(constraints, opposite, MOST_CASES, budget)
        return constraints if shown is None else shown.premises
    shown = refute(constraints, opposite, MOST_CASES, budget)
    return None if shown is None else shown.premises


def is_unsatisfiable(constraints: Sequence[Constraint]) -> bool:
    """Whether counting finds that no layout satisfies all of these; False where it is beyond the cap."""
    universe = 0
    for constraint in constraints:
        universe |= constraint.cells
    census = count_components(Knowledge.of(universe, [c for c in constraints if c.cells]))
    if any(part.layouts is not None and not any(part.layouts.all) for part in census.components):
        return True
    left = possible_totals(census)
    return not left.rest or not all(left.components)


MOST_ROUNDS = 400  # remainders that are collected before giving up
Statement = Sequence[Constraint]


def is_satisfiable(constraints: Sequence[Constraint]) -> bool | None:
    """Whether some layout satisfies all of these; None when the search gave up."""
    if any(constraint.is_impossible for constraint in constraints):
        return False
    found = ModelFinder(constraints).find()
    return found.layout is not None if found.is_known else None


def smallest_conflict(
    always: Sequence[Constraint], statements: Sequence[Statement]
) -> tuple[int, ...] | None:
    """The places of the fewest statements that cannot all hold beside what holds `always`.

    Of several such sets the one that comes first. None when all can hold, or when the caps do not allow to
    say; empty when `always` alone cannot hold.
    """
    if is_satisfiable(_with(always, statements, range(len(statements)))) is not False:
        return None
    remainders: list[tuple[int, ...]] = []
    for _ in range(MOST_ROUNDS):
        chosen = _fewest(remainders)
        if not is_satisfiable(_with(always, statements, chosen)):
            return chosen
        kept = list(chosen)
        for place in range(len(statements)):
            if place not in chosen and is_satisfiable(_with(always, statements, (*kept, place))):
                kept.append(place)
        remainders.append(tuple(place for place in range(len(statements)) if place not in kept))
    return None


def _with(
    always: Sequence[Constraint], statements: Sequence[Statement], places: Sequence[int]
) -> list[Constraint]:
    return [*always, *(constraint for place in sorted(places) for constraint in statements[place])]


def _fewest(remainders: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The fewest places, and of these the first, that meet every remainder."""
    size = 0
    while True:
        found = _meeting(remainders, (), size)
        if found is not None:
            return tuple(sorted(found))
        size += 1


def _meeting(
    remainders: Sequence[Sequence[int]], chosen: tuple[int, ...], more: int
) -> tuple[int, ...] | None:
    """These and up to so many more, meeting every remainder; None when that cannot be."""
    missed = next((each for each in remainders if not set(each) & set(chosen)), None)
    if missed is None:
        return chosen
    if more:
        for place in missed:
            found = _meeting(remainders, (*chosen, place), more - 1)
            if found is not None:
                return found
    return None
