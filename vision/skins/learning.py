"""Learns a skin from cells whose states are known: few tiles for each state, none that contradict."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from games.errors import InvalidFile
from games.minesweeper import UNKNOWN
from vision.cells import apart, signatures
from vision.frame import Pixels
from vision.labels import Labelled
from vision.skins.skin import ALIKE, Skin, Tile


def learn(name: str, samples: Iterable[Labelled], base: Skin | None = None) -> Skin:
    """Learn a skin from labelled pictures, beside what `base` has; cells labelled UNKNOWN teach nothing.

    Raises InvalidFile, naming picture and cell, when two cells look the same that have different states, or
    no cell is labelled.
    """
    return _learn(name, ((tile, where) for sample in samples for tile, where in _cells(sample)), base)


def learn_tiles(name: str, tiles: Iterable[Tile]) -> Skin:
    """Learn a skin from pictures of cells. Raises InvalidFile as `learn` does."""
    return _learn(name, ((tile, f"cell {number}") for number, tile in enumerate(tiles)), None)


def _learn(name: str, cells: Iterable[tuple[Tile, str]], base: Skin | None) -> Skin:
    tiles = list(base.tiles) if base else []
    wheres = [f"skin {base.name}" for _ in tiles] if base else []
    signed = [signatures(tile.pixels[None])[0] for tile in tiles]
    met: dict[tuple[int, bytes], str] = {}
    for tile, where in cells:
        key = tile.pixels.shape[1], tile.pixels.tobytes()
        if met.get(key) == tile.state:
            continue
        met[key] = tile.state
        mine = signatures(tile.pixels[None])[0]
        size = tile.pixels.shape
        near = [
            k
            for k, other in enumerate(tiles)
            if other.pixels.shape == size and apart(signed[k], mine) <= ALIKE
        ]
        for k in near:
            if tiles[k].state != tile.state:
                raise InvalidFile(
                    f"{where} is labelled '{tile.state}', but looks the same as {wheres[k]}, labelled "
                    f"'{tiles[k].state}': correct one of them"
                )
        if not near:
            tiles.append(tile)
            wheres.append(where)
            signed.append(mine)
    if not tiles:
        raise InvalidFile(f"no cell is labelled, so skin '{name}' cannot be learned: label at least one")
    return Skin(name, tuple(tiles), base.program if base else None, base.evidence if base else ())


def _cells(sample: Labelled) -> Iterable[tuple[Tile, str]]:
    """Every labelled cell of a picture, and where it is."""
    for k, state in enumerate(sample.board.cells):
        left, top, right, bottom = sample.lattice.rectangle(k)
        pixels: Pixels = np.ascontiguousarray(sample.frame.pixels[top:bottom, left:right])
        where = f"{sample.source or 'picture'}: {sample.board.name(k)}"
        if pixels.shape != (bottom - top, right - left, 3):
            raise InvalidFile(f"{where} lies beyond the picture: correct its lines")
        if state != UNKNOWN:
            yield Tile(state, pixels), where
