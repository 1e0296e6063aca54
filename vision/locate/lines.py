"""Propose boards with visible lines: lattices of flat areas, extended along straight cell sides.

A few boxes on a lattice become a grid, which is extended to the whole board: phase, extent and clipped sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vision.frame import Pixels
from vision.lattice import Lattice
from vision.locate.boxes import BoxLattice
from vision.locate.extension import cut_sides, extend, grid_from_boxes, shown_sides
from vision.locate.grid import FEWEST, SIDES, Grid, have_same_cells, lattices_overlap, to_lattice

MOST_SEEDS = 6  # largest box lattices to try; a board produces one or more at every level
CERTAIN = 0.95  # fraction of visible sides above which no better board is searched on the same place
DOUBTED = 0.9  # maximum such fraction of a board that excludes part of its box lattice
FEWEST_LEFT_OUT = 3  # boxes in a line that are too many for a button next to the board
EQUAL = 0.1  # fraction of a cell by which the distances of boxes, and their middles, may differ from cells
LEAST_SHOWN = 0.6  # minimum fraction of visible sides


@dataclass(frozen=True)
class LinedGrid:
    """A grid with visible lines, and the sides on which the picture or a window clips it.

    `shown` is the fraction of its cells' sides that show, 0 to 1.
    """

    lattice: Lattice
    shown: float
    clipped: tuple[str, ...] = ()


def propose_from_lines(pixels: Pixels, seeds: Sequence[BoxLattice]) -> list[LinedGrid]:
    """Boards with visible lines around the boxes of the lattices, best first; at most one on each place."""
    found: list[LinedGrid] = []
    tried: list[Grid] = []
    for seed in seeds[:MOST_SEEDS]:
        start = grid_from_boxes(seed)
        is_known = any(have_same_cells(start, other) for other in tried)
        if not (
            is_known or any(_covers(other.lattice, seed) and _makes_needless(other, seed) for other in found)
        ):
            tried.append(start)
            grid = _lined_grid(pixels, seed)
            if grid is not None and grid.shown >= LEAST_SHOWN:
                found.append(grid)
    best: list[LinedGrid] = []
    for each in sorted(found, key=_worth, reverse=True):
        if not any(lattices_overlap(each.lattice, other.lattice) for other in best):
            best.append(each)
    return best


def _makes_needless(grid: LinedGrid, seed: BoxLattice) -> bool:
    """Whether boxes on the place of a grid lead to no better one: it is sure, and whole or has such cells."""
    return grid.shown >= CERTAIN and (not grid.clipped or _has_in_cells(grid.lattice, seed))


def _has_in_cells(lattice: Lattice, seed: BoxLattice) -> bool:
    """Whether the boxes have the distances of the cells and lie in their middle, none of them outside."""
    for starts, size, step, lines in (
        (seed.lefts, seed.width, seed.across_pitch, lattice.xs),
        (seed.tops, seed.height, seed.down_pitch, lattice.ys),
    ):
        pitch = (lines[-1] - lines[0]) / (len(lines) - 1)
        middle = (starts[0] + size / 2 - lines[0]) % pitch
        is_outside = starts[0] < lines[0] - pitch / 2 or starts[-1] > lines[-1]
        if is_outside or abs(pitch / step - 1) > EQUAL or abs(middle / pitch - 0.5) > EQUAL:
            return False
    return True


def complete_lattices(seeds: Sequence[BoxLattice]) -> list[Grid]:
    """Box lattices without a missing box, not extended: the ground around them may look like lines.

    Lattices whose rows or columns continue in another one are parts of a board with cells of two sizes.
    """
    return [
        grid_from_boxes(seed)
        for seed in seeds
        if seed.count == len(seed.lefts) * len(seed.tops)
        and min(len(seed.lefts), len(seed.tops)) >= FEWEST
        and not any(_continues(seed, other) for other in seeds)
    ]


def _continues(seed: BoxLattice, other: BoxLattice) -> bool:
    """Whether another lattice has boxes outside of this one, in half of its rows or columns."""
    for starts, lines, others, along, pitch, step in (
        (seed.lefts, seed.tops, other.lefts, other.tops, seed.across_pitch, seed.down_pitch),
        (seed.tops, seed.lefts, other.tops, other.lefts, seed.down_pitch, seed.across_pitch),
    ):
        is_beside = any(not starts[0] - pitch / 2 < each < starts[-1] + pitch / 2 for each in others)
        shared = sum(any(abs(line - each) < step / 4 for each in along) for line in lines)
        if is_beside and shared >= len(lines) / 2:
            return True
    return False


def _worth(grid: LinedGrid) -> float:
    """Preference: larger area first, but invisible lines (as with half the true pitch) weigh heavily."""
    _, _, width, height = grid.lattice.box
    return float(width * height * grid.shown**6)


def _lined_grid(pixels: Pixels, seed: BoxLattice) -> LinedGrid | None:
    grid = extend(pixels, seed)
    if grid is None:
        return None
    shown = shown_sides(pixels, grid)
    lattice, cut = to_lattice(grid, pixels), cut_sides(pixels, grid)
    left_out = _left_out(seed, lattice)
    sides = tuple(side for side in SIDES.values() if side in (*cut, *left_out)) if left_out else cut
    return LinedGrid(lattice, min(shown, DOUBTED) if left_out else shown, sides)


def _left_out(seed: BoxLattice, lattice: Lattice) -> tuple[str, ...]:
    """The sides on which the lattice exceeds the board by cell-like boxes, too many for a button."""
    found = []
    for names, starts, counts, lines, pitch, most in (
        (("left", "right"), seed.lefts, seed.across, lattice.xs, seed.across_pitch, lattice.rows),
        (("top", "bottom"), seed.tops, seed.down, lattice.ys, seed.down_pitch, lattice.columns),
    ):
        slack = pitch / 2
        for start, count in zip(starts, counts, strict=True):
            is_inside = lines[0] - slack <= start <= lines[-1] - slack
            if not is_inside and count >= max(FEWEST_LEFT_OUT, most / 2):
                found.append(names[start > lines[0]])
    return tuple(found)


def _covers(lattice: Lattice, seed: BoxLattice) -> bool:
    """Whether most of the box lattice lies on a known board."""
    left, top, width, height = lattice.box
    inside_x = sum(left <= x < left + width for x in seed.lefts) / len(seed.lefts)
    inside_y = sum(top <= y < top + height for y in seed.tops) / len(seed.tops)
    return inside_x * inside_y > 0.5
