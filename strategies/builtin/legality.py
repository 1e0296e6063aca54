"""Supposing a cell a mine, or safe, and seeing whether the position can still be legal.

The Deduction functions under their own names, with what they return, on constraints in the
place of a map: a clue is a constraint, its neighbours are its cells, the number of mines is one more
constraint. A state is changed by supposing; a copy is made for each case, so what was handed in stays. As
there, only the constraints around what has just changed are looked at again (`coords_to_check`).

Their slips are not repeated: the total is counted at every step, so a leaf that is called legal is; and
`update_deduct` goes on until nothing more is found.

A cell is supposed a mine, then safe; when only one can be, it is decided (Deduction functions).

`strategies/builtin/legality.py` has its functions. Not in the default order: `backtracking` finds the same
cells and those next to no clue, and counts layouts instead of trying every cell twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import NamedTuple

from games.logic import (
    Constraint,
    Deduction,
    Knowledge,
    PropagationProblem,
    affected_components,
    bits,
    propagate,
)
from strategies.hookspecs import hookimpl
from strategies.search.solver import PartialModel, SplitBudget, lowest_cell, most_constrained, refute, solve

MOST_SPLITS = 2_500  # for one cell supposed


class Legality(IntEnum):
    """What `is_legal` answers, with the numbers of Deduction functions."""

    ILLEGAL = 0  # a constraint can no longer be met
    POSSIBLE = 1  # none is broken, and some are still open
    LEGAL = 2  # all are met, or all but one (the total) that the cells left over have room for


class NeighbourCounts(NamedTuple):
    """What `count_around` answers: known mines, hidden cells, and the bounds that the constraint states."""

    mines: int
    hidden: int
    low: int
    high: int


class SplitLimitReached(Exception):
    """More cases than are looked at: nothing is known then."""


@dataclass(slots=True)
class LegalityState:
    """Constraints, and the cells supposed or found to be mines (`true`) and not to be (`false`)."""

    constraints: Sequence[Constraint]
    true: int = 0
    false: int = 0
    _problem: PropagationProblem | None = field(default=None, repr=False)  # shared by the copies

    @property
    def problem(self) -> PropagationProblem:
        """The constraints as the search kernel takes them."""
        if self._problem is None:
            self._problem = PropagationProblem.as_numbered(self.constraints)
        return self._problem

    def hidden(self, place: int) -> int:
        """The cells of a constraint of which nothing is supposed."""
        return self.constraints[place].cells & ~(self.true | self.false)

    def coord_around(self, cells: int) -> list[int]:
        """The places of the constraints that speak of these cells: what to check after a change there."""
        return [place for place, c in enumerate(self.constraints) if c.cells & cells]

    def count_around(self, place: int) -> NeighbourCounts:
        """Known mines and hidden cells of a constraint, and what it states."""
        constraint = self.constraints[place]
        mines = (constraint.cells & self.true).bit_count()
        return NeighbourCounts(mines, self.hidden(place).bit_count(), constraint.low, constraint.high)

    def is_legal(self, coords_to_check: Iterable[int] | None = None) -> Legality:
        """LEGAL, POSSIBLE or ILLEGAL, of the constraints at these places; of all of them for None."""
        still_open = 0
        for place in self._all(coords_to_check):
            mines, hidden, low, high = self.count_around(place)
            if mines > high or mines + hidden < low:
                return Legality.ILLEGAL
            still_open += mines < low or mines + hidden > high
        return Legality.LEGAL if still_open <= 1 else Legality.POSSIBLE

    def first_order_deduct(self, coords_to_check: Iterable[int] | None = None) -> bool:
        """Take what single constraints force, on and on from what has changed; whether anything was."""
        before = self.true, self.false
        self.true, self.false, _ = propagate(self.problem, *before, coords_to_check)
        return (self.true, self.false) != before

    def recursion_deduct(self, coords_to_check: Iterable[int] | None = None) -> bool:
        """Whether the position is possible: has at least one layout. Raises TooDeep above the cap."""
        if self.is_legal() is Legality.ILLEGAL:
            return False
        known = PartialModel(self.true, self.false)
        found = solve(self.problem, SplitBudget(MOST_SPLITS), known, first=False, places=coords_to_check)
        if found is None:
            raise SplitLimitReached
        return isinstance(found, PartialModel)

    def update_deduct(self, cells: int = -1) -> tuple[bool, list[int], list[int]]:
        """Decide cells for good: (has_update, list_open, list_mark_mine).

        Tries every hidden cell in a constraint that is not global (those of `cells` only): where one
        of them is impossible, the other holds; where both are, the position is illegal, and (False, [],
        []) says so. A cell with too many cases stays undecided.
        """
        true, false = self.true, self.false
        has_update = self.first_order_deduct()
        grew = self.is_legal() is not Legality.ILLEGAL
        if not grew:
            return False, [], []
        while grew:
            grew = False
            beside = 0
            for constraint in self.constraints:
                beside |= 0 if constraint.is_global else constraint.cells
            for k in bits(beside & cells & ~(self.true | self.false)):
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
        """The cell (a set of one) to suppose next: beside the open constraint with fewest hidden ones."""
        return lowest_cell(most_constrained(self.problem.rules, self.true, self.false))

    def assume(self, cell: int, is_mine: int) -> LegalityState:
        """A copy in which this cell (a set of one) is supposed to be a mine, or safe."""
        return replace(self, true=self.true | cell * is_mine, false=self.false | cell * (1 - is_mine))

    def _is_possible(self, cell: int, is_mine: int) -> bool:
        """Whether the cell can be so; what has too many cases counts as possible."""
        try:
            return self.assume(cell, is_mine).recursion_deduct(self.coord_around(cell))
        except SplitLimitReached:
            return True

    def _all(self, coords_to_check: Iterable[int] | None) -> Iterable[int]:
        return range(len(self.constraints)) if coords_to_check is None else coords_to_check


NAME = "supposing"
ONLY_WAY = "supposed the other way, no layout is left"
ILLEGAL = "supposed either way, no layout is left"
MOST_CASES = 4_000  # splits in one proof


@hookimpl
def deduce(knowledge: Knowledge, changed: int) -> Iterator[Deduction]:
    """What `update_deduct` decides in the components where something is new."""
    stated = knowledge.stated
    totals = tuple(c for c in stated if c.is_global)
    near = tuple(c for c in stated if not c.is_global)
    if not totals:
        near = tuple(affected_components(near, changed))
    premises = (*near, *totals)
    state = LegalityState(premises)
    _, to_open, to_mark = state.update_deduct()
    for cells, is_mine in ((to_open, 0), (to_mark, 1)):
        make = Deduction.true if is_mine else Deduction.false
        for k in cells:
            shown = refute(premises, Constraint(1 << k, 1 - is_mine, 1 - is_mine), MOST_CASES)
            if shown is not None:
                yield make(1 << k, shown.premises, ONLY_WAY, shown.method)
    if not to_open and not to_mark and state.is_legal() is not Legality.LEGAL:
        shown = refute(premises, Constraint(0, 0, 0), MOST_CASES)
        if shown is not None:
            yield Deduction.bounds(0, 1, 0, shown.premises, ILLEGAL, shown.method)
