"""What is counted of labellings: of their cells, and of how those lie."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.labelling.evidence import COVER, OTHER, ZERO
from vision.labelling.joining import FARTHEST
from vision.labelling.rules import COVERED, EMPTY, MINES, NUMBERS, ROOM, SHOWN
from vision.labelling.scene import Scene

Many = NDArray[np.intp]  # (labellings, clusters), places in CLASSES
Floats = NDArray[np.float64]
Near = NDArray[np.int8]  # (traits, ...): how many neighbours of each cell have each trait

COUNTED = 8  # what is counted of single cells


def of_cells(
    number: NDArray[np.int8],
    is_mark: NDArray[np.bool_],
    near: Near,
    known: NDArray[np.bool_],
    found: NDArray[Any],
) -> NDArray[Any]:
    """What is counted of single cells, put into `found`, (counts, ...). `near` is (traits, ...)."""
    is_number = number >= 0
    looks, lasting = known
    is_left = (number == 0) & (near[COVERED] > 0)
    found[0] = (near[ROOM] < number) | (is_number & (near[MINES] > number))
    found[1] = near[SHOWN] < number
    found[2] = looks & (number <= 0)
    found[3] = looks & ~is_number
    found[4] = looks & (near[EMPTY] == 0)
    found[5] = is_left
    found[6] = is_left & lasting
    found[7] = is_mark & (near[NUMBERS] == 0)
    return found


def patched(scene: Scene, many: Many) -> Floats:
    """How far blank clusters in one piece are from all others that are what they are, beyond FARTHEST.

    In the unit of FARTHEST, for each of them two at most.
    """
    found = np.zeros(len(many))
    if scene.apart is None:
        return found
    for place in scene.patches:
        apart, own = scene.apart[place], many[:, place]
        others = (many == own[:, None]) & (apart > 0)
        nearest = np.where(others, apart, np.inf).min(axis=1)
        nearest[~others.any(axis=1) | ((own != COVER) & (own != ZERO))] = 0.0
        found += np.clip(nearest / FARTHEST - 1, 0.0, 2.0)
    return found


def regions(scene: Scene, many: Many) -> NDArray[np.intp]:
    """In how many pieces the cells lie that are nothing of the game (holes count as one less)."""
    found = np.zeros(len(many), np.intp)
    some = np.flatnonzero((many == OTHER).any(axis=1))
    if some.size:
        held = np.append(many[some] == OTHER, np.zeros((len(some), 1), np.bool_), axis=1)
        grid = held[:, scene.places].reshape(len(some), scene.rows, scene.columns)
        across, down = grid[:, :, 1:] & grid[:, :, :-1], grid[:, 1:] & grid[:, :-1]
        square = across[:, 1:] & across[:, :-1]
        counts = [np.count_nonzero(each, axis=(1, 2)) for each in (grid, across, down, square)]
        found[some] = np.maximum(1, counts[0] - counts[1] - counts[2] + counts[3])
    return found
