"""What a trained network says of cut-outs: is this one whole cell of a board, rightly cut?"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from games.errors import MachineLacks
from vision.frame import Pixels
from vision.locating.cutouts import Place, cut_outs, prepared

# whole: a cell; shifted, pitch: a board, but cut beside its cells or in another size; outside: no cell of a
# board; cut: a cell of which a part is hidden; other: a cell of another grid, as of a table
CLASSES = ("whole", "shifted", "pitch", "outside", "cut", "other")
WHOLE, SHIFTED, PITCH, OUTSIDE, CUT, OTHER = range(len(CLASSES))
MODEL = Path(__file__).parent / "cells.onnx"
BATCH = 32  # cut-outs in one run of the network; another number each time costs a setup each time


def opinions(pixels: Pixels, places: Sequence[Place]) -> NDArray[np.float32]:
    """(places, CLASSES): how likely each place is what. Raises MachineLacks without the network's file."""
    if not places:
        return np.zeros((0, len(CLASSES)), np.float32)
    network, cells = _network(), prepared(cut_outs(pixels, places))
    found = []
    for at in range(0, len(cells), BATCH):
        part = cells[at : at + BATCH]
        if len(part) < BATCH:
            part = np.concatenate([part, np.zeros((BATCH - len(part), *part.shape[1:]), np.float32)])
        network.setInput(part)
        found.append(np.array(network.forward()))
    values = np.concatenate(found)[: len(places)]
    shares = np.exp(values - values.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True), np.float32)


@lru_cache(maxsize=1)
def _network() -> cv2.dnn.Net:
    try:
        data, checksum = MODEL.read_bytes(), MODEL.with_suffix(".sha256").read_text(encoding="ascii").strip()
    except OSError as error:
        raise MachineLacks(f"{MODEL.name} is missing: install Sapper again") from error
    if hashlib.sha256(data).hexdigest() != checksum:
        raise MachineLacks(f"{MODEL.name} is damaged: install Sapper again")
    return cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))
