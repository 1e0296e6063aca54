"""Sets of cells as ints: bit k is cell k. Intersection is `&`, size is `bit_count()`.

A constraint: between `low` and `high` of these cells are true ("are mines").

Constraints that belong together: groups that share no cell, and what a change can reach.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from typing import NamedTuple

from games.errors import InvalidFile


def bits(cells: int) -> Iterator[int]:
    """The cells of a set, in rising order."""
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest


def cell_set(cells: Iterable[int]) -> int:
    """The set (int) of these cells."""
    result = 0
    for k in cells:
        result |= 1 << k
    return result


class Constraint(NamedTuple):
    """Between `low` and `high` of `cells` are true.

    `cells` is a set (int). An exact constraint (low == high) is the *mines distribution* (P, N) of Inference
    Rules. `source` is opaque to reasoning: a clue's cell, the mine total, a line of a Clue log; None for a
    derived one. `is_global` marks a constraint that ties everything together (the total): components are made
    without it. A tuple, since a decision makes, compares and looks up hundreds of them.
    """

    cells: int
    low: int
    high: int
    source: Hashable = None
    is_global: bool = False

    @property
    def size(self) -> int:
        """How many cells it speaks of, |P|."""
        return self.cells.bit_count()

    @property
    def is_exact(self) -> bool:
        """Whether it gives one number."""
        return self.low == self.high

    @property
    def is_trivial(self) -> bool:
        """Whether it says nothing: every assignment satisfies it."""
        return self.low <= 0 and self.high >= self.cells.bit_count()

    @property
    def is_impossible(self) -> bool:
        """Whether no assignment satisfies it."""
        return self.low > self.high or self.high < 0 or self.low > self.cells.bit_count()

    @property
    def all_true(self) -> bool:
        """Saturated from below: every cell must be true (N = |P|)."""
        return self.low >= self.cells.bit_count() > 0

    @property
    def all_false(self) -> bool:
        """Saturated from above: no cell can be true (N = 0)."""
        return self.high <= 0 and self.cells != 0

    def reduced(self, true: int, false: int) -> Constraint:
        """The same statement about the cells that are still open, once these are known true and false."""
        cells, low, high, source, is_global = self
        known = cells & (true | false)
        if not known:
            return self
        mines = (known & true).bit_count()
        rest = cells ^ known
        return Constraint(rest, max(low - mines, 0), min(high - mines, rest.bit_count()), source, is_global)

    def __str__(self) -> str:
        number = str(self.low) if self.is_exact else f"{self.low}..{self.high}"
        return f"{number}:{','.join(map(str, bits(self.cells)))}"

    @classmethod
    def parse(cls, text: str) -> Constraint:
        """Read `2:0,1,5` (exact) or `1..2:0,1,5` (bounds). Raises InvalidFile. Sources are not part of it."""
        match = re.fullmatch(r"\s*(-?\d+)(?:\.\.(-?\d+))?:([\d,\s]*)", text)
        if not match:
            raise InvalidFile(f"'{text}' is no constraint: write it as 2:0,1,5 or 1..2:0,1,5")
        cells = cell_set(int(number) for number in match[3].split(",") if number.strip())
        return cls(cells, int(match[1]), int(match[2] or match[1]))


def connected_components(constraints: Iterable[Constraint]) -> list[list[Constraint]]:
    """The constraints in groups that share no cell, in the order of their first ones (union-find)."""
    constraints = list(constraints)
    leader = list(range(len(constraints)))
    first: dict[int, int] = {}
    for place, constraint in enumerate(constraints):
        own = place
        for k in bits(constraint.cells):
            other = first.setdefault(k, place)
            if other == place:
                continue
            while leader[other] != other:
                leader[other] = other = leader[leader[other]]
            if other < own:
                leader[own] = own = other
            else:
                leader[other] = own
    groups: dict[int, list[Constraint]] = {}
    for place, constraint in enumerate(constraints):
        lead = leader[place] = leader[leader[place]]  # those before it name theirs already
        groups.setdefault(lead, []).append(constraint)
    return list(groups.values())


def affected_components(constraints: Iterable[Constraint], changed: int) -> list[Constraint]:
    """The constraints of every component that has a changed cell, in the order given.

    Sets are compared whole, no cell is walked: a pass over what is left for each step outwards, so a large
    board costs little where little changed.
    """
    waiting = list(enumerate(constraints))
    found: list[tuple[int, Constraint]] = []
    cells = changed
    while True:
        left, grew = [], False
        for each in waiting:
            if each[1].cells & cells:
                cells |= each[1].cells
                found.append(each)
                grew = True
            else:
                left.append(each)
        if not grew:
            return [constraint for _, constraint in sorted(found, key=lambda each: each[0])]
        waiting = left
