"""A layout that shows that something can be: a search that counts, chooses and steps back.

What `refuting` is to what cannot be, this is to what can: it looks for one layout only, and so needs no count
of all of them. It goes where constraints tie so many variables together that they cannot be counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from games.logic import Constraint, bits
from strategies.search.forcing import forced

MOST_TRIED = 4_000  # suppositions in one search


@dataclass(frozen=True, slots=True)
class Witness:
    """What a search came to: a layout (the set of its true cells), None when there is none.

    `is_known` is False when the search gave up at its cap.
    """

    layout: int | None
    is_known: bool = True


@dataclass(slots=True)
class Witnesses:
    """Layouts of some constraints, one for each question that is asked of them.

    `ever_true` and `ever_false` are the cells that some layout found so far has true, has false. A search
    chooses cells that were never true first, so that few layouts show much.
    """

    constraints: Sequence[Constraint]
    ever_true: int = 0
    ever_false: int = 0
    _names: list[int] = field(default_factory=list)
    _rules: list[tuple[int, int, int]] = field(default_factory=list)
    _touching: dict[int, list[int]] = field(default_factory=dict)
    _local: dict[int, int] = field(default_factory=dict)
    _shown: int = 0  # ever_true in local cells

    def __post_init__(self) -> None:
        cells = 0
        for constraint in self.constraints:
            cells |= constraint.cells
        self._names = list(bits(cells))
        self._local = {k: 1 << place for place, k in enumerate(self._names)}
        self._rules = [(self._here(c.cells), c.low, c.high) for c in self.constraints]
        self._touching = {cell: [] for cell in self._local.values()}
        for place, (members, _, _) in enumerate(self._rules):
            for k in bits(members):
                self._touching[1 << k].append(place)

    @property
    def cells(self) -> int:
        """All cells (a set) that the constraints speak of."""
        return sum(1 << k for k in self._names)

    def find(self, true: int = 0, false: int = 0) -> Witness:
        """A layout with these cells (sets) true and false; cells that may be anything are false in it."""
        stack: list[tuple[int, int, Sequence[int]]] = []
        stack.append((self._here(true), self._here(false), range(len(self._rules))))
        tried = 0
        while stack:
            tried += 1
            if tried > MOST_TRIED:
                return Witness(None, is_known=False)
            known = forced(self._rules, self._touching, *stack.pop())
            if known is None:
                continue
            cell = self._choice(*known)
            if not cell:
                return Witness(self._keep(known[0]))
            waiting = self._touching[cell]
            stack.append((known[0], known[1] | cell, waiting))
            stack.append((known[0] | cell, known[1], waiting))
        return Witness(None)

    def _here(self, cells: int) -> int:
        return sum(self._local[k] for k in bits(cells))

    def _keep(self, true: int) -> int:
        self._shown |= true
        layout = sum(1 << self._names[place] for place in bits(true))
        self.ever_true |= layout
        self.ever_false |= self.cells & ~layout
        return layout

    def _choice(self, true: int, false: int) -> int:
        """A cell of the rule with the fewest open ones that can still fail; 0 when none can."""
        fewest, choice = len(self._names) + 1, 0
        known = true | false
        for cells, low, high in self._rules:
            free = cells & ~known
            if not free:
                continue
            room = free.bit_count()
            if room < fewest:
                found = (cells & true).bit_count()
                if found < low or found + room > high:
                    fewest, choice = room, free
        fresh = choice & ~self._shown
        return (fresh or choice) & -(fresh or choice)
