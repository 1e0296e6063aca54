"""The trained model: pictures of cells -> how likely each drawing is. `training/` makes its file."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.errors import MachineLacks
from vision.cells.classes import CLASSES, NUMBER
from vision.cells.closer import closer
from vision.frame import Pixels
from vision.shipped import AGAIN, shipped

SIDE = 32  # pixels of the picture that the network sees
BATCH = 512  # pictures that go through the network together; more only takes memory
# probability from which a picture needs no closer look: of 3,000 drawn cells of the validation families with
# a small drawing that were as sure, none was wrong, and a closer look made no log-likelihood better
DECIDED = 0.995
FILE = "model.onnx"
NUMBERS = np.flatnonzero(NUMBER > 0)  # places in CLASSES


def prepare(picture: Pixels) -> NDArray[np.uint8]:
    """A cell's picture, (height, width, 3), at the network's size, (SIDE, SIDE, 3)."""
    import cv2

    height, width = picture.shape[:2]
    shrinks = height >= SIDE and width >= SIDE
    how = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, (SIDE, SIDE), interpolation=how), np.uint8)


def planes(small: NDArray[np.uint8]) -> NDArray[np.float32]:
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

        data = shipped(__package__, FILE)
        try:
            return cls(cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8)))
        except cv2.error as error:
            raise MachineLacks(
                f"vision/cells/{FILE}: OpenCV {cv2.__version__} cannot run it: {AGAIN}"
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
        parts = closer([pictures[k] for k in doubted.tolist()])
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
        self._network.setInput(planes(small))
        return np.asarray(self._network.forward(), np.float32).reshape(len(small), len(CLASSES))


def _normalised(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    scores = scores - scores.max(axis=1, keepdims=True)
    return np.asarray(scores - np.log(np.exp(scores).sum(axis=1, keepdims=True)))
