"""The memory that counting works in, and the names of its array types."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]
Bytes: TypeAlias = npt.NDArray[np.uint8]
Words: TypeAlias = npt.NDArray[np.uint64]

MOST_MOVES = (
    60_000  # steps (state, mines put into a class) of counting everything; above that it is not counted
)
MOST_NUMBERS = 3_000_000  # coefficients of all states together
HASHED = 1 << 15  # places of the table that finds a state again
MOST_STATES = 12_000  # of one level
FIELD = 15  # a state keeps up to four bits for each constraint that is begun, …
ROOM = 62  # … and so many for all of them
SMALLEST = 1e-290  # what is possible never weighs less than this, so that it cannot be taken for impossible
NEXT_STATE, NEXT_NUMBER, NEXT_MOVE, STAMP = range(4)  # places of `Tables.used`


class Tables(NamedTuple):
    """Room for the states, their coefficients and the moves (steps) between them.

    Of each state: what its begun constraints hold (`key`), its `least` and `most` mines, where its
    coefficients begin (`offset`); the coefficients `ahead` and `behind`. Of each move: from which state, to
    which, how many mines (`value`). The hash table: the state (`hashed`), when it was put there (`stamps`).
    What is `used`: how many states, coefficients and moves, and the last stamp.
    """

    key: Ints
    least: Ints
    most: Ints
    offset: Ints
    ahead: Floats
    behind: Floats
    source: Ints
    target: Ints
    value: Ints
    hashed: Ints
    stamps: Ints
    used: Ints


def make_tables() -> Tables:
    """Empty tables. Pages of them are touched as they are used."""
    key, least, most, offset, source, target, value = (np.empty(MOST_MOVES + 2, np.int64) for _ in range(7))
    ahead, behind = np.empty(MOST_NUMBERS, np.float64), np.empty(MOST_NUMBERS, np.float64)
    hashed, stamps, used = np.empty(HASHED, np.int64), np.zeros(HASHED, np.int64), np.zeros(4, np.int64)
    return Tables(key, least, most, offset, ahead, behind, source, target, value, hashed, stamps, used)
