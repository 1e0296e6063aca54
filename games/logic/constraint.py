"""Cell sets, constraints on them, and connected components of constraints.

A cell set is an int: bit k is cell k. Intersection is `&`, size is `bit_count()`. A constraint states that
between `low` and `high` of its cells are true ("are mines").
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from operator import index
from typing import NamedTuple

from games.errors import ArgumentError, InvalidFile


def bits(cells: int) -> Iterator[int]:
    """The cells of a cell set, in ascending order."""
    if cells < 0:
        raise ArgumentError(f"{cells} is no cell set: pass an int of 0 or more, see `cell_set`")
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest


def cell_set(cells: Iterable[int]) -> int:
    """The cell set of these cells."""
    result = 0
    for k in map(index, cells):  # a numpy integer would overflow in a shift
        if k < 0:
            raise ArgumentError(f"{k} is no cell: cells are numbered from 0, row by row")
        result |= 1 << k
    return result


class Constraint(NamedTuple):
    """Between `low` and `high` of `cells` are true.

    An exact constraint (low == high) is the *mines distribution* (P, N) of Inference Rules. `source` is
    opaque to reasoning: the cell of a clue, the mine total, a line of a Clue log; None for a derived
    constraint. `is_global` marks the mine total, which components ignore. A named tuple, because one decision
    creates, compares and hashes hundreds of constraints.
    """

    cells: int
    low: int
    high: int
    source: Hashable = None
    is_global: bool = False

    @property
    def size(self) -> int:
        """Number of cells, |P|."""
        return self.cells.bit_count()

    @property
    def is_exact(self) -> bool:
        """Whether low == high."""
        return self.low == self.high

    @property
    def is_trivial(self) -> bool:
        """Whether every assignment satisfies it."""
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

    def holds(self, true: int) -> bool:
        """Whether it is satisfied if exactly these cells are true."""
        return self.low <= (self.cells & true).bit_count() <= self.high

    def reduced(self, true: int, false: int) -> Constraint:
        """The constraint on the remaining cells, given the known true and false cells."""
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
        """Read `2:0,1,5` (exact) or `1..2:0,1,5` (bounds), without a source. Raises InvalidFile."""
        match = re.fullmatch(r"\s*(-?\d+)(?:\.\.(-?\d+))?:([\d,\s]*)", text)
        if not match:
            raise InvalidFile(f"'{text}' is not a constraint: write it as 2:0,1,5 or 1..2:0,1,5")
        cells = cell_set(int(number) for number in match[3].split(",") if number.strip())
        return cls(cells, int(match[1]), int(match[2] or match[1]))


def union_cells(constraints: Iterable[Constraint]) -> int:
    """The cells that occur in at least one of the constraints."""
    cells = 0
    for constraint in constraints:
        cells |= constraint.cells
    return cells


def connected_components(constraints: Iterable[Constraint]) -> list[list[Constraint]]:
    """Groups of constraints that share no cell, ordered by their first constraint (union-find)."""
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
        lead = leader[place] = leader[leader[place]]  # earlier entries already point at their root
        groups.setdefault(lead, []).append(constraint)
    return list(groups.values())


def affected_components(constraints: Iterable[Constraint], changed: int) -> list[Constraint]:
    """The constraints of every component that contains a changed cell, in the given order.

    Works on whole cell sets, one pass over the remaining constraints per step outwards, so a small change on
    a large board is cheap.
    """
    remaining = list(enumerate(constraints))
    found: list[tuple[int, Constraint]] = []
    cells = changed
    while True:
        untouched = []
        for each in remaining:
            if each[1].cells & cells:
                cells |= each[1].cells
                found.append(each)
            else:
                untouched.append(each)
        if len(untouched) == len(remaining):
            return [constraint for _, constraint in sorted(found, key=lambda each: each[0])]
        remaining = untouched
