"""A fresh board whose covers nobody knows: all its cells are one drawing, on grounds that may differ.

Where cells are covered and open, two drawings are on the board: some step from one cell to the nearest other
is large beside what is drawn in them. On a fresh board there is no such step, whatever the drawing is.
"""

from __future__ import annotations

from math import exp, log

import numpy as np
from numpy.typing import NDArray

from vision.cells import Signatures
from vision.labelling import SETTLED, Scene
from vision.tracking.resembling import without_rims

# nats for a fresh board against one in mid-game that is as usual: a constant; for the largest step, the mean
# colours of cells taken away, beside the contrast inside of them; for the largest step in grey levels. By
# logistic regression on a fresh board and one in mid-game of 1,000 themes of the training families
FRESH = (9.40, -7.47, -0.094)
USUAL = log(19)  # nats; that a game begins with a fresh board, assumed of nineteen in twenty
FAINT = 8.0  # grey levels that are added to any contrast: what little noise makes is none


def is_fresh(scene: Scene, signed: Signatures) -> bool:
    """Whether the first picture of a game shows a fresh board, so surely as a state is settled.

    `signed` has a line for each cluster that was met.
    """
    inner = without_rims(signed[scene.present]).astype(np.float32)
    colours = inner.reshape(len(inner), -1, 3)
    contrast = (colours.max(axis=1) - colours.min(axis=1)).max(axis=1)
    usual = float(np.average(contrast, weights=scene.counts)) + FAINT
    even = (colours - colours.mean(axis=1, keepdims=True)).reshape(len(inner), -1)
    nats = USUAL + FRESH[0] + FRESH[1] * _largest_step(even) / usual + FRESH[2] * _largest_step(inner)
    return 1.0 / (1.0 + exp(-nats)) >= SETTLED


def _largest_step(pictures: NDArray[np.float32]) -> float:
    """The longest of the shortest links that hang all pictures, (pictures, values), together."""
    apart = np.full(len(pictures), np.inf)
    is_out = np.ones(len(pictures), np.bool_)
    place, longest = 0, 0.0
    while True:
        is_out[place] = False
        if not is_out.any():
            return longest
        apart = np.minimum(apart, np.abs(pictures - pictures[place]).max(axis=1))
        place = int(np.where(is_out, apart, np.inf).argmin())
        longest = max(longest, float(apart[place]))
