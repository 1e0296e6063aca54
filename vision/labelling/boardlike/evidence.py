"""What speaks for a board in what was read, and whether that is enough."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from games.minesweeper import DIGITS
from vision.cells import CLASSES, SHARES, Likelihoods
from vision.labelling.boardlike.weights import ADDED, BOARD
from vision.labelling.evidence import COVER, OTHER, ZERO
from vision.labelling.scene import Scene

MOST = 8.0  # nats that one cell, or one cluster of a number, can say: the model is not surer of anything
LEAST = 1e-6  # probability that stands for 0
BELIEVED = 0.5  # probability of a board from which it is likelier one than not
NUMBERS = tuple(CLASSES.index(digit) for digit in DIGITS[1:])


def is_board(scene: Scene, likely: Likelihoods, states: Mapping[int, str], located: float) -> bool:
    """Whether this is likelier a board than not, where locating takes it for one with that probability."""
    if located >= 1.0:  # somebody knows that it is one
        return True
    known = features_of(scene, likely, states, located)
    nats = ADDED + sum(BOARD[name] * value for name, value in known.items())
    return 1.0 / (1.0 + exp(-nats)) >= BELIEVED


def features_of(
    scene: Scene, likely: Likelihoods, states: Mapping[int, str], located: float
) -> dict[str, float]:
    """What speaks for a board, by its name in BOARD. `likely` is (clusters, classes), nats of the model."""
    labels = np.array([CLASSES.index(states[cluster]) for cluster in scene.present])
    gains = _gains(likely, labels)
    capped = np.clip(gains, -MOST, MOST) * (labels != OTHER)
    numbers = np.isin(labels, NUMBERS)
    strange = np.zeros(len(labels))
    together = scene.together(labels)
    np.maximum.at(strange, together, np.where(labels != OTHER, -gains, 0.0))
    odds = (located + LEAST) / (1.0 - located + LEAST)
    return {
        "located": log(odds),
        "looks": float(capped @ scene.counts / len(scene.ids)),
        "strange": log(1.0 + float(np.maximum(strange, 0.0).sum())),
        "numbers": float(capped[numbers].mean()) if numbers.any() else 0.0,
    }


def _gains(likely: Likelihoods, labels: NDArray[np.intp]) -> NDArray[np.float64]:
    """Nats by which each cluster looks more like its state than like something else."""
    seen = likely.astype(np.float64) - np.log(SHARES)
    seen[:, [COVER, ZERO]] = (np.logaddexp(seen[:, COVER], seen[:, ZERO]) - log(2))[:, None]
    return np.asarray(seen[np.arange(len(labels)), labels] - seen[:, OTHER])
