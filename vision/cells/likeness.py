"""How far apart two cell pictures look, whatever their sizes.

Every picture is averaged down (or stretched) to the same small square and lightly blurred: its *signature*.
Two pictures are as far apart as their signatures are where they differ most, or EVERYWHERE times their mean
difference when that is more; in grey levels. The largest local difference is what keeps a 3 from an 8 or a 1
from a blank, where a mean would drown it; the mean is what separates two plain areas of nearly one grey,
where no place stands out. The blur forgives noise and half a pixel of misplacement. Being a norm it obeys the
triangle inequality: a picture less than half the way from one tile to another is certainly nearer to the
first.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels

SIDE = 16  # a signature is SIDE x SIDE x 3 values
EVERYWHERE = 2  # a difference all over the cell counts this much more than the same in one place
FARTHEST = 255.0 * EVERYWHERE
COARSE = 4  # and its coarse form COARSE x COARSE x 3

Signatures = NDArray[np.uint8]  # (pictures, SIDE * SIDE * 3)


def signatures(pictures: Pixels) -> Signatures:
    """The signatures of equally large pictures: (n, height, width, 3) uint8 -> (n, SIDE * SIDE * 3) uint8."""
    n, height, width, _ = pictures.shape
    down, across = _shrinking(height), _shrinking(width)
    shrunk = np.matmul(down, pictures.reshape(n, height, width * 3).astype(np.float32))
    shrunk = shrunk.reshape(n, SIDE, width, 3).transpose(0, 1, 3, 2).reshape(n * SIDE * 3, width)
    square = np.matmul(shrunk, across.T).reshape(n, SIDE, 3, SIDE)
    signed: Signatures = (square + 0.5).astype(np.uint8).transpose(0, 1, 3, 2).reshape(n, SIDE * SIDE * 3)
    return signed


def apart(one: Signatures, other: Signatures) -> NDArray[np.float32]:
    """How far apart signatures are along the last axis, 0 to FARTHEST grey levels; other axes broadcast."""
    difference = np.maximum(one, other) - np.minimum(one, other)
    everywhere = difference.mean(axis=-1, dtype=np.float32) * EVERYWHERE
    farther: NDArray[np.float32] = np.maximum(difference.max(axis=-1), everywhere)
    return farther


def coarse(signed: Signatures) -> NDArray[np.float32]:
    """A rough form of signatures, (n, COARSE * COARSE * 3), for finding likely neighbours quickly."""
    return signed.astype(np.float32) @ _pooling()


@lru_cache(maxsize=1)
def _pooling() -> NDArray[np.float32]:
    """The matrix that averages a signature into COARSE x COARSE blocks."""
    block = np.arange(SIDE) * COARSE // SIDE
    inside = (block[:, None] == np.arange(COARSE)) * np.float32(COARSE / SIDE)
    pooling = np.einsum("yj,xi,cd->yxcjid", inside, inside, np.eye(3, dtype=np.float32))
    return np.ascontiguousarray(pooling.reshape(SIDE * SIDE * 3, COARSE * COARSE * 3))


@lru_cache(maxsize=128)
def _shrinking(length: int) -> NDArray[np.float32]:
    """The (SIDE, length) matrix that averages `length` pixels into SIDE places, then blurs by 1 2 1."""
    edges = np.linspace(0.0, length, SIDE + 1)
    pixel = np.arange(length)
    covered = np.minimum(edges[1:, None], pixel + 1) - np.maximum(edges[:-1, None], pixel)
    area = np.clip(covered, 0.0, None) * SIDE / length
    padded = np.vstack([area[:1], area, area[-1:]])
    blurred = (padded[:-2] + 2 * padded[1:-1] + padded[2:]) / 4
    return np.ascontiguousarray(blurred, dtype=np.float32)
