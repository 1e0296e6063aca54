"""Whether a picture shows only covers, whatever their drawing: a fresh board.

If a board has hidden and open cells, some step in the minimum spanning tree of its clusters is large compared
with the contrast inside cells. A fresh board has no such step. `shows_only_covers` judges the first picture
of a game. If a picture may show no board at all, its cells must be nearly equal (`are_alike`).
"""

from __future__ import annotations

from math import exp, log

import numpy as np
from numpy.typing import NDArray

from vision.cells.clusters import Signatures, without_rims
from vision.label.scene import Scene, minimum_spanning_forest
from vision.params import FRESH_BOARD

USUAL = log(19)  # nats; prior log-odds: nineteen of twenty games start with a fresh board
FAINT = 8.0  # grey levels added to every contrast, so that noise does not count
# maximum step, relative to the contrast, between cells that are nearly equal; chosen by hand: pages of
# letters or numbers have at least 0.26, drawn boards in play 0.47
NEARLY = 0.2


def are_alike(scene: Scene, signed: Signatures) -> bool:
    """Whether all cells look nearly the same. `signed` has one row per known cluster."""
    inner, contrast = _without_rims(scene, signed)
    return _largest_step(inner) <= NEARLY * contrast


def shows_only_covers(scene: Scene, signed: Signatures, sure: float) -> bool:
    """Whether the first picture of a game shows a fresh board, with the probability `sure`.

    `signed` has one row per known cluster.
    """
    constant, relative, absolute = FRESH_BOARD
    steps = largest_steps(scene, signed)
    nats = USUAL + constant + relative * steps[0] + absolute * steps[1]
    return 1.0 / (1.0 + exp(-nats)) >= sure


def largest_steps(scene: Scene, signed: Signatures) -> tuple[float, float]:
    """The largest step between clusters: without mean colours, relative to the contrast; in grey levels."""
    inner, contrast = _without_rims(scene, signed)
    colours = inner.reshape(len(inner), -1, 3)
    even = (colours - colours.mean(axis=1, keepdims=True)).reshape(len(inner), -1)
    return _largest_step(even) / contrast, _largest_step(inner)


def _without_rims(scene: Scene, signed: Signatures) -> tuple[NDArray[np.float32], float]:
    """The signatures of the present clusters without rims, (clusters, values), and their usual contrast."""
    inner = without_rims(signed[scene.present]).astype(np.float32)
    colours = inner.reshape(len(inner), -1, 3)
    contrast = (colours.max(axis=1) - colours.min(axis=1)).max(axis=1)
    return inner, float(np.average(contrast, weights=scene.counts)) + FAINT


def _largest_step(pictures: NDArray[np.float32]) -> float:
    """The longest edge of the minimum spanning tree of all pictures, (pictures, values)."""
    apart = np.stack([np.abs(pictures - one).max(axis=1) for one in pictures])
    return max((length for _, _, length in minimum_spanning_forest(apart)), default=0.0)
