"""Cross: a number counts the mines in a plus of radius two instead of the eight cells around it."""

from __future__ import annotations

from functools import lru_cache

from games.minesweeper.variants.registry import Variant

RADIUS = 2


@lru_cache(maxsize=64)
def plus(rows: int, columns: int) -> tuple[int, ...]:
    """For each cell the set of the up to eight cells that are one or two away in its row or its column."""
    sets = []
    for k in range(rows * columns):
        row, column = divmod(k, columns)
        found = 0
        for away in (step for step in range(-RADIUS, RADIUS + 1) if step):
            if 0 <= row + away < rows:
                found |= 1 << k + away * columns
            if 0 <= column + away < columns:
                found |= 1 << k + away
        sets.append(found)
    return tuple(sets)


VARIANT = Variant(
    "cross", "a number counts the mines up to two cells away in its row and its column", counted=plus
)
