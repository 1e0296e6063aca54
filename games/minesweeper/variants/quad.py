"""Quad: every 2x2 window holds at least one mine (announced in Deduction functions)."""

from __future__ import annotations

from functools import lru_cache

from games.logic import Constraint
from games.minesweeper.variants.registry import Variant


@lru_cache(maxsize=64)
def windows(rows: int, columns: int, mines: int | None) -> tuple[Constraint, ...]:
    """At least one mine in each window, named by its upper left cell."""
    found = []
    for row in range(rows - 1):
        for column in range(columns - 1):
            first = row * columns + column
            cells = 0b11 << first | 0b11 << first + columns
            found.append(Constraint(cells, 1, 4, f"window r{row}c{column}"))
    return tuple(found)


# around a zero there would be four windows without a mine
VARIANT = Variant("quad", "every 2x2 window holds at least one mine", windows, promises=("safe", "none"))
