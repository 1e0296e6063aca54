"""The words in which a proof is written: names come from outside, so that any game will do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from games.logic.bits import bits
from games.logic.constraint import Constraint
from games.logic.writing.lineage import Ground, Link

MOST_NAMED = 8  # cells that are named one by one; of more, the first few and a number
FIRST_FEW = 3


@dataclass(frozen=True, slots=True)
class Words:
    """How one game speaks.

    `cell` names a variable, `given` a constraint as the game states it ("r3c5 = 2"). The others say what it
    is to be true: of one cell, of several, the noun with and without plural; and what it is to be false.
    """

    cell: Callable[[int], str]
    given: Callable[[Constraint], str]
    is_true: str = "is a mine"
    are_true: str = "are mines"
    is_false: str = "is safe"
    are_false: str = "are safe"
    were_true: str = "were a mine"
    were_false: str = "were safe"
    thing: str = "mine"
    things: str = "mines"
    places: str = "cells"

    def is_plain(self, constraint: Constraint) -> bool:
        """Whether the name of a stated constraint says outright that its cells are true."""
        return False

    def single(self, link: Link, ground: Ground) -> str | None:
        """How the game itself puts a step that one stated constraint shows; None for the general words."""
        return None

    def listing(self, cells: int) -> str:
        """`r0c0, r0c1 and r0c2`; of many only the first few by name."""
        names = list(bits(cells))
        if len(names) > MOST_NAMED:
            first = ", ".join(map(self.cell, names[:FIRST_FEW]))
            return f"{first} and {len(names) - FIRST_FEW} other {self.places}"
        return joined([self.cell(k) for k in names])

    def count(self, number: int) -> str:
        """`1 mine`, `2 mines`."""
        return f"{number} {self.thing if number == 1 else self.things}"

    def state(self, cells: int, is_true: bool) -> str:
        """`r0c0 is safe`, `r0c0 and r0c1 are mines`."""
        if cells.bit_count() == 1:
            return f"{self.listing(cells)} {self.is_true if is_true else self.is_false}"
        return f"{self.listing(cells)} {self.are_true if is_true else self.are_false}"

    def supposed(self, cells: int, is_true: bool) -> str:
        """One cell as it is supposed to be: `r0c0 were a mine`."""
        return f"{self.listing(cells)} {self.were_true if is_true else self.were_false}"

    def fact(self, constraint: Constraint) -> str:
        """What a constraint says, as a clause."""
        low, high, cells = constraint.low, constraint.high, constraint.cells
        if constraint.is_impossible:
            return "that cannot be"
        if constraint.all_true or constraint.all_false:
            return self.state(cells, constraint.all_true)
        return f"{between(low, high, constraint.size)} of {self.listing(cells)} {self._are(low, high)}"

    def premise(self, ground: Ground) -> str:
        """A premise by name, with what is left of it: `r3c5 = 2 (1 left)`, `1 of r0c0 and r0c1`."""
        left = ground.premise
        if ground.place is not None:
            if left.all_true or left.all_false:
                return self.state(left.cells, left.all_true)
            return f"[{between(left.low, left.high, left.size)} of {self.listing(left.cells)}]"
        name = self.given(ground.full)
        if (left.low, left.high) == (ground.full.low, ground.full.high):
            return name
        return f"{name} ({between(left.low, left.high, left.size)} left)"

    def _are(self, low: int, high: int) -> str:
        one = high == 1 and low <= 1
        return self.is_true if one else self.are_true


def between(low: int, high: int, size: int) -> str:
    """`2`, `at least 1`, `at most 2`, `1 to 2`."""
    if low == high:
        return str(low)
    if high >= size:
        return f"at least {low}"
    if low <= 0:
        return f"at most {high}"
    return f"{low} to {high}"


def joined(names: Sequence[str], word: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}" if names else ""
