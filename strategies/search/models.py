"""A model: one layout that satisfies all constraints, searched for where they cannot be counted.

What `refutation` is to what cannot be, this is to what can: one layout is enough, and so no count of all of
them is needed. It goes where constraints tie so many variables together that they cannot be counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from games.logic import Constraint, Problem
from strategies.search.splitting import Budget, Model, lowest, search

MOST_SPLITS = 4_000  # in one search


@dataclass(frozen=True, slots=True)
class Found:
    """What a search came to: a layout (the set of its true cells), None when there is none.

    `is_known` is False when the search gave up at its cap.
    """

    layout: int | None
    is_known: bool = True


@dataclass(slots=True)
class Models:
    """Models of some constraints, one for each question that is asked of them.

    `ever_true` and `ever_false` are the cells that some model found so far has true, has false. A search
    chooses cells that were never true first, so that few models show much.
    """

    constraints: Sequence[Constraint]
    ever_true: int = 0
    ever_false: int = 0
    _problem: Problem = field(init=False, repr=False)
    _shown: int = 0  # ever_true in the numbers of the problem

    def __post_init__(self) -> None:
        self._problem = Problem.of(self.constraints)

    @property
    def cells(self) -> int:
        """All cells (a set) that the constraints speak of."""
        return sum(1 << k for k in self._problem.names)

    def find(self, true: int = 0, false: int = 0) -> Found:
        """A model with these cells (sets) true and false; cells that may be anything are false in it."""
        problem = self._problem
        known = Model(problem.here(true), problem.here(false))
        found = search(problem, Budget(MOST_SPLITS), known, pick=self._pick)
        if found is None:
            return Found(None, is_known=False)
        return Found(self._keep(found.true)) if isinstance(found, Model) else Found(None)

    def _pick(self, cells: int) -> int:
        return lowest(cells & ~self._shown or cells)

    def _keep(self, true: int) -> int:
        self._shown |= true
        layout = self._problem.there(true)
        self.ever_true |= layout
        self.ever_false |= self.cells & ~layout
        return layout
