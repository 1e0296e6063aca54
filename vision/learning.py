"""Learns a skin from labelled pictures: few tiles for each state, and how near a cell must be to one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from games.errors import InvalidFile
from games.minesweeper.board import HIDDEN, STATES, UNKNOWN
from vision.frame import Pixels
from vision.labels import Labelled
from vision.likeness import FARTHEST, Signatures, apart, coarse, signatures
from vision.skin import Skin, Tile

ALIKE = 9.0  # grey levels; pictures of one state that differ less share a tile
SAME = 2.0  # pictures of two states that differ no more cannot be told apart
NEAR = 15.0  # the least allowance for cells of a learned size, and
FAR = 44.0  # for cells of another size, which are drawn, not only scaled, differently
SLACK = 1.5  # how much more than the spread that was seen is allowed


@dataclass(frozen=True, eq=False)
class _Look:
    """A distinct picture of a cell, the state it was labelled with, and where it was first seen."""

    tile: Tile
    signed: Signatures
    where: str


def learn(name: str, samples: Iterable[Labelled]) -> Skin:
    """Learn a skin from labelled pictures; cells labelled UNKNOWN teach nothing.

    Raises InvalidFile, naming picture and cell, when one look is labelled with two states.
    """
    return _skin(name, _looks(samples))


def improve(skin: Skin, samples: Iterable[Labelled]) -> Skin:
    """The same skin, having learned from more labelled pictures too. Raises InvalidFile as `learn` does."""
    known = [
        _Look(tile, signed, f"skin {skin.name}") for tile, signed in zip(skin.tiles, skin.signed, strict=True)
    ]
    better = _skin(skin.name, known + _looks(samples))
    return Skin(skin.name, better.tiles, max(skin.near, better.near), max(skin.far, better.far))


def learn_tiles(name: str, tiles: Iterable[Tile], base: Skin | None = None) -> Skin:
    """Learn a skin from pictures of cells, beside what `base` has.

    Cells of other sizes must be as near to its tiles as those of the same size: what it has not met yet may
    look like anything. Raises InvalidFile when one look has two states, or there is none.
    """
    looks = [_Look(tile, signatures(tile.pixels[None])[0], f"look {n}") for n, tile in enumerate(tiles)]
    if base is not None:
        known = zip(base.tiles, base.signed, strict=True)
        looks = [_Look(tile, signed, f"skin {base.name}") for tile, signed in known] + looks
    skin = _skin(name, looks)
    return Skin(name, skin.tiles, skin.near, max(skin.near, base.far if base else 0.0))


def _skin(name: str, looks: Sequence[_Look]) -> Skin:
    if not looks:
        raise InvalidFile(f"no cell is labelled, so skin '{name}' cannot be learned: label at least one")
    _refuse_contradictions(looks)
    tiles, spread = _representatives(looks)
    near = max(NEAR, SLACK * spread)
    seen = {tile.state for tile in tiles}
    # before it has seen hidden and open cells a skin cannot know how alike the looks of its program are
    return Skin(name, tuple(tiles), near, max(near, FAR) if {HIDDEN, "0"} <= seen else near)


def _looks(samples: Iterable[Labelled]) -> list[_Look]:
    """Every distinct picture in the samples, with its state."""
    found: dict[tuple[int, bytes], tuple[str, str, Pixels]] = {}
    for sample in samples:
        frame, lattice, board = sample.frame, sample.lattice, sample.board
        for k, state in enumerate(board.cells):
            if state == UNKNOWN:
                continue
            x, y, x2, y2 = lattice.rectangle(k)
            pixels = np.ascontiguousarray(frame.pixels[y:y2, x:x2])
            if pixels.shape != (y2 - y, x2 - x, 3):
                raise InvalidFile(
                    f"{sample.source or 'picture'}: {board.name(k)} lies beyond the picture: "
                    "correct its lines"
                )
            where = f"{sample.source or 'picture'}: {board.name(k)}"
            first = found.setdefault((x2 - x, pixels.tobytes()), (state, where, pixels))
            if first[0] != state:
                raise _contradiction(where, state, first[1], first[0])
    return [_Look(Tile(s, p), signatures(p[None])[0], where) for s, where, p in found.values()]


def _refuse_contradictions(looks: Sequence[_Look]) -> None:
    """Two states whose looks are all but equal cannot be told apart: say so now, not during a game."""
    signed = np.stack([look.signed for look in looks])
    states = np.array([look.tile.state for look in looks])
    # the same look has nearly the same mean, over all of it and over every part: few are compared in full
    parts = coarse(signed)
    means = parts.mean(axis=1)
    order = np.argsort(means, kind="stable")
    ends = np.searchsorted(means[order], means[order] + SAME + 1e-3, side="right")
    for place, k in enumerate(order):
        others = order[place + 1 : ends[place]]
        others = others[states[others] != states[k]]
        others = others[np.abs(parts[others] - parts[k]).max(axis=1, initial=0.0) <= SAME]
        others = others[apart(signed[others], signed[k]) <= SAME]
        if len(others):
            one, other = (looks[place] for place in sorted((int(k), int(others.min()))))
            raise _contradiction(other.where, other.tile.state, one.where, one.tile.state)


def _representatives(looks: Sequence[_Look]) -> tuple[list[Tile], float]:
    """Few tiles that stand for all looks of their state and size, and how far any look is from its tile."""
    kept: list[Tile] = []
    spread = 0.0
    for state in STATES:
        chosen: dict[tuple[int, ...], list[Signatures]] = {}
        for look in looks:
            if look.tile.state != state:
                continue
            tiles = chosen.setdefault(look.tile.pixels.shape, [])
            off = float(apart(np.stack(tiles), look.signed).min()) if tiles else FARTHEST
            if off > ALIKE:
                tiles.append(look.signed)
                kept.append(look.tile)
            else:
                spread = max(spread, off)
    return kept, spread


def _contradiction(where: str, state: str, first: str, other: str) -> InvalidFile:
    return InvalidFile(
        f"{where} is labelled '{state}', but looks the same as {first}, labelled '{other}': "
        "correct one of them"
    )
