"""Sets of cells as ints: bit k is cell k. Intersection is `&`, size is `bit_count()`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


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
