"""Assume each cell to be a mine, then to be safe; a cell with one legal value is decided.

Deduction functions, with their names and return values, on constraints instead of a map: a clue is a
constraint, its neighbours are the cells, and the mine total is one more constraint. Each case works on a copy
of the state, and only the constraints around a change (`coords_to_check`) are checked again. Two errors of
the source are corrected: the total is checked at every step, so that legal leaves are legal, and
`update_deduct` repeats until nothing changes.

Not in the default order: `backtracking` also finds unconstrained cells, and counts layouts instead of trying
every cell twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import NamedTuple

from games.logic import Constraint, Deduction, Knowledge, affected_components, bits, cell_set, union_cells
from games.logic.propagation import PropagationProblem, propagate
from strategies.hookspecs import hookimpl
from strategies.search.solver import (
    PartialModel,
    SplitBudget,
    lowest_cell,
    most_constrained,
    prove_cells,
    prove_contradiction,
    solve,
)

NAME = "supposing"
ONLY_WAY = "supposed the other way, no layout is left"
ILLEGAL = "supposed either way, no layout is left"
MAX_SPLITS = 2_500  # for one assumed cell
MAX_CASES = 4_000  # splits in one proof


class Legality(IntEnum):
    """Result of `is_legal`, with the numbers of Deduction functions."""

    ILLEGAL = 0  # a constraint is violated
    POSSIBLE = 1  # no constraint is violated, and some are open
    LEGAL = 2  # all constraints are met, except at most one (the total) that can still be met


class NeighbourCounts(NamedTuple):
    """Known mines and hidden cells of a constraint, and its bounds."""

    mines: int
    hidden: int
    low: int
    high: int


class SplitLimitReached(Exception):
    """The search exceeded `MAX_SPLITS`; the result is unknown."""


@dataclass(slots=True)
class LegalityState:
    """Constraints, and the cells assumed or derived to be mines (`true`) and safe (`false`)."""

    constraints: Sequence[Constraint]
    true: int = 0
    false: int = 0
    _problem: PropagationProblem | None = field(default=None, repr=False)  # shared by copies

    @property
    def problem(self) -> PropagationProblem:
        """The constraints, as the solver needs them."""
        if self._problem is None:
            self._problem = PropagationProblem.as_numbered(self.constraints)
        return self._problem

    def hidden(self, place: int) -> int:
        """Return the undecided cells of a constraint."""
        return self.constraints[place].cells & ~(self.true | self.false)

    def coord_around(self, cells: int) -> list[int]:
        """Return the indices of the constraints with these cells, to check after a change there."""
        return [place for place, c in enumerate(self.constraints) if c.cells & cells]

    def count_around(self, place: int) -> NeighbourCounts:
        """Count the known mines and hidden cells of a constraint."""
        constraint = self.constraints[place]
        mines = (constraint.cells & self.true).bit_count()
        return NeighbourCounts(mines, self.hidden(place).bit_count(), constraint.low, constraint.high)

    def is_legal(self, coords_to_check: Iterable[int] | None = None) -> Legality:
        """Check the constraints with these indices; all if None."""
        still_open = 0
        for place in self._all(coords_to_check):
            mines, hidden, low, high = self.count_around(place)
            if mines > high or mines + hidden < low:
                return Legality.ILLEGAL
            still_open += mines < low or mines + hidden > high
        return Legality.LEGAL if still_open <= 1 else Legality.POSSIBLE

    def first_order_deduct(self, coords_to_check: Iterable[int] | None = None) -> bool:
        """Apply single constraints until nothing changes; return whether anything was derived."""
        before = self.true, self.false
        self.true, self.false, _ = propagate(self.problem, *before, coords_to_check)
        return (self.true, self.false) != before

    def recursion_deduct(self, coords_to_check: Iterable[int] | None = None) -> bool:
        """Whether the position is possible: has at least one layout. Raises TooDeep above the cap."""
        if self.is_legal() is Legality.ILLEGAL:
            return False
        known = PartialModel(self.true, self.false)
        found = solve(self.problem, SplitBudget(MAX_SPLITS), known, first=False, places=coords_to_check)
        if found is None:
            raise SplitLimitReached
        return isinstance(found, PartialModel)

    def update_deduct(self, cells: int = -1) -> tuple[bool, list[int], list[int]]:
        """Decide cells permanently; return (has_update, list_open, list_mark_mine).

        Tries both values of every hidden cell (of `cells`) in a local constraint. If one is impossible, the
        other holds; if both are, the position is illegal and the result is (False, [], []). A cell with too
        many cases stays undecided.
        """
        true, false = self.true, self.false
        has_update = self.first_order_deduct()
        grew = self.is_legal() is not Legality.ILLEGAL
        if not grew:
            return False, [], []
        while grew:
            grew = False
            frontier = union_cells(c for c in self.constraints if not c.is_global)
            for k in bits(frontier & cells & ~(self.true | self.false)):
                cell = 1 << k
                if cell & (self.true | self.false):
                    continue
                can_be_safe, can_be_mine = (self._is_possible(cell, is_mine) for is_mine in (0, 1))
                if not can_be_safe and not can_be_mine:
                    return False, [], []
                if can_be_safe and can_be_mine:
                    continue
                self.true |= cell * can_be_mine
                self.false |= cell * can_be_safe
                self.first_order_deduct(self.coord_around(cell))
                has_update = grew = True
        return has_update, list(bits(self.false & ~false)), list(bits(self.true & ~true))

    def get_next_hidden_coord(self) -> int:
        """Return the next cell to assume (a one-cell set), from the constraint with fewest hidden cells."""
        return lowest_cell(most_constrained(self.problem.rules, self.true, self.false))

    def assume(self, cell: int, is_mine: int) -> LegalityState:
        """Return a copy in which this cell (a one-cell set) is a mine, or safe."""
        return replace(self, true=self.true | cell * is_mine, false=self.false | cell * (1 - is_mine))

    def _is_possible(self, cell: int, is_mine: int) -> bool:
        """Whether the cell can have this value; True if there are too many cases."""
        try:
            return self.assume(cell, is_mine).recursion_deduct(self.coord_around(cell))
        except SplitLimitReached:
            return True

    def _all(self, coords_to_check: Iterable[int] | None) -> Iterable[int]:
        return range(len(self.constraints)) if coords_to_check is None else coords_to_check


@hookimpl
def deduce(knowledge: Knowledge, changed: int) -> Iterator[Deduction]:
    """Yield what `update_deduct` decides in changed components."""
    stated = knowledge.stated
    totals = tuple(c for c in stated if c.is_global)
    near = tuple(c for c in stated if not c.is_global)
    if not totals:
        near = tuple(affected_components(near, changed))
    premises = (*near, *totals)
    state = LegalityState(premises)
    _, to_open, to_mark = state.update_deduct()
    yield from prove_cells(premises, cell_set(to_open), False, ONLY_WAY, MAX_CASES)
    yield from prove_cells(premises, cell_set(to_mark), True, ONLY_WAY, MAX_CASES)
    if not to_open and not to_mark and state.is_legal() is not Legality.LEGAL:
        yield from prove_contradiction(premises, ILLEGAL, MAX_CASES)
