"""What a trained network says of cut-outs: is this one whole cell of a board, rightly cut?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.locating.judged.cutouts import Place, Window, cut_outs, prepared, windows
from vision.shipped import shipped

# whole: a cell; shifted, pitch: a board, but cut beside its cells or in another size; outside: no cell of a
# board; cut: a cell of which a part is hidden; other: a cell of another grid, as of a table
CLASSES = ("whole", "shifted", "pitch", "outside", "cut", "other")
WHOLE, SHIFTED, PITCH, OUTSIDE, CUT, OTHER = range(len(CLASSES))
LEAST = 1e-3  # probability that stands for 0: one odd cell (a flag, a face) must not outweigh ten others
FILE = "cells.onnx"
BATCH = 8  # cut-outs in one run of the network; another number each time costs a setup each time

Floats = NDArray[np.float32]


class Judge:
    """The opinions of the network on places of one picture, each asked for once."""

    def __init__(self, pixels: Pixels) -> None:
        self.pixels = pixels
        self._known: dict[Window, Floats] = {}

    @property
    def asked(self) -> int:
        """How many places it has looked at."""
        return len(self._known)

    def says(self, places: Sequence[Place]) -> Floats:
        """(places, CLASSES): how likely each is what. Raises MachineLacks without the network's file."""
        wanted = windows(places)
        unknown = list(dict.fromkeys(window for window in wanted if window not in self._known))
        if unknown:
            self._known.update(zip(unknown, _opinions(self.pixels, unknown), strict=True))
        return np.array([self._known[window] for window in wanted], np.float32).reshape(-1, len(CLASSES))

    def scores(self, places: Sequence[Place]) -> Floats:
        """For each place the logarithm of how likely it is a whole cell, rightly cut."""
        return np.asarray(np.log(self.says(places)[:, WHOLE] + LEAST), np.float32)


def _opinions(pixels: Pixels, seen: Sequence[Window]) -> Floats:
    network, cells = _network(), prepared(cut_outs(pixels, seen))
    found = []
    for at in range(0, len(cells), BATCH):
        part = cells[at : at + BATCH]
        if len(part) < BATCH:
            part = np.concatenate([part, np.zeros((BATCH - len(part), *part.shape[1:]), np.float32)])
        network.setInput(part)
        found.append(np.array(network.forward()))
    values = np.concatenate(found)[: len(seen)]
    shares = np.exp(values - values.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True), np.float32)


@lru_cache(maxsize=1)
def _network() -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(np.frombuffer(shipped(__package__, FILE), np.uint8))
