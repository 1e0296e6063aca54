"""The states that the model distinguishes, in its order; UNKNOWN is whatever is no cell of a game."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from games.minesweeper import DIGITS, EXPLODED, FLAG, HIDDEN, MINE, QUESTION, UNKNOWN, WRONG_FLAG

CLASSES: tuple[str, ...] = (HIDDEN, *DIGITS, FLAG, QUESTION, MINE, EXPLODED, WRONG_FLAG, UNKNOWN)
# the shares of the classes among the cells that the model was trained on (training/README.md), which its
# probabilities assume; without them they are likelihoods
SHARES: tuple[float, ...] = (0.088, 0.088, *[0.053] * 8, 0.053, 0.035, 0.053, 0.026, 0.035, 0.2)
NUMBER = np.array([int(state) if state in DIGITS else -1 for state in CLASSES])  # -1 for no number
BLANK = "blank"  # nothing is drawn in the cell: it is hidden, or open and empty


def verdict(row: NDArray[np.float32]) -> str:
    """What a picture most likely shows, hidden and empty cells not distinguished.

    `row` is (classes,), natural logarithms of probabilities.
    """
    sure = np.exp(row)
    if sure[CLASSES.index(HIDDEN)] + sure[CLASSES.index("0")] >= sure[2:].max():
        return BLANK
    return CLASSES[2 + int(sure[2:].argmax())]
