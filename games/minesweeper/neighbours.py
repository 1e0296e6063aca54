"""The cells around a cell."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=64)
def neighbours(rows: int, columns: int) -> tuple[int, ...]:
    """For each cell of a rows x columns board, the set (int) of its up to eight neighbours."""
    sets = []
    for k in range(rows * columns):
        row, column = divmod(k, columns)
        around = 0
        for r in range(max(row - 1, 0), min(row + 2, rows)):
            for c in range(max(column - 1, 0), min(column + 2, columns)):
                around |= 1 << (r * columns + c)
        sets.append(around & ~(1 << k))
    return tuple(sets)
