"""Grids of lines in fractions of a pixel, and how strongly the picture supports their lines.

Textures, digits and noise change from pixel to pixel; the side of a cell does not. The picture is therefore
averaged along the side (a narrow band of pixels becomes one value per colour) before it is differenced. A
line of one or two grey levels remains visible, a texture of fifty does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.lattice import Lattice

Floats = NDArray[np.float32]

FAINTEST = 2.5  # grey levels; weaker steps are gradients and dithering
Side = tuple[int, int]  # the axis (1: x, 0: y) and -1 for its beginning, 1 for its end
SIDES: dict[Side, str] = {(1, -1): "left", (0, -1): "top", (1, 1): "right", (0, 1): "bottom"}
BEYOND = 1.5  # pixels that a line may lie outside of the picture: tolerance of its position
RIM = 0.2  # fraction of a cell at each end of its side that rounded corners and crossing lines take
FEWEST = 4  # columns and rows of the smallest board
# grey levels; maximum difference of equal pixels: JPEG at quality 80 changes plain areas by up to 10
ALIKE = 12
NARROWEST, WIDEST = 8.0, 128.0  # pixels; side of a cell in the analysed picture


def line_tolerance(pitch: float) -> int:
    """Pixels by which a drawn line may differ from its place: an eighteenth of a cell, at least one."""
    return max(1, to_pixel(pitch / 18))


def to_pixel(position: float) -> int:
    """The nearest pixel; halves round up, so that odd distances are preserved."""
    return int(np.floor(position + 0.5))


def largest_difference(pixels: Pixels, other: Pixels | NDArray[np.float64]) -> NDArray[np.uint8]:
    """Largest difference of the channels of each pixel from another picture, or a colour (4 numbers)."""
    blue, green, red = cv2.split(cv2.absdiff(pixels, other))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


@dataclass(frozen=True)
class Grid:
    """Lines between cells, like a Lattice but in fractions of a pixel."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]

    def lines(self, axis: int) -> tuple[float, ...]:
        """The lines found along x (axis 1) or along y (axis 0)."""
        return self.xs if axis == 1 else self.ys

    def with_lines(self, axis: int, lines: tuple[float, ...]) -> Grid:
        """The same with other lines along one axis."""
        return replace(self, xs=lines) if axis == 1 else replace(self, ys=lines)

    def without(self, axis: int, side: int) -> Grid:
        """The same without its first (side -1) or last strip of cells along one axis."""
        lines = self.lines(axis)
        return self.with_lines(axis, lines[1:] if side < 0 else lines[:-1])

    def widened(self, axis: int, side: int, by: float) -> Grid:
        """The same with one more strip of width `by` before its first (side -1) or after its last."""
        lines = self.lines(axis)
        return self.with_lines(axis, (lines[0] - by, *lines) if side < 0 else (*lines, lines[-1] + by))

    def moved(self, axis: int, shift: float) -> Grid:
        """The same with the lines along one axis moved."""
        return self.with_lines(axis, tuple(line + shift for line in self.lines(axis)))

    def pitch(self, axis: int) -> float:
        """Mean distance of the lines along one axis."""
        lines = self.lines(axis)
        return (lines[-1] - lines[0]) / (len(lines) - 1)


def to_lattice(grid: Grid, pixels: Pixels) -> Lattice:
    """The grid in whole pixels; an outermost line a pixel beyond the picture is moved to its border."""
    lines = []
    for axis in (1, 0):
        seen = [to_pixel(line) for line in grid.lines(axis)]
        lines.append((max(0, seen[0]), *seen[1:-1], min(seen[-1], pixels.shape[axis])))
    return Lattice(*lines)


def to_grid(lattice: Lattice) -> Grid:
    """The lines of a lattice as a grid."""
    return Grid(tuple(map(float, lattice.xs)), tuple(map(float, lattice.ys)))


def have_same_cells(one: Grid, other: Grid) -> bool:
    """Whether two grids have the same cells, up to a quarter of a cell."""
    return all(
        len(lines) == len(others)
        and max(abs(lines[0] - others[0]), abs(lines[-1] - others[-1])) < one.pitch(axis) / 4
        for axis, lines, others in ((1, one.xs, other.xs), (0, one.ys, other.ys))
    )


def lattices_overlap(one: Lattice, other: Lattice) -> bool:
    """Whether two lattices claim common cells, so that at most one of them is right."""
    wide = min(one.xs[-1], other.xs[-1]) - max(one.xs[0], other.xs[0])
    high = min(one.ys[-1], other.ys[-1]) - max(one.ys[0], other.ys[0])
    return min(wide, high) > min(one.pitch, other.pitch)


def band_edge_strength(
    pixels: Pixels, bands: Sequence[tuple[float, float]], span: tuple[int, int], axis: int
) -> Floats:
    """Strength of a line at every pixel of `axis` from span[0] to span[1], for each band of the other axis.

    Axis 1: bands are (top, bottom), lines run down and are found along x. Axis 0: bands are (left, right),
    lines run across. Returns (bands, span), grey levels, the largest of the colours; 0 outside the picture,
    beyond which a band may reach by BEYOND.
    """
    low, high = max(0, span[0] - 1), min(pixels.shape[axis], span[1])
    limit = pixels.shape[1 - axis]
    result = np.zeros((len(bands), span[1] - span[0]), np.float32)
    for index, (begin, end) in enumerate(bands):
        first = to_pixel(begin)
        last = max(first + 1, to_pixel(end))
        if first < -BEYOND or last > limit + BEYOND or high - low < 2:
            continue
        first, last = max(0, first), min(limit, last)
        if first >= last:
            continue
        part = pixels[first:last, low:high] if axis == 1 else pixels[low:high, first:last]
        means = cv2.reduce(part, 1 - axis, cv2.REDUCE_AVG, dtype=cv2.CV_32F).reshape(high - low, 3)
        apart = np.abs(means[1:] - means[:-1])
        change = np.maximum(np.maximum(apart[:, 0], apart[:, 1]), apart[:, 2])
        result[index, low + 1 - span[0] : high - span[0]] = change
    return result


def strength_across(pixels: Pixels, lines: Sequence[float], span: tuple[int, int], axis: int) -> Floats:
    """`band_edge_strength` in the middle of the cells between the lines of the other axis."""
    bands = [(low + RIM * (high - low), high - RIM * (high - low)) for low, high in pairwise(lines)]
    return band_edge_strength(pixels, bands, span, axis)


def threshold(strength: Floats, plain: float = 30) -> float:
    """Minimum strength of a line: above that of the picture's own texture.

    `plain` is the percentage of the picture without lines and drawings.
    """
    return max(FAINTEST, 3.0 * float(np.percentile(strength, plain)))


def has_one_colour(area: Pixels) -> bool:
    """Whether an area is not empty and its colours differ by at most ALIKE.

    One axis at a time is fifty times as fast as both.
    """
    return (
        bool(area.size) and int((area.max(axis=0).max(axis=0) - area.min(axis=0).min(axis=0)).max()) <= ALIKE
    )
