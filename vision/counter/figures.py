"""The trained model of single figures: pictures of glyphs -> how likely each is which figure."""

from __future__ import annotations

import io
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.counter.lines import Ink
from vision.shipped import shipped

OTHER = "~"  # a letter, a drawing, two figures that touch
CLASSES = "0123456789/:" + OTHER
SIDE = 20  # pixels of the picture that the network sees
FILE = "figures.npz"

Weights = Sequence[tuple[NDArray[np.float32], NDArray[np.float32]]]


def prepared(ink: Ink) -> NDArray[np.float32]:
    """What the network is given of a glyph: its picture in a square, row by row, and how wide it is."""
    height, width = ink.shape
    scale = SIDE / max(height, width)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = np.asarray(cv2.resize(ink, size, interpolation=how), np.float32).reshape(size[::-1])
    canvas = np.zeros((SIDE, SIDE), np.float32)
    left, top = (SIDE - size[0]) // 2, (SIDE - size[1]) // 2
    canvas[top : top + size[1], left : left + size[0]] = small
    return np.append(canvas.ravel() - 0.3, np.float32(np.log(width / height)))


def scores(weights: Weights, given: NDArray[np.float32]) -> NDArray[np.float32]:
    """What the network says of glyphs (n, SIDE * SIDE + 1): (n, classes), before they are probabilities."""
    *hidden, last = weights
    for factors, biases in hidden:
        given = np.maximum(given @ factors + biases, 0)
    return np.asarray(given @ last[0] + last[1], np.float32)


class FigureModel:
    """Reads glyphs one by one."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights

    @classmethod
    def load(cls) -> FigureModel:
        """The model that Sapper ships. Raises MachineLacks (exit 8) when its file is missing or damaged."""
        with np.load(io.BytesIO(shipped(__package__, FILE))) as stored:
            layers = len(stored.files) // 2
            return cls([(stored[f"factors{k}"], stored[f"biases{k}"]) for k in range(layers)])

    def likelihoods(self, inks: Sequence[Ink]) -> NDArray[np.float32]:
        """Probabilities (n, 13) in the order of CLASSES."""
        if not inks:
            return np.zeros((0, len(CLASSES)), np.float32)
        scored = scores(self._weights, np.stack([prepared(ink) for ink in inks])).astype(np.float64)
        scored = np.exp(scored - scored.max(axis=1, keepdims=True))
        return np.asarray(scored / scored.sum(axis=1, keepdims=True), np.float32)
