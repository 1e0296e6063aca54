"""Cell models with fixed answers, for tests of labelling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.cells.model import CLASSES
from vision.frame import Pixels


def row(likely: Mapping[str, float]) -> NDArray[np.float32]:
    """Log-likelihoods; a state not named has one in a million."""
    return np.log([likely.get(state, 1e-6) for state in CLASSES]).astype(np.float32)


class Shades:
    """A model of plain grey cells: the likelihoods of each shade, which is that of the cell's corner."""

    def __init__(self, says: Mapping[int, Mapping[str, float]]) -> None:
        self._says = says

    def likelihoods(self, pictures: Sequence[Pixels]) -> NDArray[np.float32]:
        return np.stack([row(self._says[int(picture[0, 0, 0])]) for picture in pictures])
