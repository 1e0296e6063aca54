"""The pictures of the cells of a game, each kept once: a page needs two pictures, not one an observation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from vision.changes import changed_cells
from vision.frame import Frame, Pixels
from vision.lattice import Lattice

ATLAS_WIDTH = 2048  # pixels: browsers draw pictures of this width everywhere


@dataclass(frozen=True, slots=True)
class Atlas:
    """Every different cell picture in one picture, and where which of them belongs.

    `places` are (x, y, width, height) in `pixels`; `changes` has for each frame the (cell, place number) of
    the cells that differ from the frame before, none for the first.
    """

    pixels: Pixels
    places: tuple[tuple[int, int, int, int], ...]
    changes: tuple[tuple[tuple[int, int], ...], ...]


def atlas_of(lattice: Lattice, frames: Sequence[Frame]) -> Atlas:
    """The cells that change in a game, each picture of a cell once."""
    numbers: dict[tuple[tuple[int, ...], bytes], int] = {}
    tiles: list[Pixels] = []
    changes: list[tuple[tuple[int, int], ...]] = [()]
    for before, now in pairwise(frames):
        found = []
        for k in () if before is now else changed_cells(lattice, before.pixels, now.pixels):
            left, top, right, bottom = lattice.rectangle(k)
            tile = now.pixels[top:bottom, left:right]
            key = tile.shape, tile.tobytes()
            if key not in numbers:
                numbers[key] = len(tiles)
                tiles.append(tile)
            found.append((k, numbers[key]))
        changes.append(tuple(found))
    places, height = _laid_out(tiles)
    pixels = np.zeros((height, ATLAS_WIDTH if tiles else 1, 3), np.uint8)
    for (x, y, w, h), tile in zip(places, tiles, strict=True):
        pixels[y : y + h, x : x + w] = tile
    return Atlas(pixels, tuple(places), tuple(changes))


def _laid_out(tiles: Sequence[Pixels]) -> tuple[list[tuple[int, int, int, int]], int]:
    """Places row by row, and the height that they take."""
    places = []
    x = y = height = 0
    for tile in tiles:
        h, w = tile.shape[:2]
        if x + w > ATLAS_WIDTH:
            x, y, height = 0, y + height, 0
        places.append((x, y, w, h))
        x, height = x + w, max(height, h)
    return places, max(y + height, 1)


def png(pixels: Pixels) -> bytes:
    """As a PNG file."""
    _, data = cv2.imencode(".png", pixels, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    return bytes(data)
