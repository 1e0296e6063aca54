"""What the rules of the game say at a glance of one labelling: whether there is room for every number.

This is the cheap half of what can be (a `Judge` knows the other: whether all numbers can hold together).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.cells import CLASSES, NUMBER

LETTERS = np.array(CLASSES)
MAY_BE_MINE = np.isin(LETTERS, list(".F?*!~"))  # x is a flag on a cell that is no mine
IS_MINE = np.isin(LETTERS, list("*!"))
IS_MARK = np.isin(LETTERS, list("F?"))
IS_COVERED = np.isin(LETTERS, list(".?"))


def around(cells: NDArray[np.bool_]) -> NDArray[np.int16]:
    """How many of the neighbours of each cell are marked: (rows, columns) -> (rows, columns)."""
    padded = np.zeros((cells.shape[0] + 2, cells.shape[1] + 2), np.int16)
    padded[1:-1, 1:-1] = cells
    rows = padded[:-2] + padded[1:-1] + padded[2:]
    return np.asarray(rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:] - cells, np.int16)


def contradicted(shown: NDArray[np.intp]) -> NDArray[np.bool_]:
    """The numbers that have no room for their mines, or too many beside them: (rows, columns).

    `shown` is (rows, columns), the place of each cell's state in CLASSES.
    """
    numbers = NUMBER[shown]
    short = around(MAY_BE_MINE[shown]) < numbers
    return (numbers >= 0) & (short | (around(IS_MINE[shown]) > numbers))


def clicks(shown: NDArray[np.intp], numbers: NDArray[np.bool_]) -> int:
    """About how many clicks opened a board: one for each of `numbers` that no empty cell beside it opened."""
    return int((numbers & (around(NUMBER[shown] == 0) == 0)).sum())


def unopened(shown: NDArray[np.intp]) -> int:
    """How many empty cells lie beside a covered one."""
    return int(((NUMBER[shown] == 0) & (around(IS_COVERED[shown]) > 0)).sum())


def untold(shown: NDArray[np.intp]) -> int:
    """How many flags and question marks stand where no number says anything."""
    return int((IS_MARK[shown] & (around(NUMBER[shown] > 0) == 0)).sum())
