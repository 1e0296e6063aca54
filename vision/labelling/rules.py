"""What the rules of the game say at a glance of one labelling: whether there is room for every number.

This is the cheap half of what can be (a `Judge` knows the other: whether all numbers can hold together).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from games.minesweeper import UNKNOWN, Board
from vision.cells import CLASSES, NUMBER

LETTERS = np.array(CLASSES)
MAY_BE_MINE = np.isin(LETTERS, list(".F?*!~"))  # x is a flag on a cell that is no mine
IS_MINE = np.isin(LETTERS, list("*!"))
MAY_BE_SHOWN = np.isin(LETTERS, list("F*!~"))  # mines of a game that shows all, where flags are right
IS_MARK = np.isin(LETTERS, list("F?"))
IS_SIGN = np.isin(LETTERS, list("F*!x"))
IS_COVERED = np.isin(LETTERS, list(".?"))


def around(cells: NDArray[np.bool_]) -> NDArray[np.int16]:
    """How many of the neighbours of each cell are marked: (..., rows, columns) -> (..., rows, columns)."""
    *others, rows, columns = cells.shape
    padded = np.zeros((*others, rows + 2, columns + 2), np.int16)
    padded[..., 1:-1, 1:-1] = cells
    sums = padded[..., :-2, :] + padded[..., 1:-1, :] + padded[..., 2:, :]
    return np.asarray(sums[..., :-2] + sums[..., 1:-1] + sums[..., 2:] - cells, np.int16)


# what of the neighbours counts, by class: those that may be mines, are mines, may be mines where all are
# shown, are empty, covered, numbers
TRAITS = np.stack([MAY_BE_MINE, IS_MINE, MAY_BE_SHOWN, NUMBER == 0, IS_COVERED, NUMBER > 0]).astype(np.int8)
ROOM, MINES, SHOWN, EMPTY, COVERED, NUMBERS = range(len(TRAITS))
Near = NDArray[np.int16]  # (traits, rows, columns): how many neighbours of each cell have each trait


def near(shown: NDArray[np.intp]) -> Near:
    """The traits of the neighbours of each cell. `shown` is (rows, columns), places in CLASSES."""
    rows, columns = shown.shape
    padded = np.zeros((len(TRAITS), rows + 2, columns + 2), np.int16)
    own = TRAITS[:, shown]
    padded[:, 1:-1, 1:-1] = own
    sums = padded[:, :-2] + padded[:, 1:-1]
    sums += padded[:, 2:]
    counted = sums[:, :, :-2] + sums[:, :, 1:-1]
    counted += sums[:, :, 2:]
    counted -= own
    return np.asarray(counted, np.int16)


def contradicted(shown: NDArray[np.intp]) -> NDArray[np.bool_]:
    """The numbers that have no room for their mines, or too many beside them: (rows, columns)."""
    beside = near(shown)
    numbers = NUMBER[shown]
    return np.asarray((beside[ROOM] < numbers) | ((beside[MINES] > numbers) & (numbers >= 0)))


def without_contradictions(board: Board) -> Board:
    """The board without the numbers that cannot be, whatever its hidden cells hold.

    Where one has no room, an empty cell beside it may as well be what was misread: it goes, too.
    """
    shown = np.array([CLASSES.index(state) for state in board.cells]).reshape(board.rows, board.columns)
    wrong = contradicted(shown)
    crowded = wrong & (near(shown)[ROOM] < NUMBER[shown])
    misread = wrong | ((NUMBER[shown] == 0) & (around(crowded) > 0))
    return board.showing(dict.fromkeys(np.flatnonzero(misread).tolist(), UNKNOWN))
