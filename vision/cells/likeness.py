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


def resampled_apart(signed: Signatures, pixel: float, asked: NDArray[np.bool_]) -> NDArray[np.float32]:
    """How far apart signatures are at least where each may be moved by a pixel; infinite where nobody asked.

    `signed` is (n, SIDE * SIDE * 3), `asked` and the distances (n, n), `pixel` the width of a pixel as a part
    of the cell. What lies between the values around a place is no difference there: resampling makes that of
    them. Beside a cell its like is taken to be. In grey levels: the geometric mean of the largest difference
    and the mean one, one added to each; pictures of one drawing may differ much on a rim that takes from its
    neighbours, or a little everywhere.
    """
    low, high = _span(signed, pixel)
    off = np.full(asked.shape, np.inf, np.float32)
    for k in range(len(signed)):
        others = np.flatnonzero(asked[k])
        if others.size:
            off[k, others] = np.maximum(
                _beyond(signed[others], low[k], high[k]), _beyond(signed[k], low[others], high[others])
            )
    return np.minimum(off, off.T)


def _span(signed: Signatures, pixel: float) -> tuple[Signatures, Signatures]:
    """The least and the greatest value that each place may have after a move by a pixel at most."""
    grid = signed.reshape(-1, SIDE, SIDE, 3)
    low, high = grid, grid
    for axis in (1, 2):
        low = np.minimum(low, np.minimum(np.roll(low, 1, axis), np.roll(low, -1, axis)))
        high = np.maximum(high, np.maximum(np.roll(high, 1, axis), np.roll(high, -1, axis)))
    reach = min(1.0, pixel * SIDE)
    low = (grid - reach * (grid - low)).astype(np.uint8)
    high = (grid + reach * (high - grid) + 0.5).astype(np.uint8)
    return low.reshape(signed.shape), high.reshape(signed.shape)


def _beyond(signed: Signatures, low: Signatures, high: Signatures) -> NDArray[np.float32]:
    """How far signatures are beyond what they may be."""
    off = np.maximum(signed, high) - high
    off += low - np.minimum(signed, low)
    most, mean = off.max(axis=-1).astype(np.float32), off.mean(axis=-1, dtype=np.float32)
    return np.asarray(np.sqrt((most + 1) * (mean + 1)), np.float32)


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
