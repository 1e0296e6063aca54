"""Cell model: the probability of each state for pictures of single cells.

A trained network classifies each picture. Programs draw small digits into large cells, and at the network's
input size little of them is left, so cells with a small drawing are classified a second time, cropped to the
drawing (`crop_to_drawing`). `training/` produces the network file. CLASSES is the order of its outputs;
UNKNOWN stands for anything that is not a cell of a game.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.minesweeper import DIGITS, EXPLODED, FLAG, HIDDEN, MINE, QUESTION, UNKNOWN, WRONG_FLAG
from vision.frame import Pixels
from vision.params import load_network

CLASSES: tuple[str, ...] = (HIDDEN, *DIGITS, FLAG, QUESTION, MINE, EXPLODED, WRONG_FLAG, UNKNOWN)
NUMBER = np.array([int(state) if state in DIGITS else -1 for state in CLASSES])  # -1: not a number
BLANK = "blank"  # a cell without a drawing: hidden, or open and empty


def most_likely(row: NDArray[np.float32]) -> str:
    """Most likely state of a picture; BLANK for both hidden and empty.

    `row` is (classes,), natural logarithms of probabilities.
    """
    sure = np.exp(row)
    if sure[CLASSES.index(HIDDEN)] + sure[CLASSES.index("0")] >= sure[2:].max():
        return BLANK
    return CLASSES[2 + int(sure[2:].argmax())]


def certainty(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Log-probability of the likeliest state of each picture; hidden and empty count as one state.

    `rows` is (pictures, classes), natural logarithms of probabilities.
    """
    return np.asarray(np.maximum(np.logaddexp(rows[:, 0], rows[:, 1]), rows[:, 2:].max(axis=1)))


# Chosen on drawn cells of the validation families (docs/adr/010-cell-model.md).
RIM = 0.14  # fraction of the cell's side taken by edges and lines
FAINT = 16.0  # grey levels; minimum contrast of a drawing
INK = 0.3  # fraction of the highest contrast that belongs to the drawing
SMALL = 0.55  # fraction of the cell's side; drawings up to this size are cropped
FILLED = 0.7  # fraction of the cropped cell's side that the drawing fills
LEAST_DRAWING, LEAST_CELL = 5, 16  # pixels; smaller drawings and cells are not cropped


def crop_to_drawing(pictures: Sequence[Pixels]) -> dict[int, Pixels]:
    """Crop cell pictures, (height, width, 3) each, around small drawings: index -> crop.

    Pictures without a small drawing are omitted.
    """
    by_shape: dict[tuple[int, ...], list[int]] = {}
    for k, picture in enumerate(pictures):
        if min(picture.shape[:2]) >= LEAST_CELL:
            by_shape.setdefault(picture.shape, []).append(k)
    found = {}
    for (height, width, _), places in by_shape.items():
        above, left = round(height * RIM), round(width * RIM)
        inner = np.stack([pictures[k][above : height - above, left : width - left] for k in places])
        for which, top, bottom, first, last in _drawings(inner):
            size = max(bottom - top, last - first)
            if size < LEAST_DRAWING or bottom - top > SMALL * height or last - first > SMALL * width:
                continue
            side = min(round(size / FILLED), height, width)
            y = _start((top + bottom) / 2 + above, side, height)
            x = _start((first + last) / 2 + left, side, width)
            found[places[which]] = pictures[places[which]][y : y + side, x : x + side]
    return found


def _drawings(inner: Pixels) -> Iterator[tuple[int, int, int, int, int]]:
    """Index of each picture with a drawing, and the drawing's extent: top, bottom, left, right."""
    planes = np.ascontiguousarray(inner.transpose(0, 3, 1, 2))
    ground = np.median(planes.reshape(*planes.shape[:2], -1), axis=2).astype(np.float32)
    stands_out = np.abs(planes - ground[:, :, None, None]).max(axis=1)
    most = stands_out.max(axis=(1, 2)).astype(np.float64)
    ink = stands_out > np.maximum(FAINT / 2, INK * most)[:, None, None]
    down, across = _extents(ink.any(axis=2)), _extents(ink.any(axis=1))
    for k in np.flatnonzero(most >= FAINT):
        yield int(k), *down[k], *across[k]


def _extents(has_ink: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First and past-the-end index of ink in each row."""
    ends = has_ink.shape[1] - has_ink[:, ::-1].argmax(axis=1)
    return list(zip(has_ink.argmax(axis=1).tolist(), ends.tolist(), strict=True))


def _start(middle: float, side: int, whole: int) -> int:
    """First pixel of an interval of length `side` centred on `middle`, kept within the whole."""
    return min(max(round(middle - side / 2), 0), whole - side)


SIDE = 32  # pixels; side of the network's input
# Pictures per network run; larger batches only need more memory. OpenCV 5.0.0.93 for Windows ends the process
# (0xc0000409) when a batch is much larger than the one before, so all batches there are padded to one size.
BATCH = 512 if sys.platform != "win32" else 32
# probability above which a picture is not cropped: of 3,000 drawn cells of the validation families with a
# small drawing and this probability, none was wrong, and cropping improved no log-likelihood
DECIDED = 0.995
FILE = "cells.onnx"
NUMBERS = np.flatnonzero(NUMBER > 0)  # places in CLASSES


def prepare(picture: Pixels) -> NDArray[np.uint8]:
    """A cell's picture, (height, width, 3), at the network's size, (SIDE, SIDE, 3)."""
    import cv2

    height, width = picture.shape[:2]
    shrinks = height >= SIDE and width >= SIDE
    how = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, (SIDE, SIDE), interpolation=how), np.uint8)


def input_planes(small: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Network input for pictures (n, SIDE, SIDE, 3): (n, 7, SIDE, SIDE).

    Three planes are the colours minus their means, divided by the standard deviation; four are constant: the
    means and the deviation. The network therefore depends little on a theme's contrast and colours.
    """
    pictures = small.transpose(0, 3, 1, 2).astype(np.float32)
    mean = pictures.mean(axis=(2, 3), keepdims=True)
    pictures -= mean
    spread = np.sqrt(np.square(pictures).mean(axis=(1, 2, 3), keepdims=True))
    given = np.empty((len(small), 7, SIDE, SIDE), np.float32)
    np.divide(pictures, spread + 8, out=given[:, :3])  # 8 grey levels: noise of an even picture stays small
    given[:, 3:6] = mean / 255
    given[:, 6:] = np.log1p(spread) / 5
    return given


class CellModel:
    """Classifies cells. Each result depends only on its own picture, not on the batch."""

    def __init__(self, network: Any) -> None:
        self._network = network

    @classmethod
    def load(cls) -> CellModel:
        """The shipped model. Raises MissingRequirement (exit 8) if its file is missing or damaged."""
        return cls(load_network(FILE))

    def likelihoods(self, pictures: Sequence[Pixels]) -> NDArray[np.float32]:
        """Calibrated log-probabilities, (n, 16) in the order of CLASSES; each row's sum of exponents is 1.

        A picture is one cell, (height, width, 3) uint8 BGR, of any size. If an uncertain picture contains a
        small drawing, the whole decides whether it shows a number, and whole and crop decide which one.
        """
        if not pictures:
            return np.zeros((0, len(CLASSES)), np.float32)
        looks = self._looks(pictures)
        doubted = np.flatnonzero(looks.max(axis=1) < log(DECIDED))
        parts = crop_to_drawing([pictures[k] for k in doubted.tolist()])
        if parts:
            of = doubted[list(parts)]
            own = looks[np.ix_(of, NUMBERS)]
            both = (own + self._looks(list(parts.values()))[:, NUMBERS]) / 2
            lost = np.logaddexp.reduce(own, axis=1) - np.logaddexp.reduce(both, axis=1)
            looks[np.ix_(of, NUMBERS)] = both + lost[:, None]
        return looks.astype(np.float32)

    def _looks(self, pictures: Sequence[Pixels]) -> NDArray[np.float64]:
        """Log-probabilities of the whole pictures, without crops."""
        small = np.stack([prepare(picture) for picture in pictures])
        parts = [self._scores(small[k : k + BATCH]) for k in range(0, len(small), BATCH)]
        scores = np.concatenate(parts).astype(np.float64)
        scores -= scores.max(axis=1, keepdims=True)
        return np.asarray(scores - np.log(np.exp(scores).sum(axis=1, keepdims=True)))

    def _scores(self, small: NDArray[np.uint8]) -> NDArray[np.float32]:
        count = len(small)
        if sys.platform == "win32":
            small = np.pad(small, ((0, BATCH - count), (0, 0), (0, 0), (0, 0)))
        self._network.setInput(input_planes(small))
        return np.asarray(self._network.forward(), np.float32).reshape(len(small), len(CLASSES))[:count]
