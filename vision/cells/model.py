"""The cell model: a trained network that maps cell images to log-likelihoods of the cell states.

`CLASSES` lists the states in the order of the network; UNKNOWN stands for everything that is no cell of a
game. Some programs write numbers of ten pixels into cells of fifty. At the input size of the network
little remains of them, so the network also sees the cell cropped to its drawing. `training/` makes the
file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.errors import MissingRequirement
from games.minesweeper import DIGITS, EXPLODED, FLAG, HIDDEN, MINE, QUESTION, UNKNOWN, WRONG_FLAG
from vision.frame import Pixels
from vision.params import AGAIN, load_data_file

CLASSES: tuple[str, ...] = (HIDDEN, *DIGITS, FLAG, QUESTION, MINE, EXPLODED, WRONG_FLAG, UNKNOWN)
# the shares of the classes among the cells that the model was trained on (training/README.md), which its
# probabilities assume; without them they are likelihoods
CLASS_PRIORS: tuple[float, ...] = (0.088, 0.088, *[0.053] * 8, 0.053, 0.035, 0.053, 0.026, 0.035, 0.2)
NUMBER = np.array([int(state) if state in DIGITS else -1 for state in CLASSES])  # -1 for no number
BLANK = "blank"  # nothing is drawn in the cell: it is hidden, or open and empty


def most_likely(row: NDArray[np.float32]) -> str:
    """What a picture most likely shows, hidden and empty cells not distinguished.

    `row` is (classes,), natural logarithms of probabilities.
    """
    sure = np.exp(row)
    if sure[CLASSES.index(HIDDEN)] + sure[CLASSES.index("0")] >= sure[2:].max():
        return BLANK
    return CLASSES[2 + int(sure[2:].argmax())]


# Chosen on drawn cells of the validation families (docs/decisions/046-a-closer-look.md).
RIM = 0.14  # of a cell's side: what edges and lines may take
FAINT = 16.0  # grey levels: what stands out no more than this is no drawing
INK = 0.3  # of what stands out most: what belongs to the drawing
SMALL = 0.55  # of a cell's side: drawings up to this size are looked at more closely
FILLED = 0.7  # of the smaller cell's side: the drawing in it
LEAST_DRAWING, LEAST_CELL = 5, 16  # pixels: smaller ones have no more to show


def crop_to_drawing(pictures: Sequence[Pixels]) -> dict[int, Pixels]:
    """The parts of cells' pictures, (height, width, 3) each, around a small drawing, by their places.

    Those without one have none.
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
    """The place of each picture that shows something, and where that begins and ends, down and across."""
    planes = np.ascontiguousarray(inner.transpose(0, 3, 1, 2))
    ground = np.median(planes.reshape(*planes.shape[:2], -1), axis=2).astype(np.float32)
    stands_out = np.abs(planes - ground[:, :, None, None]).max(axis=1)
    most = stands_out.max(axis=(1, 2)).astype(np.float64)
    ink = stands_out > np.maximum(FAINT / 2, INK * most)[:, None, None]
    down, across = _extents(ink.any(axis=2)), _extents(ink.any(axis=1))
    for k in np.flatnonzero(most >= FAINT):
        yield int(k), *down[k], *across[k]


def _extents(has_ink: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Where it begins in each row, and ends."""
    ends = has_ink.shape[1] - has_ink[:, ::-1].argmax(axis=1)
    return list(zip(has_ink.argmax(axis=1).tolist(), ends.tolist(), strict=True))


def _start(middle: float, side: int, whole: int) -> int:
    """The first pixel of a part of this side around the middle, inside of the whole."""
    return min(max(round(middle - side / 2), 0), whole - side)


SIDE = 32  # pixels of the picture that the network sees
BATCH = 512  # pictures that go through the network together; more only takes memory
# probability from which a picture needs no closer look: of 3,000 drawn cells of the validation families with
# a small drawing that were as sure, none was wrong, and a closer look made no log-likelihood better
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
    """What the network is given for pictures (n, SIDE, SIDE, 3): (n, 7, SIDE, SIDE).

    Three planes are the colours without each one's mean, over the picture's deviation; four are even: the
    means and the deviation. So contrast and colours of a theme matter little, and are still there.
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
    """Reads cells one by one. The same pictures give the same numbers, whatever is asked with them."""

    def __init__(self, network: Any) -> None:
        self._network = network

    @classmethod
    def load(cls) -> CellModel:
        """The model that Sapper ships. Raises MachineLacks (exit 8) when its file is missing or damaged."""
        import cv2

        data = load_data_file(FILE)
        try:
            return cls(cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8)))
        except cv2.error as error:
            raise MissingRequirement(
                f"vision/params/{FILE}: OpenCV {cv2.__version__} cannot run it: {AGAIN}"
            ) from error

    def likelihoods(self, pictures: Sequence[Pixels]) -> NDArray[np.float32]:
        """Calibrated log-probabilities, (n, 16) in the order of CLASSES; each row's sum of exponents is 1.

        A picture is one cell, (height, width, 3) uint8 blue green red, of any size. Of one with a small
        drawing, unless it is beyond doubt, a part is looked at as well: whether it is a number the whole
        says, and which, both alike.
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
        """What each picture alone looks like."""
        small = np.stack([prepare(picture) for picture in pictures])
        parts = [self._scores(small[k : k + BATCH]) for k in range(0, len(small), BATCH)]
        return _normalised(np.concatenate(parts).astype(np.float64))

    def _scores(self, small: NDArray[np.uint8]) -> NDArray[np.float32]:
        self._network.setInput(input_planes(small))
        return np.asarray(self._network.forward(), np.float32).reshape(len(small), len(CLASSES))


def _normalised(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    scores = scores - scores.max(axis=1, keepdims=True)
    return np.asarray(scores - np.log(np.exp(scores).sum(axis=1, keepdims=True)))
