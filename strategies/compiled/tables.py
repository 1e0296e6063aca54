"""The memory that counting works in, and the names of its array types."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]
Bytes: TypeAlias = npt.NDArray[np.uint8]
Words: TypeAlias = npt.NDArray[np.uint64]
Tables: TypeAlias = tuple[Ints, Ints, Ints, Ints, Floats, Floats, Ints, Ints, Ints, Ints, Ints, Ints]

MOST_MOVES = (
    60_000  # steps (state, mines put into a class) of counting everything; above that it is not counted
)
MOST_NUMBERS = 3_000_000  # coefficients of all states together
HASHED = 1 << 15  # places of the table that finds a state again
MOST_STATES = 12_000  # of one level
FIELD = 15  # a state keeps up to four bits for each constraint that is begun, …
ROOM = 62  # … and so many for all of them
SMALLEST = 1e-290  # what is possible never weighs less than this, so that it cannot be taken for impossible


def make_tables() -> Tables:
    """Room for the states, their coefficients and the steps between them. Pages are touched as they are used.

    Of each state: what its begun constraints hold, its least and most mines, where its coefficients begin;
    coefficients ahead and behind; of each step: from which state, to which, how many mines; the hash table
    (state, stamp); and how much of all this is in use (states, coefficients, steps, last stamp).
    """
    return (
        np.empty(MOST_MOVES + 2, np.int64),
        np.empty(MOST_MOVES + 2, np.int64),
        np.empty(MOST_MOVES + 2, np.int64),
        np.empty(MOST_MOVES + 2, np.int64),
        np.empty(MOST_NUMBERS, np.float64),
        np.empty(MOST_NUMBERS, np.float64),
        np.empty(MOST_MOVES + 2, np.int64),
        np.empty(MOST_MOVES + 2, np.int64),
        np.empty(MOST_MOVES + 2, np.int64),
        np.empty(HASHED, np.int64),
        np.zeros(HASHED, np.int64),
        np.zeros(4, np.int64),
    )
