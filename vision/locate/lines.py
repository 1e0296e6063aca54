"""Propose boards from visible lines: flat boxes extended along the lines between cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from vision.frame import Pixels
from vision.lattice import Lattice
from vision.locate.boxes import BoxLattice, find_box_lattices
from vision.locate.extend import (
    align_to_outer_edges,
    confidence,
    cut_sides,
    extend_grid,
    grid_from_boxes,
    on_edges,
    refine_lines,
)
from vision.locate.grid import FEWEST, Grid, to_pixel

MOST_SEEDS = 24  # the biggest ones; a board gives one or more at every level
SOFT = 2  # pixels, across and down, that are averaged where no board is seen otherwise
SMALLEST_HALVED = 200  # pixels, across and down, of a picture that is also looked at in half its size
CERTAIN = 0.95  # confidence at which nothing better is looked for on the same place
DRIFT = 0.5  # pixels between the halves of a side; more, and the pitch is no whole number
ASTRAY = 1  # gaps between lines that may be a pixel off all the same
DOUBTED = 0.9  # confidence, at most, of a board that leaves a part of its seed out
FEWEST_LEFT_OUT = 3  # boxes in a line that are no button beside the board
SIDES = ("left", "top", "right", "bottom")
SAME_PITCH = 0.03  # that two lattices may differ and be of one board
HALF_SHOWN = 0.5  # of the sides in strips that are on one lattice and not on the other
ALIKE = 0.95  # of the confidence of a cut board that a whole one on its place needs
SURE = 0.6  # confidence that a board needs, and
SURER = 0.85  # one that is seen only when the picture is looked at in half its size


@dataclass(frozen=True)
class BoardCandidate:
    """A board that was seen. `confidence` is the share of its cells' sides that show, 0 to 1.

    `clipped` names the sides ("left", "top", "right", "bottom") on which the picture or a window cuts it.
    """

    lattice: Lattice
    confidence: float
    clipped: tuple[str, ...] = ()


def propose_from_lines(pixels: Pixels) -> tuple[BoardCandidate, ...]:
    """Every board that is seen by its flat areas and lines, the best first."""
    sightings: tuple[BoardCandidate, ...] = ()
    for is_last_resort, seeds in _seeds(pixels):
        if any(_settles(each) or (is_last_resort and not each.clipped) for each in sightings):
            break
        sightings = _sightings(pixels, seeds(), sightings, SURER if is_last_resort else SURE)
    best: list[BoardCandidate] = []
    for sighting in sorted(sightings, key=_worth, reverse=True):
        rivals = [
            place for place, other in enumerate(best) if lattices_overlap(sighting.lattice, other.lattice)
        ]
        if not rivals:
            best.append(sighting)
        elif len(rivals) == 1 and _makes_whole(sighting, best[rivals[0]]):
            best[rivals[0]] = sighting
    return tuple(best)


def _makes_whole(one: BoardCandidate, other: BoardCandidate) -> bool:
    """Whether one is all of a board of which the other shows a part only, be it more certain."""
    small, large = other.lattice, one.lattice
    slack = large.pitch / 2
    covers = all(
        inner[0] >= outer[0] - slack and inner[-1] <= outer[-1] + slack and len(inner) <= len(outer)
        for outer, inner in ((large.xs, small.xs), (large.ys, small.ys))
    )
    if one.clipped or not covers or abs(large.pitch / small.pitch - 1) > SAME_PITCH:
        return False
    if other.clipped:
        return one.confidence >= ALIKE * other.confidence
    cells, part = (each.columns * each.rows for each in (large, small))
    shown = one.confidence * cells - other.confidence * part  # sides, beyond what the part shows
    return cells > part and shown >= HALF_SHOWN * (cells - part)


def _seeds(pixels: Pixels) -> Iterator[tuple[bool, Callable[[], list[BoxLattice]]]]:
    """Where seeds are looked for, ever less closely; True where only a board that nobody saw yet is wanted.

    Cells that are dithered or textured are flat then, and those of a magnified screen are not too large.
    """
    yield False, lambda: find_box_lattices(pixels)
    yield False, lambda: find_box_lattices(_softened(pixels))
    if min(pixels.shape[:2]) >= SMALLEST_HALVED:
        half = cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.uint8)
        yield True, lambda: [seed.scaled(2) for seed in find_box_lattices(half)]
        yield True, lambda: [seed.scaled(2) for seed in find_box_lattices(_softened(half))]


def _softened(pixels: Pixels) -> Pixels:
    return cv2.blur(pixels, (SOFT, SOFT)).astype(np.uint8)


def _sightings(
    pixels: Pixels, seeds: Sequence[BoxLattice], known: tuple[BoardCandidate, ...], least: float
) -> tuple[BoardCandidate, ...]:
    """What is known already, and what grows from the biggest of these seeds with so much confidence."""
    for seed in seeds[:MOST_SEEDS]:
        if any(
            (_settles(other) and _covers(other.lattice, seed)) or _is_part(other.lattice, seed)
            for other in known
        ):
            continue
        sighting = _sighting(pixels, seed)
        if sighting is not None and sighting.confidence >= least:
            known = (*known, sighting)
    return known


def _settles(sighting: BoardCandidate) -> bool:
    """Whether no other seed on the same place needs a try."""
    return not sighting.clipped and sighting.confidence >= CERTAIN


def _worth(sighting: BoardCandidate) -> float:
    """A greater area first, but lines that are not there (as with half of the true pitch) weigh heavily."""
    _, _, width, height = sighting.lattice.box
    return float(width * height * sighting.confidence**6)


def _sighting(pixels: Pixels, seed: BoxLattice) -> BoardCandidate | None:
    first = grid_from_boxes(seed)
    reach = (_reach(seed.across_pitch, seed.width), _reach(seed.down_pitch, seed.height))
    start = on_edges(pixels, first, max(reach))
    grid = extend_grid(pixels, start)
    if min(len(grid.xs), len(grid.ys)) <= FEWEST + 1:  # by lines alone, one more: rows of buttons have four
        return None
    moved = (to_pixel(start.xs[0] - first.xs[0]), to_pixel(start.ys[0] - first.ys[0]))
    grid = refine_lines(pixels, grid)
    across, down = ((-far - by, far - by) for far, by in zip(reach, moved, strict=True))
    grid = align_to_outer_edges(pixels, grid, (across, down))
    sure = confidence(pixels, grid)
    lattice, cut = _lattice(grid, pixels), cut_sides(pixels, grid)
    left_out = _left_out(seed, lattice)
    if not left_out:
        return BoardCandidate(lattice, sure, cut)
    return BoardCandidate(
        lattice, min(sure, DOUBTED), tuple(side for side in SIDES if side in (*cut, *left_out))
    )


def _left_out(seed: BoxLattice, lattice: Lattice) -> tuple[str, ...]:
    """The sides on which the board ends before its seed does: boxes like its cells, too many for a button."""
    found = []
    slack = lattice.pitch / 2
    for names, starts, counts, lines, most in (
        (("left", "right"), seed.lefts, seed.across, lattice.xs, lattice.rows),
        (("top", "bottom"), seed.tops, seed.down, lattice.ys, lattice.columns),
    ):
        for start, count in zip(starts, counts, strict=True):
            is_inside = lines[0] - slack <= start <= lines[-1] - slack
            if not is_inside and count >= max(FEWEST_LEFT_OUT, most / 2):
                found.append(names[start > lines[0]])
    return tuple(found)


def _lattice(grid: Grid, pixels: Pixels) -> Lattice:
    """The grid in whole pixels; an outermost line that was seen a pixel beyond the picture is its border."""
    lines = []
    for axis in (1, 0):
        seen = _even(tuple(to_pixel(line) for line in grid.lines(axis)))
        lines.append((max(0, seen[0]), *seen[1:-1], min(seen[-1], pixels.shape[axis])))
    return Lattice(*lines)


def _even(lines: tuple[int, ...]) -> tuple[int, ...]:
    """The lines a whole number of pixels apart, where that moves none of them by more than one pixel.

    A line beside a bevel may be seen on either side of it; a pitch that is really fractional drifts further.
    """
    pitch = round((lines[-1] - lines[0]) / (len(lines) - 1))
    starts = [line - pitch * k for k, line in enumerate(lines)]
    start = sorted(starts)[len(starts) // 2]
    half = len(starts) // 2
    drift = abs(sum(starts[:half]) / half - sum(starts[-half:]) / half)
    uneven = sum(b - a != pitch for a, b in pairwise(lines))
    if (drift > DRIFT and uneven > ASTRAY) or start - min(starts) > 1 or max(starts) - start > 1:
        return lines
    return tuple(start + pitch * k for k in range(len(lines)))


def _covers(lattice: Lattice, seed: BoxLattice) -> bool:
    """Whether most of the seed lies on a board that was found already."""
    left, top, width, height = lattice.box
    inside_x = sum(left <= x < left + width for x in seed.lefts) / len(seed.lefts)
    inside_y = sum(top <= y < top + height for y in seed.tops) / len(seed.tops)
    return inside_x * inside_y > 0.5


def _is_part(lattice: Lattice, seed: BoxLattice) -> bool:
    """Whether a seed would grow to a board that was found already: its cells are some of that one's."""
    grid, (_, _, width, height) = grid_from_boxes(seed), lattice.box
    for lines, others, pitch, size, mean in (
        (grid.xs, lattice.xs, seed.across_pitch, seed.width, width / lattice.columns),
        (grid.ys, lattice.ys, seed.down_pitch, seed.height, height / lattice.rows),
    ):
        far = max(min(abs(line - other) for other in others) for line in lines)
        if abs(pitch / mean - 1) > SAME_PITCH or far > _reach(pitch, size):
            return False
    return True


def _reach(pitch: float, size: float) -> int:
    """How far from the middle between two boxes the line may be."""
    return max(1, to_pixel((pitch - size - 1) / 2))


def lattices_overlap(one: Lattice, other: Lattice) -> bool:
    """Whether two lattices claim some of the same cells, so that at most one of them is right."""
    wide = min(one.xs[-1], other.xs[-1]) - max(one.xs[0], other.xs[0])
    high = min(one.ys[-1], other.ys[-1]) - max(one.ys[0], other.ys[0])
    return min(wide, high) > min(one.pitch, other.pitch)
