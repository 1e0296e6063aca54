"""Check whether a board without an open cell looks like a fresh game.

Empty tables, pixel drawings and chess boards have a lattice but no numbers, so they are read like a fresh
board. The closed cells of a game look alike, or alternate between two shades, and they stand out from the
ground, by their colour or by light and dark edges.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, Pixels
from vision.lattice import Lattice

INNER = 0.2  # fraction of a cell on each side that may belong to its edge
APART = 40  # grey levels; closed cells of one shade differ by less, also on a gradient
SHADES = 60  # grey levels; the two shades of a game differ by less, those of a chess board by more
MIXED = 0.1  # fraction of the cells that may differ: a highlight, a drawing on a corner
NEAR = 24  # grey levels; two areas of one ground differ by less
FAINT = 20  # grey levels; weakest contrast of ruled lines, which is also twice that of the ground outside
PLAIN = 3.0  # grey levels; mean deviation inside a cell without texture
SAME_SIDE = 8.0  # grey levels; mean contrast of the weaker kind of edge (lighter, darker) of a ruled cell

Colours = NDArray[np.float32]  # (cells, 3)


def looks_fresh(frame: Frame, lattice: Lattice) -> bool:
    """Whether these closed cells look like the cells of a game: regular, and no ruled paper."""
    pixels = frame.pixels
    cells = [lattice.picture(pixels, k).astype(np.float32) for k in range(lattice.rows * lattice.columns)]
    colours = np.array([np.median(_inner(cell).reshape(-1, 3), axis=0) for cell in cells], np.float32)
    return not _is_mixed(colours, lattice.columns) and not _is_ruled(pixels, lattice, cells, colours)


def _inner(cell: NDArray[np.float32]) -> NDArray[np.float32]:
    down, across = (max(1, round(INNER * side)) for side in cell.shape[:2])
    return cell[down:-down, across:-across]


def _is_mixed(colours: Colours, columns: int) -> bool:
    """Whether many cells differ from most others of their shade, or the two shades differ much."""
    places = np.arange(len(colours))
    shade = (places // columns + places % columns) % 2
    usual = np.array([np.median(colours[shade == each], axis=0) for each in (0, 1)])
    off = np.abs(colours - usual[shade]).max(axis=1)
    return bool((off > APART).mean() > MIXED or np.abs(usual[0] - usual[1]).max() > SHADES)


def _is_ruled(pixels: Pixels, lattice: Lattice, cells: list[NDArray[np.float32]], colours: Colours) -> bool:
    """Whether the cells are ground between lines of one kind, as in an empty table.

    Lines that resemble the ground outside are gaps between tiles.
    """
    deviation, lighter, darker = (
        float(np.median(each))
        for each in zip(*(_contrasts(*each) for each in zip(cells, colours, strict=True)), strict=True)
    )
    if deviation >= PLAIN or min(lighter, darker) >= SAME_SIDE:
        return False
    usual = np.median(colours, axis=0)
    beside = [np.median(strip.reshape(-1, 3), axis=0) for strip in _surroundings(pixels, lattice)]
    off = float(np.median([np.abs(colour - usual).max() for colour in beside])) if beside else 255.0
    return off < NEAR and max(lighter, darker) > max(FAINT, 2 * off)


def _contrasts(cell: NDArray[np.float32], colour: NDArray[np.float32]) -> tuple[float, float, float]:
    """Mean deviation inside a cell, and the contrast of its lightest and its darkest line to the inside."""
    inside = float(np.abs(_inner(cell) - colour).max(axis=2).mean())
    steps = (cell - colour).mean(axis=2)
    lines = np.concatenate([steps.mean(axis=0), steps.mean(axis=1)])
    return inside, float(lines.max()), float(-lines.min())


def _surroundings(pixels: Pixels, lattice: Lattice) -> list[Pixels]:
    """Strips of a quarter of a cell on the four sides of a board, without a frame of two pixels."""
    left, top, width, height = lattice.box
    wide = 2 + max(2, round(lattice.pitch / 4))
    strips = (
        pixels[max(0, top - wide) : max(0, top - 2), left : left + width],
        pixels[top + height + 2 : top + height + wide, left : left + width],
        pixels[top : top + height, max(0, left - wide) : max(0, left - 2)],
        pixels[top : top + height, left + width + 2 : left + width + wide],
    )
    return [strip for strip in strips if strip.size]
