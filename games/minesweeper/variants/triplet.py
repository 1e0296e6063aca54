"""Triplet: no three mines in a row, in any of the eight directions."""

from __future__ import annotations

from functools import lru_cache

from games.logic import Constraint
from games.minesweeper.variants.registry import Variant

STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))  # rows and columns from one cell of a line to the next


@lru_cache(maxsize=64)
def lines(rows: int, columns: int, mines: int | None) -> tuple[Constraint, ...]:
    """At most two mines in each three cells in line, named by their first and last cell."""
    found = []
    for down, right in STEPS:
        for row in range(rows - 2 * down):
            for column in range(columns):
                if 0 <= column + 2 * right < columns:
                    three = [(row + k * down, column + k * right) for k in range(3)]
                    cells = sum(1 << r * columns + c for r, c in three)
                    (r0, c0), _, (r2, c2) = three
                    found.append(Constraint(cells, 0, 2, f"line r{r0}c{c0}-r{r2}c{c2}"))
    return tuple(found)


VARIANT = Variant("triplet", "no three mines stand in a row, in any of the eight directions", lines)
